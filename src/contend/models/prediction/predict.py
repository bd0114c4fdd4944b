"""Network x operation -> time, interval, bound, and whether it extrapolates."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import ArrayLike

from contend.base.document import Columns, Floats, Frame
from contend.base.errors import InvalidInputError
from contend.base.statistics.launches import t_factor
from contend.models.bounds import operation_bound
from contend.models.network import Network, Operation
from contend.models.network.evidence import ErrorSummary, ValidatedForm
from contend.models.prediction.timeouts import with_timeouts
from contend.models.prediction.verdict import by_size, verdict
from contend.models.signature import DEFAULT_FORM, FORMS, FittedForm, PointToPoint
from contend.models.signature.form import Form
from contend.models.signature.interval import relative_spread
from contend.schedules import COLLECTIVES

COLUMNS = (
    "n", "m", "seconds", "low", "high", "lower_bound", "regime", "interval_from", "extrapolates"
)  # fmt: skip
ROUNDING = 1e-9  # relative; a prediction that equals the bound may be this far below it
_WIDEST = np.log(1e6)  # half an interval that still says something


def predict(
    network: Network,
    operation: Operation,
    n: ArrayLike,
    m: ArrayLike,
    form: str | None = None,
    *,
    is_anchored: bool = True,
) -> Frame:
    """What `predicted` has, as a table of pandas."""
    import pandas as pd

    return pd.DataFrame(predicted(network, operation, n, m, form, is_anchored=is_anchored))


def predicted(
    network: Network,
    operation: Operation,
    n: ArrayLike,
    m: ArrayLike,
    form: str | None = None,
    *,
    is_anchored: bool = True,
) -> Columns:
    """The columns `COLUMNS` of a table with a row per pair of `n` and `m` (broadcast).

    Of an operation with time-outs these are of times without one, and the columns of
    `contend.models.prediction.timeouts` tell the rest.

    Without a `form` the one of `contend.models.prediction.verdict.verdict` predicts, and sizes that
    it does not describe are left to the one for which no validation is needed: `regime` says so. A
    form that can be anchored makes use of all points known, unless that is not wanted: to judge it
    by these.

    The interval covers 95 % by the fit's own residuals and the uncertainty of its parameters, or
    90 % of the errors that validation found in the same regime (all of them where they are too few
    to tell 90 %: "worst of few"), whichever is wider; `interval_from` says which. Outside what was
    seen the worst validated error counts, and the interval grows with the distance as if that error
    had built up over the range seen. A form that knows its own interval, of 90 %, is asked for it
    ("left-out n": its scale is set by leaving out each n). A form with as many parameters as
    points, not validated, has none: `low` and `high` are then NaN, as where they would be a factor
    of a million away, which says nothing. The interval never reaches below
    `lower_bound`. That is NaN where measured points beat it, and where the prediction does not
    clear it by the scatter of its fit, so that noise alone may reach below it. `extrapolates` names
    what was not seen: n, m,
    regime.

    Raises
    ------
    InvalidInputError
        For an operation without a fit, a form it has no fit of, n < 2, m < 0, or a size of what
        moves no bytes.
    """
    counts, sizes = _checked(operation, n, m)
    if form is None:
        form, forms = verdict(operation).form, by_size(operation, sizes)
        if [*forms] != [form]:
            return _by_size(network, operation, (counts, sizes), forms, is_anchored=is_anchored)
    entry, message = FORMS.get(form), network.messages(operation.algorithm)
    fit = _fit_of(operation, form)
    if is_anchored and operation.measured is not None:
        fit = entry.anchored(fit, operation.measured.columns())
    seconds = entry.seconds(fit.parameters, message, counts, sizes)
    regimes = entry.regime(fit.parameters, sizes)
    validated = operation.validation.get(form)
    n_seen, m_seen = seen(fit, validated)
    distance = np.maximum(_distance(counts, n_seen), _distance(sizes, m_seen))
    spread = _fit_spread(entry, fit, message, counts, sizes)
    errors = _errors_of(validated, validation_regimes(operation, sizes))
    observed = _validated_spread(errors, distance)
    half = np.fmax(spread, observed) * (1.0 + distance)
    if entry.interval_from:
        half = entry.half_width(fit.parameters, counts, sizes)
        spread = np.fmin(spread, half)
    factor = np.exp(np.where(half < _WIDEST, half, np.nan))
    scatter = np.where(np.isnan(spread), _scatter(operation), spread)
    cleared = seconds * np.exp(-scatter) * (1.0 + ROUNDING)
    bound = _bound(network, operation, counts, sizes, cleared)
    low = np.minimum(np.fmax(seconds / factor, bound), seconds)
    rows = {
        "n": counts,
        "m": sizes,
        "seconds": seconds,
        "low": np.where(np.isnan(factor), np.nan, low),
        "high": seconds * factor,
        "lower_bound": bound,
        "regime": np.array(regimes, dtype=str),
        "interval_from": np.array(
            [
                entry.interval_from or _interval_from(*row)
                for row in zip(spread, observed, errors, strict=True)
            ],
            dtype=str,
        ),
        "extrapolates": np.array(
            _extrapolates(entry, fit, n_seen, m_seen, counts, sizes, regimes), dtype=str
        ),
    }
    return with_timeouts(operation, rows)


def _by_size(
    network: Network,
    operation: Operation,
    points: tuple[Floats, Floats],
    forms: Mapping[str, np.ndarray],
    *,
    is_anchored: bool,
) -> Columns:
    """Rows by the form that was chosen, and by another of sizes that it does not describe."""
    parts, chosen = [], verdict(operation).form
    for form, rows in forms.items():
        n, m = (values[rows] for values in points)
        part = predicted(network, operation, n, m, form, is_anchored=is_anchored)
        if form != chosen:
            regimes = FORMS.get(chosen).regime(operation.forms[chosen].parameters, m)
            part["regime"] = np.array([f"{regime}, by {form}" for regime in regimes])
        parts.append(part)
    order = np.argsort(np.concatenate([np.flatnonzero(rows) for rows in forms.values()]))
    return {name: np.concatenate([part[name] for part in parts])[order] for name in parts[0]}


def _bound(
    network: Network, operation: Operation, counts: Floats, sizes: Floats, cleared: Floats
) -> Floats:
    """The lower bound where it holds: NaN where points, or times from `cleared` on, are faster."""
    hockney = network.messages(operation.algorithm).hockney
    beaten = operation.beaten_bound
    if hockney is None:
        return np.full(counts.shape, np.nan)
    bound = operation_bound(operation.operation, counts, sizes, hockney)
    holds = cleared >= bound
    if beaten is not None:
        holds &= (sizes <= (-1 if beaten.above is None else beaten.above)) | (
            sizes >= (np.inf if beaten.below is None else beaten.below)
        )
    return np.where(holds, bound, np.nan)


def _scatter(operation: Operation) -> float:
    """Half the 95 % interval of log time, for forms that leave no residual: the least of others."""
    return min(
        (
            t_factor(fit.degrees_of_freedom) * fit.relative_residual
            for fit in operation.forms.values()
            if fit.degrees_of_freedom > 0
        ),
        default=0.0,
    )


def seen(
    fit: FittedForm, validated: ValidatedForm | None
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Process counts and sizes that a fit or its validation has seen."""
    if validated is None:
        return fit.n_fitted, fit.m_fitted
    return fit.n_fitted + validated.n_seen, fit.m_fitted + validated.m_seen


