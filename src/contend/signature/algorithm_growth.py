"""How start-ups and bytes of an algorithm of the catalogue grow with the number of processes.

Idea: count the messages and bytes that the busiest rank sends at several n, and draw whole powers
of n-1 and of log2 n through them: (1, 0) each for a direct exchange, (0, 1) and (1, 1) for Bruck's.
Restrictions: nothing is known of an algorithm that looks at groups, nor of one whose name has none
of the catalogue's for a word.
"""

import re
from functools import cache

import numpy as np

from contend.document import Floats
from contend.schedules import COLLECTIVES, Schedule, algorithms
from contend.signature.process import SHARED_MORE, Usual

_COUNTS = (16, 64, 256)  # powers of two, which every algorithm serves
_DOUBT = 0.10  # standard deviation of the exponent of start-ups, by series of known algorithms


@cache
def usual_growth(operation: str, algorithm: str) -> Usual:
    """What is usual of an exchange by an algorithm, before anything is measured.

    >>> usual_growth("alltoall", "bruck").startups
    (0.0, 1.0)
    """
    name = _in_the_catalogue(operation, algorithm)
    entry = algorithms(operation).get(name) if name else None
    if entry is None or entry.needs_groups:
        return Usual()
    sent = np.array([_sent(entry.build(n, 1, with_blocks=False)) for n in _COUNTS])
    startups, volume = _powers(sent[:, 0]), _powers(sent[:, 1])
    is_forwarded = volume[1] > 0  # by log2 n partners, whose number hardly grows
    return Usual(startups, (volume[0] + (0 if is_forwarded else SHARED_MORE), volume[1]), _DOUBT)


def _in_the_catalogue(operation: str, algorithm: str) -> str | None:
    """The algorithm of that name, or whose name is a word of it, as of BRUCK-LOG-MPI."""
    names = algorithms(operation).names() if operation in COLLECTIVES else []
    words = [algorithm, *re.split(r"[^a-z]+", algorithm.lower())]
    return next((word for word in words if word in names), None)


def _sent(schedule: Schedule) -> tuple[int, int]:
    """Messages and bytes of the rank that sends most."""
    rank, size = schedule.rank[schedule.is_send], schedule.bytes[schedule.is_send]
    return int(np.bincount(rank).max()), int(np.bincount(rank, weights=size).max())


def _powers(counted: Floats) -> tuple[float, float]:
    """The whole powers of n-1 and of log2 n that go through what was counted at `_COUNTS`."""
    n = np.array(_COUNTS, dtype=float)
    design = np.column_stack([np.ones(n.size), np.log(n - 1), np.log(np.log2(n))])
    _, over_n, over_log = np.round(np.linalg.solve(design, np.log(counted))) + 0.0  # no -0
    return float(over_n), float(over_log)
