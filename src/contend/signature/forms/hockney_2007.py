"""Contention signature in Hockney form.

Source: Steffenel, Martinasso, Trystram, "Assessing contention effects on MPI_Alltoall
communications", GPC 2007, equation 5.
Idea: contention multiplies the cost per byte by gamma, and from M bytes on adds delta for each of
the other processes.
Cost: (n-1)(alpha + m beta gamma) for m < M; (n-1)(alpha + m beta gamma + delta) for m >= M.
Fitted: alpha and beta from one message between two processes; gamma and delta by relative error,
on four sizes or more at one n'; M among the measured sizes, or none, by Akaike's criterion. Without
a point-to-point measurement alpha is fitted as well and only the product beta gamma can be known:
gamma is then 1 by convention.
Restrictions: n' must saturate the network; gamma and delta are taken as independent of n.
"""

from functools import partial

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from contend.document import Floats, Quantity
from contend.signature.form import (
    FittedForm,
    Form,
    Parameters,
    PointToPoint,
    fitted,
    one_process_count,
    require_sizes,
)
from contend.statistics.threshold import (
    Search,
    fit_at,
    fit_threshold,
    has_jumped,
    threshold_of,
    threshold_regime,
)


class Hockney2007(Form):
    """gamma, delta and M over Hockney's alpha and beta."""

    name = "hockney_2007"
    title = "contention signature, Hockney form"
    source = "Steffenel, Martinasso, Trystram 2007, eq. 5"
    role = "signature"
    chosen = ("M",)

    def fit(self, sample: pd.DataFrame, known: PointToPoint) -> FittedForm:
        """Fit gamma, delta and M, and alpha and beta where they are not known."""
        return self._fit(sample, known, fit_threshold)

    def fit_again(self, sample: pd.DataFrame, known: PointToPoint, fit: FittedForm) -> FittedForm:
        """Fit all but M."""
        return self._fit(sample, known, partial(fit_at, threshold_of(fit.parameters)))

    def _fit(self, sample: pd.DataFrame, known: PointToPoint, search: Search) -> FittedForm:
        n, sizes, seconds = one_process_count(sample)
        require_sizes(sizes)
        per_process = seconds / (n - 1)
        if known.hockney:
            alpha, beta = known.hockney.alpha, known.hockney.beta
            best = search(sizes, per_process, float(alpha), [sizes * float(beta)])
            gamma = best.regression.quantity(0, "1")
            free = best.free("gamma")
        else:
            best = search(sizes, per_process, 0.0, [np.ones_like(sizes), sizes])
            alpha, beta = (
                best.regression.quantity(0, "s"),
                best.regression.quantity(1, "s/B"),
            )
            gamma = Quantity(value=1.0, unit="1")
            free = best.free("alpha", "beta")
        parameters = {"alpha": alpha, "beta": beta, "gamma": gamma, **best.jump()}
        return fitted(self, sample, known, parameters, best.regression, free, best.aic)

    def seconds(
        self, parameters: Parameters, known: PointToPoint, n: ArrayLike, m: ArrayLike
    ) -> Floats:
        """Equation 5."""
        count, size = np.broadcast_arrays(np.asarray(n, float), np.asarray(m, float))
        alpha, beta = float(parameters["alpha"]), float(parameters["beta"])
        jump = has_jumped(parameters.get("M"), parameters["delta"], size)
        time: Floats = (count - 1) * (alpha + size * beta * float(parameters["gamma"]) + jump)
        return time

    def regime(self, parameters: Parameters, m: ArrayLike) -> list[str]:
        """Below or from M on."""
        return threshold_regime(parameters.get("M"), np.atleast_1d(np.asarray(m, float)))
