"""Measured points beside the form that predicts: curves over the size, and errors over n and m."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from contend.base.document import Floats
from contend.models.network import Network, Operation
from contend.models.prediction.predict import predict
from contend.models.prediction.validate import compare_points, measured
from contend.models.prediction.verdict import by_size, verdict
from contend.samples import Sample

POINTS_OF_A_LINE = 60  # a smooth line over the widest chart
GREATEST_COLOUR = 1.0  # an error of 100 %; what is beyond has the same colour and is reported
LEAST_COLOUR = 0.1  # errors of a few per cent must not look like large ones
_OF_THE_FORM = ("predicted", "error", "is_unseen")


@dataclass(frozen=True)
class Curve:
    """One number of processes: rows of `held_points`, and rows of `predict` along a line."""

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


def held_points(network: Network, operation: Operation, samples: Sequence[Sample]) -> pd.DataFrame:
    """Table of medians with what the form that predicts says: predicted, error, is_unseen.

    Without samples of the points that the operation was validated on, of which the file keeps
    neither bounds (NaN) nor the number of launches and repetitions (0).
    """
    points = None if samples else operation.measured
    if points is None:
        rows = measured(operation, samples)
    else:
        rows = points.table().assign(low=np.nan, high=np.nan, launches=0, repetitions=0)
    return _held_against(network, operation, rows)


def _held_against(network: Network, operation: Operation, rows: pd.DataFrame) -> pd.DataFrame:
    compared = compare_points(network, operation, rows)
    parts = [
        compared.loc[compared["form"] == form, list(_OF_THE_FORM)].set_index(rows.index)[mask]
        for form, mask in by_size(operation, rows["m"]).items()
    ]
    return rows.join(pd.concat(parts))


def curves(network: Network, operation: Operation, rows: pd.DataFrame) -> list[Curve]:
    """One curve per number of processes, all lines over the same sizes."""
    sizes = _line_sizes(operation, rows["m"].to_numpy())
    return [
        Curve(n, rows[rows["n"] == n], predict(network, operation, n, sizes, is_anchored=False))
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
    if operation.measured is None:
        return None
    by_cell = _held_against(network, operation, operation.measured.table()).drop_duplicates(
        ["n", "m"]
    )
    by_cell = by_cell.set_index(["n", "m"])
    errors = by_cell["error"].unstack("m")
    unseen = by_cell["is_unseen"].astype(float).unstack("m")
    return ErrorGrid(
        [int(n) for n in errors.index],
        [int(m) for m in errors.columns],
        errors.to_numpy(dtype=np.float64),
        unseen.to_numpy() == 0.0,
    )
