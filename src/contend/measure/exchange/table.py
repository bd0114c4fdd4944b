"""What came of it: a row for each size with every algorithm, the bound, and the ratios that count.

A cell pools the repetitions of all launches of an algorithm and size. Losses make two modes, so it
has the median and the 90th percentile. Ratios are of medians.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from contend.base.units import format_seconds
from contend.measure.exchange.contenders import AUTO, is_preloaded
from contend.samples import Sample, quality
from contend.samples.setting import NATIVE

HIGH = 0.9  # of the repetitions: the slower mode, where a tenth of them or more are of it
LATE = "*"  # behind a median in which the emulated network was late
CUT = "†"  # behind one of fewer repetitions than were asked for
# How many times faster the automatic choice is than the library's, and than the best of the
# library's algorithms; how far both choices are from what no algorithm beats.
RATIOS = ("default_over_auto", "native_over_auto", "auto_over_bound", "default_over_bound")


@dataclass(frozen=True)
class Cell:
    """One algorithm at one size, seconds.

    `is_flagged`: the emulated network was late. `is_cut`: the time for a size ended a launch before
    all its repetitions were made.
    """

    median: float
    high: float
    repetitions: int
    timeouts: int = 0
    is_flagged: bool = False
    is_cut: bool = False

    @property
    def marks(self) -> str:
        return LATE * self.is_flagged + CUT * self.is_cut

    @property
    def marked(self) -> str:
        """The median for people, with the marks of its doubts."""
        return format_seconds(self.median) + self.marks


@dataclass(frozen=True)
class Row:
    """One size: a cell for each algorithm that was measured, and the bound where it is known."""

    m: int
    cells: dict[str, Cell] = field(default_factory=dict)
    bound: float | None = None

    @property
    def best_native(self) -> str | None:
        """The fastest of the library's own algorithms, its own choice included, with hindsight."""
        names = [name for name in self.cells if not is_preloaded(name)]
        return min(names, key=lambda name: self.cells[name].median, default=None)

    @property
    def best(self) -> str | None:
        """The fastest of all that were forced."""
        forced = [name for name in self.cells if name != AUTO]
        return min(forced, key=lambda name: self.cells[name].median, default=None)

    @property
    def ratios(self) -> dict[str, float | None]:
        medians = {name: cell.median for name, cell in self.cells.items()}
        seconds = {
            "default": medians.get(NATIVE), "native": medians.get(self.best_native or ""),
            "auto": medians.get(AUTO), "bound": self.bound,
        }  # fmt: skip
        pairs = {name: name.split("_over_") for name in RATIOS}
        return {
            name: _ratio(seconds[above], seconds[below]) for name, (above, below) in pairs.items()
        }

    def record(self) -> dict[str, Any]:
        return {
            "m": self.m,
            "algorithms": {name: asdict(cell) for name, cell in self.cells.items()},
            "bound": self.bound,
            "best": self.best,
            "best_native": self.best_native,
            **self.ratios,
        }


def rows(samples: Sequence[Sample], n: int, bound: Callable[[int], float | None]) -> list[Row]:
    """A row for each size of the exchanges among `n` processes; `bound` says that of a size."""
    pooled: defaultdict[int, defaultdict[str, list[Sample]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for sample in quality.standing(samples):
        if (sample.experiment, sample.n) == ("alltoall", n):
            pooled[sample.m][sample.algorithm].append(sample)
    return [
        Row(m, {name: _cell(pool) for name, pool in pooled[m].items()}, bound(m))
        for m in sorted(pooled)
    ]


def _cell(samples: Sequence[Sample]) -> Cell:
    times = np.concatenate([sample.times_s for sample in samples])
    return Cell(
        float(np.median(times)),
        float(np.quantile(times, HIGH)),
        times.size,
        sum(sample.lab.timeouts for sample in samples if sample.lab),
        any(sample.is_flagged for sample in samples),
        any(sample.stopped == "max_seconds" for sample in samples),
    )


def means(comparison: Iterable[Row]) -> dict[str, float | None]:
    """Geometric mean of each ratio over the rows that have it.

    >>> slow, fast = Cell(4.0, 4.0, 1), Cell(1.0, 1.0, 1)
    >>> both = [Row(1, {"native": slow, "auto": fast}), Row(2, {"native": fast, "auto": fast})]
    >>> means(both)["native_over_auto"]
    2.0
    """
    kept = list(comparison)
    return {name: _geometric([row.ratios[name] for row in kept]) for name in RATIOS}


def _geometric(values: Sequence[float | None]) -> float | None:
    positive = [value for value in values if value is not None and value > 0]
    return float(np.exp(np.mean(np.log(positive)))) if positive else None


def algorithms(comparison: Iterable[Row]) -> list[str]:
    """All algorithms of some rows: the library's, the portfolio by name, the choice last."""
    names = {name for row in comparison for name in row.cells}
    return sorted(names, key=lambda name: (name == AUTO, is_preloaded(name), name != NATIVE, name))


def _ratio(above: float | None, below: float | None) -> float | None:
    return above / below if above is not None and below else None
