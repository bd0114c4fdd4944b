"""A straight line over the size for each number of processes.

Source: the usual practice of fitting a line to every curve of a benchmark.
Idea: no model of n at all: intercept and slope are looked up by n.
Cost: a(n) + b(n) m; a and b linear between the n measured, beyond them in proportion to n-1.
Fitted: a and b at two n, weighted by relative error, never negative.
Restrictions: needs a measurement at each n of interest; at those it is the best that any affine
form can do, which is why it is shown beside the signature.
"""

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from contend.document import Floats, Quantity
from contend.regression import nonnegative_gls
from contend.signature.form import FittedForm, Form, Parameters, PointToPoint, fitted


class AffinePerN(Form):
    """Intercept and slope by n."""

    name = "affine_per_n"
    title = "affine fit per n"
    source = "common practice"
    process_counts = 2

    def fit(self, sample: pd.DataFrame, known: PointToPoint) -> FittedForm:
        """Fit a line at every n of the sample."""
        lines = [(int(n), *_line(rows)) for n, rows in sample.groupby("n")]
        counts, intercepts, slopes = (
            tuple(map(float, column)) for column in zip(*lines, strict=True)
        )
        parameters = {
            "processes": Quantity(value=counts, unit="1"),
            "intercept": Quantity(value=intercepts, unit="s"),
            "slope": Quantity(value=slopes, unit="s/B"),
        }
        return fitted(self, sample, known, parameters)

    def seconds(
        self, parameters: Parameters, known: PointToPoint, n: ArrayLike, m: ArrayLike
    ) -> Floats:
        """a(n) + b(n) m."""
        count, size = np.broadcast_arrays(np.asarray(n, float), np.asarray(m, float))
        known_counts = parameters["processes"].array
        nearest = np.clip(count, known_counts[0], known_counts[-1])
        intercept = np.interp(nearest, known_counts, parameters["intercept"].array)
        slope = np.interp(nearest, known_counts, parameters["slope"].array)
        time: Floats = (intercept + slope * size) * (count - 1) / (nearest - 1)
        return time


def _line(rows: pd.DataFrame) -> tuple[float, float]:
    sizes, seconds = rows["m"].to_numpy(float), rows["seconds"].to_numpy(float)
    result = nonnegative_gls(np.column_stack([np.ones_like(sizes), sizes]), seconds, seconds)
    return float(result.coefficients[0]), float(result.coefficients[1])
