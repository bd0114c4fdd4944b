"""What is proposed: points in the order in which they narrow the intervals, with their cost."""

import math
from dataclasses import dataclass

import numpy as np
import pandas as pd

from contend.base.document import Floats
from contend.measure.probes.cost import Cost
from contend.measure.probes.greedy import Narrowed, is_narrow, middle
from contend.measure.probes.places import Places

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
    criterion: Narrowed = "mean"
    n_fit: int | None = None  # n' of the fit that it goes out from
    until: float = 1.0  # the high/low that was asked for
    budget: float = math.inf  # seconds that there are
    lab: str | None = None  # the emulated network that the samples are of
    whole_grid: float = 0.0  # seconds of `OF_THE_PAPERS` repetitions of every target
    is_open: bool = True  # whether there is a point that is not measured
    is_asked: bool = True  # whether limits were given, so that a small gain may be wanted

    @property
    def is_first(self) -> bool:
        return bool(np.isnan(self.start).any())

    @property
    def before(self) -> float:
        """High/low of the targets now: the median one, or the largest."""
        return float(middle(self.start, self.criterion))

    @property
    def after(self) -> float:
        return float(middle(self.steps[-1].widths if self.steps else self.start, self.criterion))

    @property
    def seconds(self) -> float:
        return sum(step.cost for step in self.steps)

    @property
    def is_narrow(self) -> bool:
        """Whether the intervals come to the high/low that was asked for."""
        widths = self.steps[-1].widths if self.steps else self.start
        return bool(is_narrow(widths, self.until, self.criterion))

    @property
    def is_worth_it(self) -> bool:
        """Whether there are points that take enough off the width, or that were asked for."""
        if self.is_first or self.is_asked or not self.steps:
            return bool(self.steps)
        return bool(np.log(self.after) <= (1 - WORTH) * np.log(self.before))

    @property
    def counts(self) -> dict[int, list[int]]:
        numbers = sorted({step.n for step in self.steps})
        return {n: sorted(step.m for step in self.steps if step.n == n) for n in numbers}

    def table(self) -> pd.DataFrame:
        """A row per point, columns `COLUMNS`; `before` and `after` are high/low of the targets."""
        rows, before, spent = [], self.before, 0.0
        for step in self.steps:
            spent, after = spent + step.cost, float(middle(step.widths, self.criterion))
            rows.append(
                (step.n, step.m, step.seconds, self.cost.repetitions, step.cost, spent, before,
                 after)
            )  # fmt: skip
            before = after
        return pd.DataFrame(rows, columns=list(COLUMNS))
