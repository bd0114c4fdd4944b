"""What changed between two campaigns: the same points of both, and what only one of them has."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd

from contend.base.errors import InvalidInputError
from contend.models.changes.ratios import Pair, holm_reject, ratios
from contend.samples import Sample, quality
from contend.samples.table import timed

SETUP = "setup"  # parameter of a program that was given a plan: another is another point


class Series(NamedTuple):
    """What points have in common that differ in size."""

    experiment: str
    algorithm: str
    n: int
    processes_per_node: int | None
    statistic: str
    setup: float | None

    @property
    def title(self) -> str:
        per_node = f", {self.processes_per_node} per node" if self.processes_per_node else ""
        return f"{self.experiment}/{self.algorithm} n={self.n}{per_node}"

    @property
    def group(self) -> tuple[str, int, int | None]:
        """What points that may share launches have in common."""
        return (self.experiment, self.n, self.processes_per_node)


class Point(NamedTuple):
    """A point, whatever launch it was measured in."""

    series: Series
    m: int


@dataclass(frozen=True)
class SampleChanges:
    """Rows of what both campaigns have, points that only one has, and what was left out.

    `rows` has the columns experiment, algorithm, n, processes_per_node, m (NaN: the mean over all
    sizes of the series), those of `contend.models.changes.ratios`, `changed` (significantly)
    and `is_worse` (significantly slower by more than the limit), that which matters most first.
    """

    rows: pd.DataFrame
    only_old: tuple[Point, ...]
    only_new: tuple[Point, ...]
    left_out: tuple[int, int]  # samples of each that an emulation disturbed
    conditions: tuple[str, ...]  # that differ, in words
    doubts: tuple[dict[str, int], dict[str, int]]  # points by the kind of doubt about samples


def sample_changes(
    old: Sequence[Sample],
    new: Sequence[Sample],
    limit: float = 0.0,
    *,
    include_flagged: bool = False,
) -> SampleChanges:
    """What changed from one campaign to another; `limit` is what a point may take longer.

    Samples that an overburdened emulation disturbed are left out, as everywhere, unless
    `include_flagged` is set.

    Raises InvalidInputError where they have no point in common.
    """
    kept = [quality.trusted(timed(campaign), (), include_flagged) for campaign in (old, new)]
    left_out = tuple(
        sum(sample.is_flagged for sample in quality.standing(side)) if not include_flagged else 0
        for side in (old, new)
    )
    launches = [launches_of(samples) for samples in kept]
    common = sorted(launches[0].keys() & launches[1].keys(), key=str)
    if not common:
        raise InvalidInputError(
            f"no point is in both: {_series(launches[0])} against {_series(launches[1])}",
            "measure the same experiments at the same n, sizes and processes per node",
        )
    old_launches, new_launches = launches
    pairs = {
        point: Pair(
            np.array([*old_launches[point].values()]),
            np.array([*new_launches[point].values()]),
            point.series.group,
        )
        for point in common
    }
    rows = _rows([*pairs, *_means(launches)], [*pairs.values(), *_means(launches).values()], limit)
    return SampleChanges(
        rows=rows,
        only_old=tuple(sorted(launches[0].keys() - launches[1].keys(), key=str)),
        only_new=tuple(sorted(launches[1].keys() - launches[0].keys(), key=str)),
        left_out=(left_out[0], left_out[1]),
        conditions=tuple(conditions(kept[0], kept[1])),
        doubts=(_doubts(kept[0]), _doubts(kept[1])),
    )


def launches_of(samples: Iterable[Sample]) -> dict[Point, dict[int, float]]:
    """Medians of launches by point and number of the launch, seconds."""
    medians: defaultdict[Point, dict[int, float]] = defaultdict(dict)
    for sample in samples:
        setup = (sample.parameters or {}).get(SETUP)
        series = Series(
            sample.experiment, sample.setting, sample.n, sample.processes_per_node,
            sample.statistic, None if setup is None else float(setup),
        )  # fmt: skip
        medians[Point(series, sample.m)][sample.launch] = sample.median
    return dict(medians)


def _means(launches: Sequence[dict[Point, dict[int, float]]]) -> dict[tuple[Series, None], Pair]:
    """Return geometric means of series with several common sizes, over launches that have all."""
    sizes: defaultdict[Series, list[Point]] = defaultdict(list)
    for point in launches[0].keys() & launches[1].keys():
        sizes[point.series].append(point)
    means = {}
    for series in sorted((size for size in sizes if len(sizes[size]) > 1), key=str):
        sides = [_mean(side, sizes[series]) for side in launches]
        if sides[0].size and sides[1].size:
            means[series, None] = Pair(sides[0], sides[1], series.group)
    return means


def _mean(medians: dict[Point, dict[int, float]], points: Sequence[Point]) -> np.ndarray:
    whole = set.intersection(*(set(medians[point]) for point in points))
    logarithms = [[np.log(medians[point][launch]) for point in points] for launch in sorted(whole)]
    return np.exp(np.mean(logarithms, axis=1)) if whole else np.empty(0)


def _rows(
    named: Sequence[tuple[Series, int | None]], pairs: Sequence[Pair], limit: float
) -> pd.DataFrame:
    """Rows of points and of means, whose scatter is another; all of them are one family."""
    is_mean = np.array([m is None for _, m in named])
    parts = [
        ratios([pair for pair, mean in zip(pairs, is_mean, strict=True) if mean == wanted], limit)
        for wanted in (False, True)
        if (is_mean == wanted).any()
    ]
    rows = pd.concat(parts, ignore_index=True)
    names = pd.DataFrame(
        {
            "experiment": [series.experiment for series, _ in named],
            "algorithm": [series.algorithm for series, _ in named],
            "n": [series.n for series, _ in named],
            "processes_per_node": pd.array(
                [series.processes_per_node for series, _ in named], dtype="Int64"
            ),
            "m": pd.array([m for _, m in named], dtype="Int64"),
        }
    )
    return with_verdicts(pd.concat([names, rows], axis=1))


def with_verdicts(rows: pd.DataFrame) -> pd.DataFrame:
    """Rows with `changed` and `is_worse`, that which matters most first."""
    rows = rows.assign(
        changed=holm_reject(rows["chance_of_change"]), is_worse=holm_reject(rows["chance_of_worse"])
    )
    apart = np.abs(np.log(rows["ratio"].to_numpy(np.float64)))
    rank = np.select(
        [rows["is_worse"], rows["changed"] & (rows["low"] > 1), rows["changed"]], [0, 1, 2], 3
    )
    return rows.iloc[np.lexsort([-apart, rank])].reset_index(drop=True)


def conditions(old: Sequence[Sample], new: Sequence[Sample]) -> list[str]:
    """What else differs between the campaigns, in words."""
    sides: dict[str, list[set[str]]] = {
        condition: [
            {str(value) for sample in side if (value := getattr(sample.provenance, name))}
            for side in (old, new)
        ]
        for condition, name in _CONDITIONS.items()
    }
    starts = [{str(sample.start) for sample in side} - {"unknown", "local"} for side in (old, new)]
    return differences(sides | ({"common start": starts} if all(starts) else {}))


def differences(sides: Mapping[str, Sequence[set[str]]]) -> list[str]:
    """What the old side has and the new one, of conditions in which they differ."""
    texts = {
        condition: [" and ".join(sorted(side)) or "not recorded" for side in both]
        for condition, both in sides.items()
    }
    return [f"{condition}: {old} -> {new}" for condition, (old, new) in texts.items() if old != new]


_CONDITIONS = {
    "MPI library": "mpi_library",
    "kernel": "kernel",
    "processor": "cpu",
    "congestion control": "congestion_control",
    "emulated network": "lab",
    "time dilation": "time_dilation",
}


def _doubts(samples: Sequence[Sample]) -> dict[str, int]:
    return dict(sorted(Counter(warning.kind for warning in quality.check(samples)).items()))


def _series(points: Iterable[Point]) -> str:
    titles = sorted({point.series.title for point in points})
    return ", ".join(titles[:3]) + (f" and {len(titles) - 3} more" if len(titles) > 3 else "")
