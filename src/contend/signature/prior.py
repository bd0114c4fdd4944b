"""What is usual of an operation over n and m, before anything is measured."""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from contend.document import Floats


@dataclass(frozen=True)
class Prior:
    """What holds for every operation, standard deviations in the logarithm of a time.

    Told by the predictions of other n on measured series of two machines (see docs/fitting.md),
    which series of the same machines and others confirm.
    """

    lasting: float = 0.5  # share of the variance of an exponent that is the same for all n
    drift: float = 0.7  # logarithm of n over which the other share is forgotten
    octaves: float = 4.0  # between sizes whose exponents differ
    power_of_two: float = 0.10  # between an n that is a power of two and one that is not
    level: float = 0.50  # a size between others, where n' has not measured it
    level_octaves: float = 6.0
    noise: float = 0.10  # of a measured point, and a size that is odd at one n alone
    launch: float = 0.06  # of a launch at another n


PRIOR = Prior()
# Of n-1 and of log2 n; then, where there are so many, of n, of log2 n rounded up over itself, and
# the logarithm of what takes so many times as long where n is no power of two.
Powers: TypeAlias = tuple[float, ...]


@dataclass(frozen=True)
class Usual:
    """Growth over n before anything is measured, with standard deviations of its exponents.

    Unless told otherwise that of an all-to-all by an algorithm that is not known.
    """

    startups: Powers = (0.36, 0.0)
    bytes: Powers = (1.14, 0.0)
    doubt: float = 0.40  # of start-ups
    bytes_doubt: float = 0.09
    size_doubt: float = 0.18  # of each size, beside what it has of both

    def logarithms(self, n: Floats) -> tuple[Floats, Floats]:
        """Logarithm of the growth of start-ups and of bytes, each of the shape of `n`."""
        return _power_law(self.startups, n), _power_law(self.bytes, n)


def logarithms_over(n: Floats) -> Floats:
    """What each of the `Powers` is of, in logarithms; shape (5, q)."""
    rounds = np.log2(n)
    uneven = np.log(np.ceil(rounds) / rounds)
    return np.array([np.log(n - 1.0), np.log(rounds), np.log(n), uneven, rounds % 1 > 0])


def _power_law(powers: Powers, n: Floats) -> Floats:
    over = logarithms_over(np.asarray(n, float))
    return np.asarray(sum(power * one for power, one in zip(powers, over, strict=False)))
