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
    """Half the 95 % interval of the logarithm of a prediction, by residual and parameters.

    The parameters enter by the delta method: derivative by each, taken numerically, times their
    covariance. Of one launch both are scatter within it and add up. Over launches the covariance
    holds how these differ, and so does the residual, each with degrees of freedom of its own: the
    wider of the two counts, for their sum would count the launches twice.
    """
    base = np.maximum(form.seconds(fit.parameters, known, n, m), SHORTEST)
    residual = np.full(base.shape, fit.relative_residual**2)
    of_points = t_factor(fit.degrees_of_freedom)
    if not fit.covariance:
        return np.asarray(of_points * np.sqrt(residual))
    slopes = np.array([_slope(form, fit, known, name, n, m) for name in fit.covariance_of])
    of_parameters = np.einsum("i...,ij,j...->...", slopes, np.array(fit.covariance), slopes)
    of_parameters = np.maximum(of_parameters, 0.0) / base**2
    if fit.launches < 2:
        return np.asarray(of_points * np.sqrt(residual + of_parameters))
    of_launches = t_factor(fit.launches - 1)
    found: Floats = np.maximum(of_points * np.sqrt(residual), of_launches * np.sqrt(of_parameters))
    return found


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
