"""What is usual of an all-to-all over n and m, before anything is measured."""

from dataclasses import dataclass

import numpy as np

from contend.document import Floats


@dataclass(frozen=True)
class Prior:
    """What is usual of an all-to-all, standard deviations in the logarithm of a time.

    Told by the predictions of other n on measured series of two machines (see docs/fitting.md),
    which series of the same machines and others confirm.
    """

    lasting: float = 0.5  # share of the variance of an exponent that is the same for all n
    drift: float = 0.7  # logarithm of n over which the other share is forgotten
    bytes: float = 0.09  # exponent of bytes
    size: float = 0.18  # exponent of a size, beside what it has of both
    octaves: float = 4.0  # between sizes whose exponents differ
    power_of_two: float = 0.10  # between an n that is a power of two and one that is not
    level: float = 0.50  # a size between others, where n' has not measured it
    level_octaves: float = 6.0
    noise: float = 0.10  # of a measured point, and a size that is odd at one n alone
    launch: float = 0.06  # of a launch at another n


PRIOR = Prior()
SHARED_MORE = 0.14  # exponent; messages that cross a larger machine share more of it


@dataclass(frozen=True)
class Usual:
    """Growth over n before anything is measured: powers of n-1 and of log2 n.

    Unless told otherwise that of an algorithm that is not known.
    """

    startups: tuple[float, float] = (0.36, 0.0)
    bytes: tuple[float, float] = (1 + SHARED_MORE, 0.0)
    doubt: float = 0.40  # standard deviation of the exponent of start-ups

    def logarithms(self, n: Floats) -> tuple[Floats, Floats]:
        """Logarithm of the growth of start-ups and of bytes, each of the shape of `n`."""
        over = np.log(n - 1.0), np.log(np.log2(n))
        found = [power[0] * over[0] + power[1] * over[1] for power in (self.startups, self.bytes)]
        return found[0], found[1]
