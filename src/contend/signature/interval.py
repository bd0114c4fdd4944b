"""How far a prediction may be off, by the residuals of its fit and what its parameters allow.

Source: the delta method, e.g. Casella, Berger, Statistical Inference, 2002, section 5.5.4.
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from contend.document import Floats
from contend.regression import CONFIDENCE
from contend.signature.form import FittedForm, Form, PointToPoint

SHORTEST = 1e-15  # seconds; a form may predict 0 s for an empty message


def relative_spread(
    form: Form, fit: FittedForm, known: PointToPoint, n: ArrayLike, m: ArrayLike
) -> Floats:
    """Standard deviation of a prediction over the prediction: residual and parameters together.

    The parameters enter by the delta method: derivative by each, taken numerically, times their
    covariance.
    """
    base = np.maximum(form.seconds(fit.parameters, known, n, m), SHORTEST)
    variance = np.full(base.shape, fit.relative_residual**2)
    if fit.covariance:
        slopes = np.array([_slope(form, fit, known, name, n, m) for name in fit.covariance_of])
        covariance = np.array(fit.covariance)
        variance += np.einsum("i...,ij,j...->...", slopes, covariance, slopes) / base**2
    spread: Floats = np.sqrt(variance)
    return spread


def _slope(
    form: Form, fit: FittedForm, known: PointToPoint, name: str, n: ArrayLike, m: ArrayLike
) -> Floats:
    """Derivative of the time by one scalar parameter; every form is smooth in those it fits."""
    quantity = fit.parameters[name]
    value = float(quantity)
    index = fit.covariance_of.index(name)
    step = max(abs(value), np.sqrt(max(fit.covariance[index][index], 0.0)), 1e-30) * 1e-4
    sides = [
        form.seconds(
            {**fit.parameters, name: quantity.model_copy(update={"value": value + sign * step})},
            known,
            n,
            m,
        )
        for sign in (1.0, -1.0)
    ]
    derivative: Floats = (sides[0] - sides[1]) / (2 * step)
    return derivative


def t_factor(degrees_of_freedom: int) -> float:
    """Half-width of the 95 % interval in standard deviations, by Student's distribution."""
    return float(stats.t.ppf((1 + CONFIDENCE) / 2, max(degrees_of_freedom, 1)))
