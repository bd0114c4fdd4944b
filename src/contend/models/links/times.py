"""Times of messages between hosts as a matrix, from measured rounds.

Idea: the time of a pair is the median of all its repetitions, and the scatter of a measurement is
the median over the pairs of the spread of their repetitions, as a share (by the median absolute
deviation of logarithms). A pair that did not meet is as far as the best way over others, where a
way is as long as its longest step: hosts of one group are near each other over any third of it, and
every way between two groups has a step between two.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from contend.base.document import Floats
from contend.base.errors import InvalidInputError
from contend.samples.messages import MessageSample

NORMAL = 1.4826  # standard deviation of a normal distribution over its median absolute deviation


@dataclass(frozen=True)
class Times:
    """One-way times of messages of `m` bytes; `seconds` is symmetric, shape (hosts, hosts).

    `scatter` is the relative spread of repetitions, and `measured` says which pairs have met.
    """

    hosts: tuple[str, ...]
    m: int
    seconds: Floats
    scatter: float
    measured: NDArray[np.bool_]

    def __post_init__(self) -> None:
        size = len(self.hosts)
        if self.seconds.shape != (size, size):
            raise InvalidInputError(
                f"times of shape {self.seconds.shape} for {size} hosts", "give a square matrix"
            )
        apart = self.seconds[~np.eye(size, dtype=bool)]
        if not (np.isfinite(apart).all() and (apart > 0).all()):
            raise InvalidInputError("a time that is not positive", "measure the pair again")
        if not np.array_equal(self.seconds, self.seconds.T):
            raise InvalidInputError("times that differ by direction", "give their mean")


def times_of(samples: Iterable[MessageSample]) -> list[Times]:
    """Times of each size, ascending; flagged samples are left out where a pair has others.

    Raises
    ------
    InvalidInputError
        For samples of different hosts, none at all, or hosts that no chain of pairs connects.
    """
    samples = list(samples)
    if not samples:
        raise InvalidInputError("no measured pair", "measure: contend measure hosts --help")
    hosts = samples[0].hosts
    if other := [sample for sample in samples if sample.hosts != hosts]:
        raise InvalidInputError(
            f"samples of {len(hosts)} hosts ({hosts[0]} ...) and of {len(other[0].hosts)} "
            f"({other[0].hosts[0]} ...), or in another order",
            "name another file for other hosts",
        )
    sizes = sorted({sample.m for sample in samples})
    return [_of_size(hosts, m, [s for s in samples if s.m == m]) for m in sizes]


def _of_size(hosts: tuple[str, ...], m: int, samples: Sequence[MessageSample]) -> Times:
    all_times, good = _by_pair(samples), _by_pair([s for s in samples if not s.is_flagged])
    seconds = np.full((len(hosts), len(hosts)), np.nan)
    spreads = []
    for pair, times in all_times.items():
        repetitions = np.concatenate(good.get(pair, times))
        middle = float(np.median(repetitions))
        seconds[pair] = seconds[pair[::-1]] = middle
        spreads.append(NORMAL * float(np.median(np.abs(np.log(repetitions / middle)))))
    np.fill_diagonal(seconds, 0.0)
    measured = np.isfinite(seconds)
    return Times(hosts, m, completed(seconds), float(np.median(spreads)), measured)


def _by_pair(samples: Iterable[MessageSample]) -> dict[tuple[int, int], list[Floats]]:
    times_of: dict[tuple[int, int], list[Floats]] = {}
    for sample in samples:
        for index, (first, second) in enumerate(sample.edges):
            pair = (min(first, second), max(first, second))
            times_of.setdefault(pair, []).append(sample.times[:, index])
    return times_of


def completed(seconds: Floats) -> Floats:
    """The matrix with what is missing (NaN) filled by the way whose longest step is shortest."""
    missing = np.isnan(seconds)
    steps = np.where(missing, np.inf, seconds)
    ways = steps
    while missing.any():
        nearer = np.stack([np.maximum(row[:, None], ways).min(axis=0) for row in ways])
        nearer = np.minimum(nearer, ways)
        if np.array_equal(nearer, ways):
            break
        ways = nearer
    result = np.where(missing, ways, steps)
    if not np.isfinite(result).all():
        raise InvalidInputError(
            "hosts that no chain of measured pairs connects", "measure more rounds (--rounds)"
        )
    both: Floats = np.minimum(result, result.T)
    return both
