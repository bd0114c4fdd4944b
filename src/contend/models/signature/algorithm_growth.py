"""How start-ups and bytes of an algorithm of the catalogue grow with the number of processes.

Idea: the longest chain of messages that wait for each other, counted in the schedule at several n:
in start-ups when each message costs one, and of a barrier its latency too; in bytes when each costs
its bytes. That is the busiest rank's own messages in an exchange, and the way down a tree, where no
rank sends as many as the root waits for. Powers of n-1 and log2 n, and (n-1)/n, are drawn through
what was counted: (1, 0) each for a direct exchange, (0, 1) and (1, 1) for Bruck's. Rounds of a tree
are whole ones; where n is no power of two, recursive doubling first folds the ranks that are too
many into the others, and Rabenseifner's reduction to all then moves twice the bytes.
An algorithm of a library is the one of the catalogue that sends the same messages, on each n, or
tells its longest chain itself.
Restrictions: nothing is known of an algorithm that looks at groups, nor of one whose name has none
of the catalogue's for a word; nor of the bytes where a message may be cut into segments. Where no
such powers come near, the power of n-1 alone does.
"""

import re
from dataclasses import replace
from functools import cache, partial
from itertools import zip_longest
from typing import TypeAlias

import numpy as np

from contend.base.document import Floats
from contend.models.signature.operations import GROWTH, Growth, is_of_one_message
from contend.models.signature.prior import Powers, Usual, logarithms_over
from contend.samples.setting import NATIVE, OF_LIBRARY, own_name, split_conditions, split_setting
from contend.schedules import COLLECTIVES, Algorithm, Schedule, algorithms
from contend.schedules.libraries import LIBRARIES, LibraryAlgorithm

Entries: TypeAlias = dict[int, Algorithm]  # what runs on each of some n
_COUNTS = (8, 32, 128)  # powers of two, which every algorithm serves
_UNEVEN = (6, 12, 24, 48)  # no powers of two, which most serve
_BYTES = 16384  # one segment, and blocks of the same size for each of these n
_POWERS = tuple(  # of n-1, log2 n, n, and of rounds that are whole
    (*powers, whole)
    for whole in (0, 1)
    for powers in ((0, 0, 0), (0, 1, 0), (1, 0, 0), (1, 1, 0), (1, 0, -1), (1, 0, 1))
)
_LEAST_FOLD = 0.10  # logarithm of what n that are no powers of two take more, if anything
_NEAR = 0.15  # largest standard deviation of the logarithm from powers that are whole


@cache
def usual_growth(operation: str, algorithm: str, *, is_compared: bool = False) -> Usual:
    """What is usual of an operation by an algorithm, before anything is measured.

    Of one that is compared with another of the same operation what messages share of a larger
    machine counts whether its schedule is known or not: both meet that machine.

    >>> usual_growth("alltoall", "bruck").startups
    (0.0, 1.0, 0.0, 1.0)
    """
    growth, (algorithm, _) = GROWTH[operation], split_conditions(algorithm)
    by_schedule = partial(_known, growth, is_compared=is_compared)
    if algorithm == NATIVE:
        return _doubted(growth.usual, growth.choice)
    if (offered := _of_a_library(operation, algorithm)) and offered.chain:
        chains = offered.chain.items()
        startups, volume = (_powers({n: counts[k] for n, counts in chains}) for k in (0, 1))
        return by_schedule(startups, volume)
    entries, is_hint = entries_of(operation, algorithm)
    if not entries or any(entry.needs_groups for entry in entries.values()):
        return growth.usual
    startups = _powers(_counted(entries, 0, growth.latency))
    volume = _powers(_counted(entries, _BYTES))
    may_differ = is_hint and is_of_one_message(operation)
    is_counted = not may_differ and not _may_be_cut(operation, algorithm, entries)
    usual = by_schedule(startups, volume if is_counted else None)
    if not is_hint:
        return usual
    halfway = _between(growth.usual.startups, startups)
    counts = growth.usual.count_doubt
    return replace(usual, startups=halfway, doubt=growth.hinted_startups, count_doubt=counts)


def entries_of(operation: str, algorithm: str) -> tuple[Entries, bool]:
    """Return what runs on each of some n, and whether a word of the name alone says so."""
    entries = _entries(operation, algorithm)
    if entries:
        return entries, False
    return _of_one(_a_word_of(operation, algorithm)), True


def _known(growth: Growth, startups: Powers, volume: Powers | None, *, is_compared: bool) -> Usual:
    """Return the growth of an algorithm's longest chain in messages and, where known, in bytes."""
    sizes = growth.known_sizes * growth.usual.size_doubt
    usual = replace(
        growth.usual,
        startups=startups,
        doubt=growth.known_startups,
        size_doubt=sizes,
        count_doubt=0.0,  # what runs at each n is known
    )
    if volume is None:
        return usual
    is_forwarded = volume[1] > 0  # by log2 n partners, whose number hardly grows
    shares = is_compared or (growth.known_share and not is_forwarded)
    grown = (volume[0] + shares * growth.shared, *volume[1:])
    return replace(usual, bytes=grown, bytes_doubt=growth.known_bytes)


