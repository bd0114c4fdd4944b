"""Machines with known structure: their all-to-alls, with noise."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from contend.base.document import Floats
from contend.models.explanation.exchange import Exchange, exchange_of
from contend.models.signature import PointToPoint
from contend.schedules.pointtopoint import hockney

ALPHA, BETA = 4e-6, 1e-9
KNOWN = PointToPoint(hockney.given(ALPHA, BETA))
COUNTS = (8, 16, 24, 32, 48, 64)
SIZES = tuple(2**power for power in range(4, 21))
Times = Callable[[Floats, Floats], Floats]


@dataclass(frozen=True)
class Machine:
    """Seconds of n and m, the numbers of both it was measured at, and the noise of a launch."""

    times: Times
    counts: tuple[int, ...] = COUNTS
    sizes: tuple[int, ...] = SIZES
    noise: float = 0.04
    launches: int = 2
    processes_per_node: int | None = 1
    known: PointToPoint = KNOWN

    def measured(self, seed: int) -> Exchange:
        """One campaign."""
        return exchange_of(self.rows(seed), self.processes_per_node, self.known)

    def rows(self, seed: int) -> pd.DataFrame:
        """Medians over launches: n, m, seconds."""
        rng = np.random.default_rng(seed)
        n, m = (axis.ravel() for axis in np.meshgrid(self.counts, self.sizes, indexing="ij"))
        shape = self.launches, n.size
        each = self.times(n.astype(float), m.astype(float)) * np.exp(
            self.noise * rng.standard_normal(shape)
        )
        return pd.DataFrame({"n": n, "m": m, "seconds": np.median(each, axis=0)})


def direct(n: Floats, m: Floats) -> Floats:
    """n-1 messages one after the other, without contention."""
    return (n - 1) * (ALPHA + BETA * m)


def bruck(n: Floats, m: Floats) -> Floats:
    """A message of half of all bytes for each bit of n-1."""
    rounds = np.ceil(np.log2(n))
    return rounds * (ALPHA + BETA * m * n / 2)


def switched(n: Floats, m: Floats) -> Floats:
    """Store-and-forward below 512 B."""
    return np.where(m < 512, bruck(n, m), direct(n, m))


def local(n: Floats, m: Floats) -> Floats:
    """24 processes per node: messages within one cost a fifth."""
    remote = np.maximum(n - 24, 0)
    return (remote + 0.2 * (np.minimum(n, 24) - 1)) * (ALPHA + BETA * m)


def saturating(n: Floats, m: Floats) -> Floats:
    """From 40 processes on a byte costs more with each."""
    return (n - 1) * (ALPHA + BETA * m * np.maximum(1.0, n / 40))


def even(n: Floats, m: Floats) -> Floats:
    """Powers of two take half as long again."""
    whole = n.astype(int)
    return direct(n, m) * np.where(whole & (whole - 1) == 0, 1.5, 1.0)


def torus(n: Floats, m: Floats) -> Floats:
    """A byte costs more by the power 0.3 of n."""
    return (n - 1) * (ALPHA + BETA * m * (n / 8) ** 0.3)


def odd(n: Floats, m: Floats) -> Floats:
    """4 KiB takes 1.6 times as long."""
    return direct(n, m) * np.where(m == 4096, 1.6, 1.0)


def cheaper(n: Floats, m: Floats) -> Floats:
    """Bytes beyond 64 KiB cost half."""
    return (n - 1) * (ALPHA + BETA * (np.minimum(m, 65536) + 0.5 * np.maximum(m - 65536, 0)))
