"""Algorithms that have messages for every other rank in flight at once.

Idea: each rank posts n-1 sends that wait for nothing, so that n (n-1) messages share the switches
and their buffers. Up to some n that is the fastest; beyond, retransmissions and full buffers make
it many times as slow, of which no smaller n says anything.
Restrictions: told of algorithms whose schedule is known, by their name or a word of it.
"""

from functools import cache

import numpy as np

from contend.samples.setting import split_conditions
from contend.signature.algorithm_growth import entries_of

_BYTES = 1024  # a size at which every algorithm sends its messages whole
_SHARE = 0.5  # of the other ranks that a rank sends to at once


@cache
def floods(operation: str, setting: str) -> bool:
    """Return whether some rank starts sends to half of the others or more, and every rank does."""
    entries, _ = entries_of(operation, split_conditions(setting)[0])
    if not entries or any(one.needs_groups for one in entries.values()):
        return False
    n = max(entries)
    entry = entries[n]
    size = np.full((n, n), _BYTES) if entry.collective == "alltoallv" else _BYTES
    schedule = entry.build(n, size, with_blocks=False)
    waits = np.diff(schedule.requires_offsets) > 0
    at_once = np.bincount(schedule.rank[schedule.is_send & ~waits], minlength=n)
    return bool(at_once.min() >= _SHARE * (n - 1))
