"""How far a prediction may be off, by the residuals of its fit and what its parameters allow.

Source: the delta method, e.g. Casella, Berger, Statistical Inference, 2002, section 5.5.4.
"""

import numpy as np
from numpy.typing import ArrayLike

from contend.document import Floats
from contend.launches import t_factor
from contend.signature.form import SHORTEST, FittedForm, Form, PointToPoint


def relative_spread(
    form: Form, fit: FittedForm, known: PointToPoint, n: ArrayLike, m: ArrayLike
) -> Floats:
    """Half the 95 % interval of the logarithm of a prediction: residual and parameters together.

    The parameters enter by the delta method: derivative by each, taken numerically, times their
    covariance. Where that is over launches it has degrees of freedom of its own; those of the sum
    are Satterthwaite's (Biometrics Bulletin 2, 1946).
    """
    base = np.maximum(form.seconds(fit.parameters, known, n, m), SHORTEST)
    residual = np.full(base.shape, fit.relative_residual**2)
    if not fit.covariance:
        return np.asarray(t_factor(fit.degrees_of_freedom) * np.sqrt(residual))
    slopes = np.array([_slope(form, fit, known, name, n, m) for name in fit.covariance_of])
    of_parameters = np.einsum("i...,ij,j...->...", slopes, np.array(fit.covariance), slopes)
    of_parameters = np.maximum(of_parameters, 0.0) / base**2
    total = residual + of_parameters
    degrees = np.full(base.shape, float(fit.degrees_of_freedom))
    if fit.launches > 1:
        squares = of_parameters**2 / (fit.launches - 1) + residual**2 / max(degrees.flat[0], 1)
        degrees = np.where(squares > 0, total**2 / np.where(squares > 0, squares, 1.0), degrees)
    factors = np.vectorize(t_factor, otypes=[float])(degrees)
    return np.asarray(factors * np.sqrt(total))


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
