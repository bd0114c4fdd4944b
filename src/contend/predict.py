"""Network x operation -> time, interval, bound, and whether it extrapolates."""

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from contend.bounds import total_exchange_bound
from contend.document import Floats
from contend.errors import InvalidInputError
from contend.network import Network, Operation, ValidatedForm
from contend.signature import FORMS, FittedForm, PointToPoint
from contend.signature.form import Form
from contend.signature.interval import relative_spread

DEFAULT_FORM = "hockney_2007"
COLUMNS = (
    "n", "m", "seconds", "low", "high", "lower_bound", "regime", "interval_from", "extrapolates"
)  # fmt: skip


def predict(
    network: Network, operation: Operation, n: ArrayLike, m: ArrayLike, form: str = DEFAULT_FORM
) -> pd.DataFrame:
    """Table with a row per pair of `n` and `m` (broadcast) and the columns `COLUMNS`.

    The interval covers 95 % by the fit's own residuals and the uncertainty of its parameters, or
    90 % of the errors that validation found in the same regime, whichever is wider;
    `interval_from` says which. Outside what was seen the worst validated error counts, and the
    interval grows with the distance as if that error had built up over the range seen. A form
    with as many parameters as points, not validated, has none: `low` and `high` are then NaN.
    `extrapolates` names what was not seen: n, m, regime.
    """
    counts, sizes = _checked(n, m)
    fit = _fit_of(operation, form)
    entry, known = FORMS.get(form), network.point_to_point
    seconds = entry.seconds(fit.parameters, known, counts, sizes)
    regimes = entry.regime(fit.parameters, sizes)
    validated = operation.validation.get(form)
    n_seen, m_seen = seen(fit, validated)
    distance = np.maximum(_distance(counts, n_seen), _distance(sizes, m_seen))
    spread = _fit_spread(entry, fit, known, counts, sizes)
    regime_of = validation_regimes(operation, sizes)
    observed = _validated_spread(validated, regime_of, distance)
    factor = np.exp(np.fmax(spread, observed) * (1.0 + distance))
    bound = (
        total_exchange_bound(counts, sizes, known.hockney)
        if known.hockney
        else np.full(counts.shape, np.nan)
    )
    return pd.DataFrame(
        {
            "n": counts,
            "m": sizes,
            "seconds": seconds,
            "low": seconds / factor,
            "high": seconds * factor,
            "lower_bound": bound,
            "regime": regimes,
            "interval_from": [_interval_from(*pair) for pair in zip(spread, observed, strict=True)],
            "extrapolates": _extrapolates(entry, fit, n_seen, m_seen, counts, sizes, regimes),
        },
        columns=list(COLUMNS),
    )


def seen(
    fit: FittedForm, validated: ValidatedForm | None
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Process counts and sizes that a fit or its validation has seen."""
    if validated is None:
        return fit.n_fitted, fit.m_fitted
    return fit.n_fitted + validated.n_seen, fit.m_fitted + validated.m_seen


def validation_regimes(operation: Operation, sizes: ArrayLike) -> list[str]:
    """Regime of each size by which errors are told apart: that of `DEFAULT_FORM`, for all forms."""
    fit = operation.forms.get(DEFAULT_FORM)
    if fit is None:
        return ["all sizes"] * np.asarray(sizes).size
    return FORMS.get(DEFAULT_FORM).regime(fit.parameters, sizes)


def _checked(n: ArrayLike, m: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    counts, sizes = np.broadcast_arrays(np.atleast_1d(np.asarray(n)), np.atleast_1d(np.asarray(m)))
    if (counts < 2).any():
        raise InvalidInputError(f"n = {counts.min()}", "an exchange takes at least 2 processes")
    if (sizes < 0).any():
        raise InvalidInputError(f"m = {sizes.min()}", "a size is 0 bytes or more")
    return counts.ravel(), sizes.ravel()


def _fit_of(operation: Operation, form: str) -> FittedForm:
    FORMS.get(form)
    if form not in operation.forms:
        raise InvalidInputError(
            f"{operation.title} has no fit of {form}",
            f"there is {', '.join(operation.forms)}",
        )
    return operation.forms[form]


def _validated_spread(
    validated: ValidatedForm | None, regimes: list[str], distance: Floats
) -> Floats:
    """Logarithm of the factor that validated predictions of the regime were within.

    90 % of them, and all of them where the prediction extrapolates; NaN without validation.
    """
    rows = {row.regime: row for row in validated.errors} if validated else {}
    found = [rows.get(regime, rows.get("all")) for regime in regimes]
    factors = [
        np.nan if row is None else row.factor_worst if far else row.factor_90
        for row, far in zip(found, distance > 0, strict=True)
    ]
    return np.log(np.array(factors, dtype=np.float64))


def _distance(values: Floats, seen: tuple[int, ...]) -> Floats:
    """How far each value lies outside those seen, in spans of those seen, logarithmically.

    0 inside; 1 for as far outside again as the seen ones reach from end to end (one octave where
    they are one value).
    """
    low, high = max(min(seen), 1), max(*seen, 1)
    span = np.log(high / low) if high > low else np.log(2.0)
    outside = np.maximum(np.log(np.maximum(values, 1) / high), np.log(low / np.maximum(values, 1)))
    distance: Floats = np.maximum(outside, 0.0) / span
    return distance


def _fit_spread(
    form: Form, fit: FittedForm, known: PointToPoint, counts: Floats, sizes: Floats
) -> Floats:
    """Logarithm of the factor that the fit itself allows; NaN where nothing was left to judge."""
    if fit.degrees_of_freedom == 0:
        return np.full(counts.shape, np.nan)
    return relative_spread(form, fit, known, counts, sizes)


def _interval_from(spread: float, observed: float) -> str:
    if np.isnan(spread) and np.isnan(observed):
        return "none"
    return "validation" if np.isnan(spread) or observed > spread else "fit"


def _extrapolates(
    form: Form,
    fit: FittedForm,
    n_seen: tuple[int, ...],
    m_seen: tuple[int, ...],
    counts: Floats,
    sizes: Floats,
    regimes: list[str],
) -> list[str]:
    """What lies outside the points of the fit and of the validation, per row; "" for nothing."""
    seen_regimes = set(form.regime(fit.parameters, np.array(fit.m_fitted)))
    outside = [
        ("n", (counts < min(n_seen)) | (counts > max(n_seen))),
        ("m", (sizes < min(m_seen)) | (sizes > max(m_seen))),
        ("regime", np.array([regime not in seen_regimes for regime in regimes])),
    ]
    return [
        " ".join(name for name, flags in outside if flags[index]) for index in range(counts.size)
    ]
