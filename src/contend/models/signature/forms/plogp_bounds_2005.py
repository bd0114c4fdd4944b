"""Contention signature as a position between two pLogP bounds.

Source: Barchet-Estefanel, Mounie, "Identification and modelling of collective communications",
RenPar 2005, table 3 and the section on the total exchange.
Idea: the lower bound lets a process send and receive at once, the upper bound serialises both
overheads; gamma interpolates (or extrapolates) between them.
Cost: lower + (upper - lower) gamma, lower = (P-1) g(m) + L, upper = (P-1)(os(m) + or(m)) + L.
Fitted: gamma by relative error, on four sizes or more at one P.
Restrictions: where os + or is close to g the two bounds coincide and gamma means nothing.
"""

import numpy as np
from numpy.typing import ArrayLike

from contend.base.document import Floats
from contend.base.statistics.regression import fit_times
from contend.models.signature.form import (
    FittedForm,
    Form,
    Parameters,
    PointToPoint,
    Rows,
    fitted,
    one_process_count,
    plogp_of,
)


class PLogPBounds2005(Form):
    """gamma between the contention-free and the serialised bound."""

    name = "plogp_bounds_2005"
    title = "contention signature between pLogP bounds"
    source = "Barchet-Estefanel, Mounie 2005, table 3"
    role = "signature"
    needs_plogp = True

    def fit(self, sample: Rows, message: PointToPoint) -> FittedForm:
        _, _, seconds = one_process_count(sample)
        ordered = sample.sort_values("m")
        lower, upper = _bounds(message, ordered["n"].to_numpy(), ordered["m"].to_numpy())
        regression = fit_times((upper - lower)[:, None], seconds, lower)
        parameters = {"gamma": regression.quantity(0, "1")}
        return fitted(self, sample, message, parameters, regression, ("gamma",))

    def seconds(
        self, parameters: Parameters, message: PointToPoint, n: ArrayLike, m: ArrayLike
    ) -> Floats:
        lower, upper = _bounds(message, n, m)
        time: Floats = lower + (upper - lower) * float(parameters["gamma"])
        return time


def _bounds(message: PointToPoint, n: ArrayLike, m: ArrayLike) -> tuple[Floats, Floats]:
    """Contention-free and serialised time of an all-to-all, seconds."""
    plogp = plogp_of(message)
    count, size = np.broadcast_arrays(np.asarray(n, float), np.asarray(m, float))
    latency = plogp.latency_at(size)
    both = plogp.send_overhead_at(size) + plogp.receive_overhead_at(size)
    return (count - 1) * plogp.gap_at(size) + latency, (count - 1) * both + latency
