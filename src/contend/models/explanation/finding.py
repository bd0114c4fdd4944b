"""What a finding is, and the kinds of them, one file each: what was found, why, and what to try."""

from abc import ABC
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from contend.base.document import Quantity
from contend.base.registry import Registry
from contend.base.statistics.launches import t_factor
from contend.models.explanation.exchange import Exchange
from contend.models.explanation.partition import Partition, divided_at, over_totals, partition
from contend.models.explanation.regime import Regime, change, regimes_of

if TYPE_CHECKING:
    from contend.models.explanation.case import Case

LEAST = 1.25  # times longer, from which on a finding is a cause


@dataclass(frozen=True)
class Try:
    """A command, and what it would tell or change."""

    command: str
    why: str


@dataclass(frozen=True)
class Finding:
    """What was found, where, by what evidence, and the same in words.

    `sizes` are the first and last measured size it holds for, `counts` the numbers of processes
    that tell it. `error` is the standard deviation of log time about the times as found,
    `error_without` that about the same without it; both None where it is no choice between two.
    Of a cause, `factor` is how many times longer times are than without it, at worst (None where
    that is not known), and `tries` are its remedies.
    """

    kind: str
    sizes: tuple[int, int]
    counts: tuple[int, ...]
    sentence: str
    values: Mapping[str, Quantity] = field(default_factory=dict)
    error: float | None = None
    error_without: float | None = None
    factor: float | None = None
    tries: tuple[Try, ...] = ()

    @property
    def times_better(self) -> float | None:
        """How many times closer to the measured times are with it than without."""
        if self.error is None or self.error_without is None:
            return None
        return self.error_without / max(self.error, 1e-9)

    def overlaps(self, sizes: tuple[int, int]) -> bool:
        """Whether it holds at some of these sizes."""
        return self.sizes[0] <= sizes[1] and sizes[0] <= self.sizes[1]


@dataclass(frozen=True)
class Analysis:
    """An exchange with its regimes, from which each kind tells what it finds."""

    exchange: Exchange

    @cached_property
    def partition(self) -> Partition:
        """Regimes and odd sizes by place; of changes those that a reader would see."""
        divided = partition(self.exchange)
        while unseen := [
            after.start
            for before, after in pairwise(regimes_of(self.exchange, divided))
            if not change(before, after).is_seen
        ]:
            starts = tuple(start for start in divided.starts if start != unseen[0])
            divided = divided_at(self.exchange, starts, divided.odd)
        return divided

    @cached_property
    def totals(self) -> tuple[Partition, tuple[int, ...]] | None:
        """The partition over n m and the totals it changes at, where that is what decides."""
        return over_totals(self.exchange, self.partition)

    @cached_property
    def regimes(self) -> tuple[Regime, ...]:
        return regimes_of(self.exchange, self.partition)

    @property
    def counts(self) -> tuple[int, ...]:
        return tuple(int(n) for n in self.exchange.counts)

    @property
    def sizes(self) -> tuple[int, int]:
        return int(self.exchange.sizes[0]), int(self.exchange.sizes[-1])

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """Findings of all kinds, in the order of these."""
        if not self.exchange.is_measured.any():
            return ()
        return tuple(finding for kind in kinds() for finding in kind.findings(self))

    def factor(self, logarithm: float, deviation: float) -> Quantity:
        """A factor with its 95 % interval, from its logarithm."""
        wide = min(self.t_factor * deviation, 20.0)
        value, low, high = np.exp([logarithm, logarithm - wide, logarithm + wide])
        return Quantity(value=float(value), unit="1", low=float(low), high=float(high))

    @cached_property
    def t_factor(self) -> float:
        """Standard deviations on either side that hold 95 %."""
        return t_factor(max(self.partition.degrees, 1))


class Kind(ABC):
    """Base of the kinds; a module in `explanation/kinds` that defines a subclass is one.

    `slow` maps the names of its findings that make times longer to the value that says by how
    much: these are causes, which `contend explain` names with what to try.
    """

    name: ClassVar[str]
    order: ClassVar[int]
    slow: ClassVar[Mapping[str, str]] = {}

    def findings(self, seen: Analysis) -> Iterator[Finding]:
        """What the times over n and m show of it: nothing where they do not say so."""
        yield from ()

    def causes(self, case: "Case", before: Sequence[Finding]) -> Iterator[Finding]:
        """What makes the times of a case longer; `before` is what others have found."""
        for finding in case.analysis.findings if case.analysis else ():
            if finding.kind not in self.slow:
                continue
            factor = self.factor(case, finding)
            is_explained = covers(before, finding.sizes, "time-outs", "poor algorithm")
            if factor is None or factor < LEAST or is_explained:
                continue
            sentence = finding.sentence
            if not case.is_exchange:
                sentence = sentence.replace("an exchange takes", "it takes")
            tries = tuple(self.tries(case, finding))
            yield replace(finding, sentence=sentence, factor=factor, tries=tries)

    def factor(self, case: "Case", finding: Finding) -> float | None:
        """How many times longer a finding makes the case; None where it does not hold for it."""
        value = finding.values.get(self.slow[finding.kind])
        return float(value) if value is not None and case.n in finding.counts else None

    def tries(self, case: "Case", finding: Finding) -> Iterator[Try]:
        yield from ()


KINDS: Registry[Kind] = Registry(
    "kind of finding", Kind, "contend.models.explanation.kinds", group="contend.explanation.kinds"
)


def kinds() -> list[Kind]:
    return sorted(KINDS.all(), key=lambda kind: (kind.order, kind.name))


def suspected(case: "Case") -> list[Finding]:
    """Causes that the times of a case speak for, in the order of the kinds."""
    causes: list[Finding] = []
    for kind in kinds():
        causes += list(kind.causes(case, tuple(causes)))
    return causes


def covers(before: Sequence[Finding], sizes: tuple[int, int], *names: str) -> bool:
    """Whether one of the causes named was suspected at some of the sizes."""
    return any(cause.kind in names and cause.overlaps(sizes) for cause in before)
