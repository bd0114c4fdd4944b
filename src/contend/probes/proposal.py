"""What is proposed: points in the order in which they narrow the intervals, with their cost."""

import math
from dataclasses import dataclass

import numpy as np
import pandas as pd

from contend.document import Floats
from contend.probes.cost import Cost
from contend.probes.greedy import Narrowed, is_narrow, middle
from contend.probes.places import Places

COLUMNS = ("n", "m", "seconds", "repetitions", "cost", "spent", "before", "after")
OF_THE_PAPERS = 100  # repetitions of every point: Steffenel, Martinasso, Trystram 2007, section 5
WORTH = 0.1  # of the width: what a few points have to take off to be worth a measurement


@dataclass(frozen=True)
class Step:
    """A point to measure: what it takes, and how wide the intervals of the targets are then."""

    n: int
    m: int
    seconds: float  # of one repetition, as predicted
    cost: float  # seconds that it adds, its launch included
    widths: Floats  # log high/low of each target, (t,); nan before enough is known


@dataclass(frozen=True)
class Proposal:
    """Points to measure next for predictions of an operation at some targets."""

    operation: str
    algorithm: str
    processes_per_node: int | None
    targets: Places
    start: Floats  # log high/low of each target before, (t,); nan where nothing is known
    steps: tuple[Step, ...]
    cost: Cost
    least: float  # log high/low that is left however much is measured
    what: Narrowed = "mean"
    n_fit: int | None = None  # n' of the fit that it goes out from
    measured: tuple[int, ...] = ()  # numbers of processes that points are known of
    until: float = 1.0  # the high/low that was asked for
    budget: float = math.inf  # seconds that there are
    lab: str | None = None  # the emulated network that the samples are of
    whole_grid: float = 0.0  # seconds of `OF_THE_PAPERS` repetitions of every target
    best: tuple[Step, ...] = ()  # the single point that tells most, however little that is
    usual: tuple[Step, ...] = ()  # a few points, whatever limits were given
    at_targets: tuple[Step, ...] = ()  # one point at an n of the targets that none was measured at
    at_measured: tuple[Step, ...] = ()  # the best points at n that were measured

    @property
    def is_first(self) -> bool:
        """Whether nothing is measured yet."""
        return bool(np.isnan(self.start).any())

    @property
    def before(self) -> float:
        """High/low of the targets now: the median one, or the largest."""
        return float(middle(self.start, self.what))

    @property
    def after(self) -> float:
        """The same once all points are measured."""
        return self.end(self.steps)

    def end(self, steps: tuple[Step, ...]) -> float:
        """The same once some points are measured."""
        return float(middle(steps[-1].widths if steps else self.start, self.what))

    @property
    def seconds(self) -> float:
        """Of the clock on the wall, for all points."""
        return sum(step.cost for step in self.steps)

    @property
    def is_narrow(self) -> bool:
        """Whether the intervals come to the high/low that was asked for."""
        widths = self.steps[-1].widths if self.steps else self.start
        return bool(is_narrow(widths, self.until, self.what))

    @property
    def is_worth_it(self) -> bool:
        """Whether there is a point, and a few narrow the intervals by enough to be measured."""
        if self.is_first or not self.steps:
            return self.is_first
        return self.is_narrow or self.can_be_narrowed

    @property
    def can_be_narrowed(self) -> bool:
        """Whether the points, or a few that may cost more, take enough off the width."""
        least = min(self.end(self.usual), self.after)
        return bool(np.log(least) <= (1 - WORTH) * np.log(self.before))

    @property
    def counts(self) -> dict[int, list[int]]:
        """Sizes to measure at each n, both in order."""
        numbers = sorted({step.n for step in self.steps})
        return {n: sorted(step.m for step in self.steps if step.n == n) for n in numbers}

    def table(self) -> pd.DataFrame:
        """A row per point, columns `COLUMNS`; `before` and `after` are high/low of the targets."""
        rows, before, spent = [], self.before, 0.0
        for step in self.steps:
            spent, after = spent + step.cost, float(middle(step.widths, self.what))
            rows.append(
                (step.n, step.m, step.seconds, self.cost.repetitions, step.cost, spent, before,
                 after)
            )  # fmt: skip
            before = after
        return pd.DataFrame(rows, columns=list(COLUMNS))
