"""What a finding is, and the kinds of them, one file each."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import ClassVar

import numpy as np

from contend.document import Quantity
from contend.registry import Registry
from contend.statistics.launches import t_factor
from contend.structure.change import change
from contend.structure.exchange import Exchange
from contend.structure.partition import Partition, partition, without
from contend.structure.regime import Regime, regimes_of


@dataclass(frozen=True)
class Finding:
    """What was found, where, by what evidence, and the same in words.

    `sizes` are the first and last measured size it holds for, `counts` the numbers of processes
    that tell it. `error` is the standard deviation of log time about the times as found,
    `error_without` that about the same without it; both None where it is no choice between two.
    """

    kind: str
    sizes: tuple[int, int]
    counts: tuple[int, ...]
    sentence: str
    values: Mapping[str, Quantity] = field(default_factory=dict)
    error: float | None = None
    error_without: float | None = None

    @property
    def times_better(self) -> float | None:
        """How many times closer to the measured times are with it than without."""
        if self.error is None or self.error_without is None:
            return None
        return self.error_without / max(self.error, 1e-9)


@dataclass(frozen=True)
class Analysis:
    """An exchange with its regimes, from which each kind tells what it finds."""

    exchange: Exchange

    @cached_property
    def partition(self) -> Partition:
        """Regimes and odd sizes by place; of changes those that a reader would see."""
        found = partition(self.exchange)
        while unseen := [
            right.start
            for left, right in pairwise(regimes_of(self.exchange, found))
            if not change(left, right).is_seen
        ]:
            found = without(self.exchange, found, unseen[0])
        return found

    @cached_property
    def regimes(self) -> tuple[Regime, ...]:
        """From the smallest size on."""
        return regimes_of(self.exchange, self.partition)

    @property
    def counts(self) -> tuple[int, ...]:
        """All n measured."""
        return tuple(int(n) for n in self.exchange.counts)

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """Of all kinds, in the order of these."""
        if not self.exchange.is_measured.any():
            return ()
        ordered = sorted(KINDS.all(), key=lambda kind: (kind.order, kind.name))
        return tuple(found for kind in ordered for found in kind.findings(self))

    @cached_property
    def t_factor(self) -> float:
        """Standard deviations on either side that hold 95 %."""
        return t_factor(max(self.partition.degrees, 1))

    def factor(self, logarithm: float, deviation: float) -> Quantity:
        """A factor with its 95 % interval, from its logarithm."""
        apart = min(self.t_factor * deviation, 20.0)
        value, low, high = np.exp([logarithm, logarithm - apart, logarithm + apart])
        return Quantity(value=float(value), unit="1", low=float(low), high=float(high))


class Kind(ABC):
    """Base of the kinds; a module in `structure/kinds` that defines a subclass is one."""

    name: ClassVar[str]
    order: ClassVar[int]

    @abstractmethod
    def findings(self, seen: Analysis) -> Iterator[Finding]:
        """What it finds: nothing where the times do not say so."""


KINDS: Registry[Kind] = Registry("kind of finding", Kind, "contend.structure.kinds")
