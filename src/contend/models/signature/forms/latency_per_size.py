"""Latency that depends on the message size.

Source: Chun (Tam), Wang, "Realistic communication model for parallel computing on cluster", 1999;
Steffenel, Martinasso, Trystram 2007, section 2.
Idea: contention is part of the latency, which is looked up by size.
Cost: (n-1) l(m), l linear between the sizes measured at one n'.
Fitted: l(m) = T(n', m) / (n'-1).
Restrictions: knows neither the number of messages in flight nor the capacity of a link.
"""

import numpy as np
from numpy.typing import ArrayLike

from contend.base.document import Floats, Quantity
from contend.models.signature.form import (
    FittedForm,
    Form,
    Parameters,
    PointToPoint,
    Rows,
    fitted,
    one_process_count,
)
from contend.models.signature.operations import OF_BLOCKS
from contend.schedules.pointtopoint.plogp import interpolate


class LatencyPerSize(Form):
    """A table of latencies by size, times n-1."""

    name = "latency_per_size"
    title = "latency per size"
    source = "Chun, Wang 1999"
    operations = OF_BLOCKS
    abscissae = ("size",)

    def fit(self, sample: Rows, message: PointToPoint) -> FittedForm:
        n, sizes, seconds = one_process_count(sample)
        parameters = {
            "size": Quantity(value=tuple(sizes.tolist()), unit="B"),
            "latency": Quantity(value=tuple((seconds / (n - 1)).tolist()), unit="s"),
        }
        return fitted(self, sample, message, parameters)

    def seconds(
        self, parameters: Parameters, message: PointToPoint, n: ArrayLike, m: ArrayLike
    ) -> Floats:
        latency = interpolate(m, parameters["size"].array, parameters["latency"].array)
        time: Floats = (np.asarray(n, float) - 1) * latency
        return time