def validation_regimes(operation: Operation, sizes: ArrayLike) -> list[str]:
    """Regime of each size that errors are grouped by: that of `DEFAULT_FORM`, for all forms."""
    fit = operation.forms.get(DEFAULT_FORM)
    if fit is None:
        return ["all sizes"] * np.asarray(sizes).size
    return FORMS.get(DEFAULT_FORM).regime(fit.parameters, sizes)


def _checked(operation: Operation, n: ArrayLike, m: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    counts, sizes = np.broadcast_arrays(np.atleast_1d(np.asarray(n)), np.atleast_1d(np.asarray(m)))
    if (counts < 2).any():
        raise InvalidInputError(f"n = {counts.min()}", "an operation takes at least 2 processes")
    if (sizes < 0).any():
        raise InvalidInputError(f"m = {sizes.min()}", "a size is 0 bytes or more")
    collective = COLLECTIVES.get(operation.operation)
    if collective and not collective.has_size and sizes.any():
        raise InvalidInputError(
            f"m = {sizes.max()} of a {collective.title}, which moves no bytes",
            "leave the size out, or give 0",
        )
    return counts.ravel(), sizes.ravel()


def _fit_of(operation: Operation, form: str) -> FittedForm:
    FORMS.get(form)
    if form not in operation.forms:
        raise InvalidInputError(
            f"{operation.title} has no fit of {form}",
            f"there is {', '.join(operation.forms)}",
        )
    return operation.forms[form]


def _errors_of(validated: ValidatedForm | None, regimes: list[str]) -> list[ErrorSummary | None]:
    """Validated errors of each regime, those of all sizes where it has none of its own."""
    rows = {row.regime: row for row in validated.errors} if validated else {}
    return [rows.get(regime, rows.get("all")) for regime in regimes]


def _validated_spread(errors: list[ErrorSummary | None], distance: Floats) -> Floats:
    """Logarithm of the factor that validated predictions of the regime were within.

    90 % of them, and all of them where the prediction extrapolates or 90 % is not known; NaN
    without validation.
    """
    factors = [
        np.nan if row is None else row.factor_worst if far else row.factor_90 or row.factor_worst
        for row, far in zip(errors, distance > 0, strict=True)
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
    form: Form, fit: FittedForm, message: PointToPoint, counts: Floats, sizes: Floats
) -> Floats:
    """Logarithm of the factor that the fit itself allows; NaN where nothing was left to judge."""
    if fit.degrees_of_freedom == 0:
        return np.full(counts.shape, np.nan)
    return relative_spread(form, fit, message, counts, sizes)


def _interval_from(spread: float, observed: float, errors: ErrorSummary | None) -> str:
    if errors is None or spread >= observed:
        return "none" if np.isnan(spread) else "fit"
    return "worst of few" if errors.factor_90 is None else "validation"


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
