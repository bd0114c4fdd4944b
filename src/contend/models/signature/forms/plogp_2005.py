"""Contention signature in pLogP form, with a start-up cost.

Source: Steffenel, earlier pLogP version of the 2007 signature, 2005, table 1 and section 4.1.
Idea: without contention sending and receiving overlap, (P-1) g(m) + L; with it they are serialised,
(P-1)(g(m) + or(m)) + L; gamma says where between the two, or beyond, a network lies.
Cost: (P-1)(g(m) + or(m) gamma) + L for m < M; (P-1)(g(m) + or(m) gamma + delta) + L for m >= M.
Fitted: gamma and delta by relative error, on four sizes or more at one P; M among the measured
sizes, or none, by Akaike's criterion.
Restrictions: gamma cannot be negative, so an all-to-all below (P-1) g(m) + L is not described.
"""

from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from contend.base.document import Floats
from contend.base.statistics.threshold import (
    Search,
    fit_at,
    fit_threshold,
    has_jumped,
    threshold_of,
    threshold_regime,
)
from contend.models.signature.form import (
    FittedForm,
    Form,
    Parameters,
    PointToPoint,
    Rows,
    fitted,
    one_process_count,
    plogp_of,
    require_sizes,
)


class PLogP2005(Form):
    """gamma and delta over the pLogP tables; the receive overhead is the cost of contention."""

    name = "plogp_2005"
    title = "contention signature, pLogP form"
    source = "Steffenel 2005, section 4.1"
    role = "signature"
    needs_plogp = True
    chosen = ("M",)

    def fit(self, sample: Rows, message: PointToPoint) -> FittedForm:
        return self._fit(sample, message, fit_threshold)

    def fit_again(self, sample: Rows, message: PointToPoint, fit: FittedForm) -> FittedForm:
        return self._fit(sample, message, partial(fit_at, threshold_of(fit.parameters)))

    def _fit(self, sample: Rows, message: PointToPoint, search: Search) -> FittedForm:
        plogp = plogp_of(message)
        n, sizes, seconds = one_process_count(sample)
        require_sizes(sizes)
        free_of_contention = plogp.gap_at(sizes) + plogp.latency_at(sizes) / (n - 1)
        overhead = plogp.receive_overhead_at(sizes)
        best = search(sizes, seconds / (n - 1), free_of_contention, [overhead])
        parameters = {"gamma": best.regression.quantity(0, "1"), **best.jump()}
        free = best.free("gamma")
        return fitted(self, sample, message, parameters, best.regression, free)

    def seconds(
        self, parameters: Parameters, message: PointToPoint, n: ArrayLike, m: ArrayLike
    ) -> Floats:
        """(P-1)(g(m) + or(m) gamma + delta) + L."""
        plogp = plogp_of(message)
        count, size = np.broadcast_arrays(np.asarray(n, float), np.asarray(m, float))
        jump = has_jumped(parameters.get("M"), parameters["delta"], size)
        overhead = plogp.receive_overhead_at(size) * float(parameters["gamma"])
        time: Floats = (count - 1) * (plogp.gap_at(size) + overhead + jump) + plogp.latency_at(size)
        return time

    def regime(self, parameters: Parameters, m: ArrayLike) -> list[str]:
        return threshold_regime(parameters.get("M"), np.atleast_1d(np.asarray(m, float)))
