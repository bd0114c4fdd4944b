"""How far a prediction may be off, by the residuals of its fit and what its parameters allow.

Source: the delta method, e.g. Casella, Berger, Statistical Inference, 2002, section 5.5.4.
"""

import numpy as np
from numpy.typing import ArrayLike

from contend.base.document import Floats
from contend.base.statistics.launches import t_factor
from contend.models.signature.form import SHORTEST, FittedForm, Form, PointToPoint


def relative_spread(
    form: Form, fit: FittedForm, message: PointToPoint, n: ArrayLike, m: ArrayLike
) -> Floats:
    """Half the 95 % interval of the logarithm of a prediction, by residual and parameters.

    The parameters enter by the delta method: derivative by each, taken numerically, times their
    covariance. Over launches that holds how these differ, and part of the residual is the same
    difference: what the parameters explain of it at the points of the fit is taken off, and the
    rest is what the form misses. The two have degrees of freedom of their own; those of the sum are
    Satterthwaite's (Biometrics Bulletin 2, 1946).
    """
    of_parameters = _variance(form, fit, message, n, m)
    degrees = np.full(of_parameters.shape, float(fit.degrees_of_freedom))
    missed = fit.relative_residual**2
    if fit.launches > 1 and fit.covariance:
        counts, sizes = np.meshgrid(np.array(fit.n_fitted, float), np.array(fit.m_fitted, float))
        missed = max(missed - float(_variance(form, fit, message, counts, sizes).mean()), 0.0)
        squares = of_parameters**2 / (fit.launches - 1) + missed**2 / max(fit.degrees_of_freedom, 1)
        total = (of_parameters + missed) ** 2
        degrees = np.where(squares > 0, total / np.where(squares > 0, squares, 1.0), degrees)
    factors = np.vectorize(t_factor, otypes=[float])(degrees)
    spread: Floats = factors * np.sqrt(of_parameters + missed)
    return spread


def _variance(
    form: Form, fit: FittedForm, message: PointToPoint, n: ArrayLike, m: ArrayLike
) -> Floats:
    """Return the variance of a prediction's logarithm that its parameters contribute."""
    base = np.maximum(form.seconds(fit.parameters, message, n, m), SHORTEST)
    if not fit.covariance:
        return np.zeros(base.shape)
    slopes = np.array([_slope(form, fit, message, name, n, m) for name in fit.covariance_of])
    squares = np.einsum("i...,ij,j...->...", slopes, np.array(fit.covariance), slopes) / base**2
    variance: Floats = np.maximum(squares, 0.0)
    return variance


def _slope(
    form: Form, fit: FittedForm, message: PointToPoint, name: str, n: ArrayLike, m: ArrayLike
) -> Floats:
    """Derivative of the time by one scalar parameter; every form is smooth in those it fits."""
    quantity = fit.parameters[name]
    value = float(quantity)
    index = fit.covariance_of.index(name)
    step = max(abs(value), np.sqrt(max(fit.covariance[index][index], 0.0)), 1e-30) * 1e-4
    sides = [
        form.seconds(
            {**fit.parameters, name: quantity.model_copy(update={"value": value + sign * step})},
            message,
            n,
            m,
        )
        for sign in (1.0, -1.0)
    ]
    derivative: Floats = (sides[0] - sides[1]) / (2 * step)
    return derivative
