"""How start-ups and bytes of an algorithm of the catalogue grow with the number of processes.

Idea: the longest chain of messages that wait for each other, counted in the schedule at several n:
in start-ups when each message costs one, in bytes when each costs its bytes. That is the busiest
rank's own messages in an exchange, and the way down a tree, where no rank sends as many as the root
waits for. Powers of n-1 and log2 n, and (n-1)/n, are drawn through what was counted: (1, 0) each
for a direct exchange, (0, 1) and (1, 1) for Bruck's.
Restrictions: nothing is known of an algorithm that looks at groups, nor of one whose name has none
of the catalogue's for a word; nor of the bytes where a message may be cut into segments that the
name does not tell. Where no such powers come near, the power of n-1 alone does.
"""

import re
from dataclasses import replace
from functools import cache

import numpy as np

from contend.document import Floats
from contend.schedules import COLLECTIVES, Algorithm, Schedule, algorithms
from contend.signature.operations import GROWTH, is_of_one_message
from contend.signature.prior import Powers, Usual

OWN_CHOICE = "native"  # algorithm of samples of what a library does by itself
_COUNTS = (8, 32, 128)  # powers of two, which every algorithm serves
_BYTES = 16384  # one segment, and blocks of the same size for each of these n
_POWERS = ((0, 0, 0), (0, 1, 0), (1, 0, 0), (1, 1, 0), (1, 0, -1))  # of n-1, log2 n and n
_NEAR = 0.15  # largest standard deviation of the logarithm from powers that are whole


@cache
def usual_growth(operation: str, algorithm: str) -> Usual:
    """What is usual of an operation by an algorithm, before anything is measured.

    >>> usual_growth("alltoall", "bruck").startups
    (0.0, 1.0)
    """
    growth = GROWTH[operation]
    name = _in_the_catalogue(operation, algorithm)
    entry = algorithms(operation).get(name) if name else None
    if algorithm == OWN_CHOICE:
        return _doubted(growth.usual, growth.choice)
    if entry is None or entry.needs_groups:
        return growth.usual
    startups, volume = (_powers(_counted(entry, m)) for m in (0, _BYTES))
    found = replace(growth.usual, startups=startups, doubt=growth.known_startups)
    if is_hint := name != algorithm:
        halfway = _between(growth.usual.startups, startups)
        found = replace(found, startups=halfway, doubt=growth.hinted_startups)
    if "segment" in entry.options or (is_hint and is_of_one_message(operation)):
        return found
    is_forwarded = volume[1] > 0  # by log2 n partners, whose number hardly grows
    grown = (volume[0] + (0.0 if is_forwarded else growth.more), *volume[1:])
    return replace(found, bytes=grown, bytes_doubt=growth.known_bytes)


def _doubted(usual: Usual, times: float) -> Usual:
    """The same with doubts of start-ups and of bytes so many times as large."""
    return replace(usual, doubt=times * usual.doubt, bytes_doubt=times * usual.bytes_doubt)


def _between(left: Powers, right: Powers) -> Powers:
    return tuple(float(one) for one in np.mean([left[:2], right[:2]], axis=0))


def _in_the_catalogue(operation: str, algorithm: str) -> str | None:
    """The algorithm of that name, or whose name is a word of it, as of BRUCK-LOG-MPI."""
    names = algorithms(operation).names() if operation in COLLECTIVES else []
    words = [algorithm, *re.split(r"[^a-z]+", algorithm.lower())]
    return next((word for word in words if word in names), None)


def _counted(entry: Algorithm, m: int) -> Floats:
    """Messages, or bytes where `m` is not 0, one after another at each of `_COUNTS`."""
    longest = []
    for n in _COUNTS:
        size = np.full((n, n), m) if entry.collective == "alltoallv" else m
        schedule = entry.build(n, size, with_blocks=False)
        longest.append(_longest_chain(schedule, is_of_bytes=m > 0))
    return np.array(longest)


def _longest_chain(schedule: Schedule, *, is_of_bytes: bool) -> float:
    """Of messages that wait for each other: a rank sends, and receives, one at a time."""
    gap = schedule.bytes.astype(float) if is_of_bytes else np.ones(schedule.bytes.size)
    ends = schedule.order.ends(gap=gap[None], latency=np.zeros((1, gap.size)))
    return float(ends[0])


def _powers(counted: Floats) -> Powers:
    """The powers that come nearest to what was counted at `_COUNTS`; none of no bytes."""
    if not counted.all():
        return (0.0, 0.0)
    n, found = np.array(_COUNTS, dtype=float), np.log(counted)
    over = np.array([np.log(n - 1), np.log(np.log2(n)), np.log(n)])
    off = [float(np.std(found - np.array(powers) @ over)) for powers in _POWERS]
    if min(off) > _NEAR:
        return float(np.polyfit(over[0], found, 1)[0]), 0.0
    nearest = tuple(map(float, _POWERS[int(np.argmin(np.round(off, 6)))]))
    return nearest if nearest[2] else nearest[:2]