def _doubted(usual: Usual, times: float) -> Usual:
    """The same with doubts of start-ups and of bytes so many times as large."""
    return replace(usual, doubt=times * usual.doubt, bytes_doubt=times * usual.bytes_doubt)


def _between(first: Powers, second: Powers) -> Powers:
    return tuple(sum(pair) / 2 for pair in zip_longest(first, second, fillvalue=0.0))


def _entries(operation: str, algorithm: str) -> Entries:
    """The algorithm of the catalogue that runs on each n; none where that is not known."""
    if operation not in COLLECTIVES:
        return {}
    if algorithm in algorithms(operation).names():
        return _of_one(algorithms(operation).get(algorithm))
    if (offered := _of_a_library(operation, algorithm)) is None:
        return {}
    names = {n: _equivalent(offered, algorithm, n) for n in (*_COUNTS, *_UNEVEN)}
    if not all(names[n] for n in _COUNTS):
        return {}
    return {n: algorithms(operation).get(name) for n, name in names.items() if name}


def _equivalent(offered: LibraryAlgorithm, setting: str, n: int) -> str | None:
    """The algorithm of the catalogue that n ranks run, where the library takes another one too."""
    if offered.serves(n):
        return offered.equivalent(n, split_setting(setting)[1])
    library, _, _ = setting.partition(OF_LIBRARY)
    other = _of_a_library(offered.operation, f"{library}{OF_LIBRARY}{offered.other_ranks}")
    return other.equivalent(n, {}) if other else None


def _of_one(entry: Algorithm | None) -> Entries:
    """One algorithm on all n that it serves."""
    if entry is None:
        return {}
    return {n: entry for n in (*_COUNTS, *_UNEVEN) if entry.restriction(n) is None}


def _of_a_library(operation: str, algorithm: str) -> LibraryAlgorithm | None:
    """What a library offers by the name of a setting, as openmpi:chain,segment=8192."""
    library, _, _ = algorithm.partition(OF_LIBRARY)
    if library not in LIBRARIES.names():
        return None
    table, name = LIBRARIES.get(library).table, own_name(algorithm)
    return next(
        (entry for entry in table if (entry.operation, entry.name) == (operation, name)), None
    )


def _a_word_of(operation: str, algorithm: str) -> Algorithm | None:
    """The algorithm of the catalogue whose name is a word of this one, as of BRUCK-LOG-MPI."""
    if operation not in COLLECTIVES:
        return None
    catalogue = algorithms(operation)
    words = [own_name(algorithm), *re.split(r"[^a-z]+", algorithm.lower())]
    return next((catalogue.get(word) for word in words if word in catalogue.names()), None)


def _may_be_cut(operation: str, algorithm: str, entries: Entries) -> bool:
    """Whether messages may go in segments; a library's do not where it is set so."""
    if not any("segment" in entry.options for entry in entries.values()):
        return False
    offered = _of_a_library(operation, algorithm)
    given = {**offered.defaults, **split_setting(algorithm)[1]} if offered else {}
    return given.get("segment") != 0


def _counted(entries: Entries, m: int, latency: float = 0.0) -> dict[int, float]:
    """Messages, or bytes where `m` is not 0, one after another on each n, with their latencies."""
    longest = {}
    for n, entry in entries.items():
        size = np.full((n, n), m) if entry.collective == "alltoallv" else m
        schedule = entry.build(n, size, with_blocks=False)
        longest[n] = _longest_chain(schedule, latency, is_of_bytes=m > 0)
    return longest


def _longest_chain(schedule: Schedule, latency: float, *, is_of_bytes: bool) -> float:
    """Return the longest chain of dependent messages: a rank sends and receives one at a time."""
    gap = schedule.bytes.astype(float) if is_of_bytes else np.ones(schedule.bytes.size)
    ends = schedule.order.ends(gap=gap[None], latency=np.full((1, gap.size), float(latency)))
    return float(ends[0])


def _powers(counted: dict[int, float]) -> Powers:
    """The powers that come nearest to what was counted on each n; none of no bytes."""
    if not all(counted.values()):
        return (0.0, 0.0)
    over, logarithms = logarithms_over(np.array([*counted], float)), np.log([*counted.values()])
    is_uneven = over[-1] > 0
    residuals = [logarithms - np.array(powers) @ over[:-1] for powers in _POWERS]
    folds = [_fold(residual, is_uneven) for residual in residuals]
    off = [
        float(np.std(residual - fold * is_uneven))
        for residual, fold in zip(residuals, folds, strict=True)
    ]
    if min(off) > _NEAR:
        return float(np.polyfit(over[0], logarithms, 1)[0]), 0.0
    place = int(np.argmin(np.round(off, 2)))
    nearest = [*map(float, _POWERS[place]), folds[place]]
    while len(nearest) > 2 and not nearest[-1]:
        nearest.pop()
    return tuple(nearest)


def _fold(residuals: Floats, is_uneven: np.ndarray) -> float:
    """Logarithm of what n that are no powers of two take more, of what powers leave (k,)."""
    if not is_uneven.any():
        return 0.0
    fold = float(residuals[is_uneven].mean() - residuals[~is_uneven].mean())
    return fold if abs(fold) > _LEAST_FOLD else 0.0
