"""A straight line over the size for each number of processes.

Source: the usual practice of fitting a line to every curve of a benchmark.
Idea: no model of n at all: intercept and slope are looked up by n.
Cost: a(n) + b(n) m; a and b linear between the n measured, beyond them in proportion to n-1.
Fitted: a and b at two n, weighted by relative error, never negative.
Restrictions: needs a measurement at each n of interest; at those it is the best that any affine
form can do, which is why it is shown beside the signature.
"""

import numpy as np
from numpy.typing import ArrayLike

from contend.base.document import Floats, Quantity, Unit
from contend.base.statistics.launches import WITHIN_LAUNCH
from contend.base.statistics.regression import Regression, fit_times
from contend.models.signature.form import FittedForm, Form, Parameters, PointToPoint, Rows, fitted
from contend.models.signature.operations import OF_BLOCKS


class AffinePerN(Form):
    name = "affine_per_n"
    title = "affine fit per n"
    source = "common practice"
    operations = OF_BLOCKS
    process_counts = 2
    abscissae = ("processes",)

    def fit(self, sample: Rows, message: PointToPoint) -> FittedForm:
        """Fit a line at every n of the sample."""
        fits = {float(n): _line(rows) for n, rows in sample.groupby("n")}
        parameters = {
            "processes": Quantity(value=tuple(fits), unit="1"),
            "intercept": _column(list(fits.values()), 0, "s"),
            "slope": _column(list(fits.values()), 1, "s/B"),
        }
        return fitted(self, sample, message, parameters)

    def seconds(
        self, parameters: Parameters, message: PointToPoint, n: ArrayLike, m: ArrayLike
    ) -> Floats:
        count, size = np.broadcast_arrays(np.asarray(n, float), np.asarray(m, float))
        known_counts = parameters["processes"].array
        nearest = np.clip(count, known_counts[0], known_counts[-1])
        intercept = np.interp(nearest, known_counts, parameters["intercept"].array)
        slope = np.interp(nearest, known_counts, parameters["slope"].array)
        time: Floats = (intercept + slope * size) * (count - 1) / (nearest - 1)
        return time


def _line(rows: Rows) -> Regression:
    sizes, seconds = rows["m"].to_numpy(float), rows["seconds"].to_numpy(float)
    return fit_times(np.column_stack([np.ones_like(sizes), sizes]), seconds)


def _column(fits: list[Regression], index: int, unit: Unit) -> Quantity:
    """Coefficient `index` of every line, with its bounds."""
    return Quantity(
        value=tuple(float(fit.coefficients[index]) for fit in fits),
        unit=unit,
        low=tuple(float(fit.low[index]) for fit in fits),
        high=tuple(float(fit.high[index]) for fit in fits),
        bounds=WITHIN_LAUNCH,
    )
