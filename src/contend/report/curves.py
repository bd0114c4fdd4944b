"""What the charts of the page and the figures for papers both draw, as tables and ticks."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from contend.document import Floats
from contend.network import Network, Operation
from contend.prediction.predict import predict
from contend.prediction.validate import compare_points, known_points, measured
from contend.prediction.verdict import verdict
from contend.samples import Sample
from contend.units import format_bytes, format_seconds

POINTS_OF_A_LINE = 60  # a smooth line over the widest chart
GREATEST_COLOUR = 1.0  # an error of 100 %; what is beyond has the same colour and is said to
FARTHEST_INTERVAL = 4.0  # a wide interval must not press the curves together
LEAST_COLOUR = 0.1  # errors of a few per cent must not look like large ones
_OF_THE_FORM = ("predicted", "error", "is_unseen")


@dataclass(frozen=True)
class Curve:
    """One number of processes: rows of `points`, and rows of `predict` along a line."""

    n: int
    measured: pd.DataFrame
    predicted: pd.DataFrame


@dataclass(frozen=True)
class ErrorGrid:
    """Relative errors (n, m) of the form that predicts, NaN where nothing was measured."""

    counts: list[int]
    sizes: list[int]
    errors: Floats
    is_fitted: np.ndarray

    @property
    def limit(self) -> float:
        """The error that has the strongest colour."""
        return float(np.clip(np.nanmax(np.abs(self.errors)), LEAST_COLOUR, GREATEST_COLOUR))

    @property
    def is_beyond(self) -> bool:
        """Whether some error has a weaker colour than its size asks for."""
        return bool(np.nanmax(np.abs(self.errors)) > self.limit)

    def fitted_runs(self) -> list[tuple[int, int, int]]:
        """Row, first and last column of every run of cells that the fit used."""
        runs = []
        for number, flags in enumerate(self.is_fitted):
            edges = np.flatnonzero(np.diff(np.concatenate([[False], flags, [False]]).astype(int)))
            runs += [(number, int(a), int(b) - 1) for a, b in edges.reshape(-1, 2)]
        return runs


def points(network: Network, operation: Operation, samples: Sequence[Sample]) -> pd.DataFrame:
    """Table of medians with what the form that predicts says: predicted, error, is_unseen.

    Without samples of the points that the operation was validated on.
    """
    known = None if samples else known_points(operation)
    rows = measured(operation, samples) if known is None else known.assign(low=np.nan, high=np.nan)
    return _held_against(network, operation, rows)


def _held_against(network: Network, operation: Operation, rows: pd.DataFrame) -> pd.DataFrame:
    compared = compare_points(network, operation, rows)
    own = compared[compared["form"] == verdict(operation).form]
    return rows.assign(**{name: own[name].to_numpy() for name in _OF_THE_FORM})


def curves(network: Network, operation: Operation, rows: pd.DataFrame) -> list[Curve]:
    """One curve per number of processes, all lines over the same sizes."""
    sizes = _line_sizes(operation, rows["m"].to_numpy())
    return [
        Curve(n, rows[rows["n"] == n], predict(network, operation, n, sizes))
        for n in sorted({int(count) for count in rows["n"]})
    ]


def _line_sizes(operation: Operation, sizes: np.ndarray) -> Floats:
    """Sizes along a line, with both sides of the jump at M."""
    positive = sizes[sizes > 0]
    if not positive.size:
        return np.array([1.0])
    line = np.geomspace(positive.min(), positive.max(), POINTS_OF_A_LINE)
    jump = operation.forms[verdict(operation).form].parameters.get("M")
    if jump is not None and positive.min() < float(jump) <= positive.max():
        line = np.append(line, [float(jump) * (1 - 1e-9), float(jump)])
    return np.unique(line)


def error_grid(network: Network, operation: Operation) -> ErrorGrid | None:
    """Errors by n and m of the points that validation kept; None where the file has none."""
    known = known_points(operation)
    if known is None:
        return None
    by_cell = _held_against(network, operation, known).drop_duplicates(["n", "m"])
    by_cell = by_cell.set_index(["n", "m"])
    errors = by_cell["error"].unstack("m")
    unseen = by_cell["is_unseen"].astype(float).unstack("m")
    return ErrorGrid(
        [int(n) for n in errors.index],
        [int(m) for m in errors.columns],
        errors.to_numpy(dtype=np.float64),
        unseen.to_numpy() == 0.0,
    )


def time_range(drawn: Iterable[Curve]) -> tuple[float, float]:
    """Shortest and longest time of all curves, with a margin.

    An interval that reaches far beyond everything else runs out of the chart.
    """
    together = list(drawn)
    low, high = _ends(
        [curve.measured[["seconds", "low", "high"]] for curve in together]
        + [curve.predicted[["seconds", "lower_bound"]] for curve in together]
    )
    lowest, highest = _ends([curve.predicted[["low", "high"]] for curve in together])
    return (
        max(min(low, lowest), low / FARTHEST_INTERVAL) / 1.3,
        min(max(high, highest), high * FARTHEST_INTERVAL) * 1.3,
    )


def _ends(tables: list[pd.DataFrame]) -> tuple[float, float]:
    values = np.concatenate([part.to_numpy(dtype=np.float64).ravel() for part in tables])
    positive = values[np.isfinite(values) & (values > 0)]
    return float(positive.min()), float(positive.max())


def size_ticks(low: float, high: float, most: int = 6) -> tuple[list[float], list[str]]:
    """Powers of two between two sizes, at even distances, and their names.

    >>> size_ticks(1, 4096, most=4)
    ([1.0, 16.0, 256.0, 4096.0], ['1 B', '16 B', '256 B', '4 KiB'])
    """
    first, last = int(np.ceil(np.log2(low))), int(np.floor(np.log2(high)))
    step = max(1, int(np.ceil((last - first + 1) / most)))
    values = [2.0**power for power in range(first, last + 1, step)] or [float(low)]
    return values, [format_bytes(value) for value in values]


def count_ticks(low: int, high: int) -> list[int]:
    """Powers of two between two numbers of processes, or both where there is none.

    >>> count_ticks(3, 17), count_ticks(5, 7)
    ([4, 8, 16], [5, 7])
    """
    powers = [1 << power for power in range(low.bit_length() - 1, high.bit_length())]
    return [power for power in powers if low <= power <= high] or [low, high]


def time_ticks(low: float, high: float) -> tuple[list[float], list[str]]:
    """Powers of ten between two times, or finer steps where there are few, and their names.

    >>> time_ticks(1e-6, 1e-3)[1]
    ['1 µs', '10 µs', '100 µs', '1 ms']
    """
    powers = range(int(np.floor(np.log10(low))), int(np.ceil(np.log10(high))) + 1)
    for steps in ((1,), (1, 2, 5), (1, 1.5, 2, 3, 4, 5, 6, 7, 8, 9)):
        values = [float(f"{step}e{power}") for power in powers for step in steps]
        inside = [value for value in values if low <= value * (1 + 1e-9) and value <= high]
        if len(inside) > 2:
            break
    inside = inside if len(inside) > 1 else [low, high]
    return inside, [format_seconds(value) for value in inside]
