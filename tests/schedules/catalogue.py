"""Every algorithm, for tests that hold for all of them."""

import itertools
from collections.abc import Iterator, Sequence

import numpy as np
import pytest

from contend.schedules import COLLECTIVES, Algorithm, choosable
from contend.schedules.groups import halves

# Those that look at groups, on ranks of which the first half is one group.
ALL = [one for collective in COLLECTIVES for one in choosable(collective, halves)]
every_algorithm = pytest.mark.parametrize(
    "algorithm", ALL, ids=lambda one: f"{one.collective}-{one.name}"
)
VALUES = {"segment": (5, 8), "degree": (2, 3), "window": (1, 3), "leaders": (1, 3)}
M = 24  # bytes: three segments of 8, or four of 5 and a rest


def variants(algorithm: Algorithm) -> Iterator[dict[str, int]]:
    """Its options with every combination of some values."""
    names = algorithm.options
    for values in itertools.product(*(VALUES[name] for name in names)):
        yield dict(zip(names, values, strict=True))


def served(algorithm: Algorithm, counts: Sequence[int]) -> list[int]:
    return [n for n in counts if algorithm.restriction(n) is None]


def size(algorithm: Algorithm, n: int, m: int = M, seed: int = 0) -> int | np.ndarray:
    """What `m` is for the algorithm: one size, or one for each pair of ranks."""
    if algorithm.collective != "alltoallv":
        return m
    return np.random.default_rng(seed).integers(0, 2 * m + 1, (n, n))
