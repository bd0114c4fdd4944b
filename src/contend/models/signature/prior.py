"""What is usual of an operation over n and m, before anything is measured."""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from contend.base.document import Floats


@dataclass(frozen=True)
class Prior:
    """What holds for every operation, standard deviations in the logarithm of a time.

    Set by the predictions of other n on measured series of two machines (see docs/fitting.md),
    which series of the same machines and others confirm.
    """

    lasting: float = 0.6  # share of the variance of an exponent that is the same for all n
    drift: float = 0.7  # logarithm of n over which the other share is forgotten
    octaves: float = 4.0  # between sizes whose exponents differ
    power_of_two: float = 0.10  # between an n that is a power of two and one that is not
    level: float = 0.50  # a size between others, where n' has not measured it
    level_octaves: float = 6.0
    noise: float = 0.06  # of a measured point, and a size that is odd at one n alone
    launch: float = 0.04  # of a launch at another n
    spike: float = 0.5  # of a point that stands out at one n
    other_memory: float = 1.3  # between processes of one node and of several


PRIOR = Prior()
# Of n-1 and of log2 n; then, where there are so many, of n, of log2 n rounded up over itself, and
# the logarithm of what takes so many times as long where n is no power of two.
Powers: TypeAlias = tuple[float, ...]


@dataclass(frozen=True)
class Usual:
    """Growth over n before anything is measured, with standard deviations of its exponents.

    Unless given otherwise that of an all-to-all by an algorithm that is not known. Beside a `fixed`
    cost start-ups grow with n-1 and so much more, ever faster.
    """

    startups: Powers = (0.45, 0.0)
    bytes: Powers = (1.14, 0.0)
    doubt: float = 0.40  # of start-ups
    bytes_doubt: float = 0.09
    size_doubt: float = 0.20  # of each size, beside what it has of both
    count_doubt: float = 0.10  # logarithm of what one n takes beside all others
    fixed: float = 0.0  # start-ups of a call beside those that grow, in ones of a process

    def logarithms(self, n: Floats, per_node: int = 1) -> tuple[Floats, Floats]:
        """Return the logarithms of the growth of start-ups and of bytes, each of the shape of `n`.

        Bytes for other nodes grow with n - `per_node`, which makes half of what those of all grow
        beyond a whole power of n - 1.
        """
        volume, *others = self.bytes
        if per_node > 1:
            volume = (volume + round(volume)) / 2
        startups = _power_law(self.startups, n, 1 - self.fixed)
        return startups, _power_law((volume, *others), n, per_node)


def logarithms_over(n: Floats, per_node: float = 1) -> Floats:
    """What each of the `Powers` is of, in logarithms; shape (5, q)."""
    rounds = np.log2(n)
    uneven = np.log(np.ceil(rounds) / rounds)
    peers = np.log(n - float(per_node))
    return np.array([peers, np.log(rounds), np.log(n), uneven, rounds % 1 > 0])


def _power_law(powers: Powers, n: Floats, per_node: float = 1) -> Floats:
    over = logarithms_over(np.asarray(n, float), per_node)
    return np.asarray(sum(power * row for power, row in zip(powers, over, strict=False)))
