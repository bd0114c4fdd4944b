"""Samples apart in repetitions with and without a time-out, before anything is fitted to them.

The cost of a time-out belongs to the network: all algorithms and placements tell it together.
Restrictions: times of single repetitions tell it, not their means. Processes that wait for a core
are stopped for about as long again and again, which is known of them and no time-out.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from contend.base.document import Quantity
from contend.models.timeouts.classify import Labelled, Point, classify, clean
from contend.models.timeouts.cost import Cost, Repeated, cost_of_timeout
from contend.models.timeouts.record import TimeoutPoints, Timeouts
from contend.samples import Sample, table

Series: TypeAlias = tuple[str, int | None]  # algorithm, and processes per node (None: one node)


@dataclass(frozen=True)
class Separated:
    """Samples without their time-outs, and the labels of these in each series that has some.

    Without evidence of time-outs `cost` is None, and the samples are those given.
    """

    samples: list[Sample]
    cost: Cost | None = None
    labelled: Mapping[Series, list[Labelled]] = field(default_factory=dict)

    def of(
        self, series: Series, n_fitted: Sequence[int], m_fitted: Sequence[int]
    ) -> Timeouts | None:
        """What the network file holds of a series; None where no repetition waited."""
        labelled = self.labelled.get(series)
        if self.cost is None or labelled is None:
            return None
        seconds, low, high = self.cost.seconds, self.cost.low, self.cost.high
        return Timeouts(
            cost=Quantity(value=seconds, unit="s", low=low, high=high),
            n_fitted=tuple(sorted(n_fitted)),
            m_fitted=tuple(sorted(m_fitted)),
            points=counted(labelled),
        )

    @property
    def late(self) -> frozenset[object]:
        """Points of the samples of which a repetition waited."""
        return frozenset(
            label.sample.point for some in self.labelled.values() for label in some if label.late
        )

    @property
    def lost(self) -> dict[str, set[Point]]:
        """Points (n, m) of algorithms whose repetitions all waited, with nothing clear left."""
        kept = {sample.point for sample in self.samples}
        points_of: defaultdict[str, set[Point]] = defaultdict(set)
        for (algorithm, _), labelled in self.labelled.items():
            remaining = {
                (label.sample.n, label.sample.m) for label in labelled if label.sample.point in kept
            }
            points_of[algorithm] |= {
                (label.sample.n, label.sample.m) for label in labelled
            } - remaining
        return dict(points_of)


def separate(
    samples: Sequence[Sample],
    operation: str,
    cost: Cost | None = None,
    known_times: Mapping[Series, Mapping[Point, float]] | None = None,
) -> Separated:
    """Samples of an operation apart in those with and without a time-out; others stay as they are.

    Where `cost` is known from a fit no evidence is asked for, and series without a time-out are
    classified as well; `known_times` are clean times, seconds, of points (n, m) of the fit.
    """
    is_known = cost is not None
    chosen = [
        sample
        for sample in samples
        if sample.experiment == operation and sample.m > 0 and sample.median > 0
    ]
    chosen = [sample for sample in chosen if sample.statistic == "repetition"]
    alone = (
        sample for sample in chosen if sample.is_emulated or not sample.provenance.is_oversubscribed
    )
    cost = cost or cost_of_timeout(_repeated(alone))
    if cost is None:
        return Separated(list(samples))
    labelled = {
        series: classify(part, cost, (known_times or {}).get(series))
        for series, part in _series(chosen).items()
    }
    labelled = {
        series: some
        for series, some in labelled.items()
        if is_known or any(label.late for label in some)
    }
    seen = {label.sample.point for some in labelled.values() for label in some}
    others = [sample for sample in samples if sample.point not in seen]
    return Separated(
        [*others, *(label for some in labelled.values() for label in clean(some, cost))],
        cost,
        labelled,
    )


def counted(labelled: Sequence[Labelled]) -> TimeoutPoints:
    return TimeoutPoints(
        n=tuple(label.sample.n for label in labelled),
        m=tuple(label.sample.m for label in labelled),
        launch=tuple(label.sample.launch for label in labelled),
        repetitions=tuple(label.waits.size for label in labelled),
        late=tuple(label.late for label in labelled),
        waits=tuple(int(label.waits.sum()) for label in labelled),
    )


def known_cost(timeouts: Timeouts) -> Cost:
    """The cost as a fit has found it."""
    seconds, low, high = float(timeouts.cost), timeouts.cost.low, timeouts.cost.high
    return Cost(
        seconds,
        low if isinstance(low, float) else seconds,
        high if isinstance(high, float) else seconds,
    )


def _repeated(samples: Iterator[Sample]) -> list[Repeated]:
    """All repetitions of each point of each algorithm and placement."""
    grouped: defaultdict[tuple[object, ...], list[float]] = defaultdict(list)
    for sample in samples:
        grouped[sample.algorithm, sample.processes_per_node, sample.n, sample.m].extend(
            sample.times_s
        )
    return [Repeated(int(key[2]), int(key[3]), np.array(times)) for key, times in grouped.items()]  # type: ignore[call-overload]


def _series(samples: Sequence[Sample]) -> dict[Series, list[Sample]]:
    """Samples by algorithm and placement, as their medians are distinguished."""
    by_series = {}
    for algorithm in sorted({sample.algorithm for sample in samples}):
        of_algorithm = [sample for sample in samples if sample.algorithm == algorithm]
        for placed, rows in table.by_placement(table.exchanges(of_algorithm)):
            points = set(zip(rows["n"], rows["processes_per_node"], strict=True))
            by_series[algorithm, placed] = [
                sample
                for sample in of_algorithm
                if (sample.n, sample.processes_per_node or 0) in points
            ]
    return by_series
