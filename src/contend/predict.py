"""Network x operation -> time, interval, bound, and whether it extrapolates."""

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from contend.bounds import total_exchange_bound
from contend.document import Floats
from contend.errors import InvalidInputError
from contend.network import Network, Operation, ValidatedForm
from contend.signature import FORMS, FittedForm
from contend.signature.form import Form, relative_spread, t_factor

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
    `interval_from` says which. `extrapolates` names what was not seen: n, m, regime.
    """
    counts, sizes = _checked(n, m)
    fit = _fit_of(operation, form)
    entry, known = FORMS.get(form), network.point_to_point
    seconds = entry.seconds(fit.parameters, known, counts, sizes)
    regimes = entry.regime(fit.parameters, sizes)
    spread = t_factor(fit.degrees_of_freedom) * relative_spread(entry, fit, known, counts, sizes)
    validated = operation.validation.get(form)
    observed = np.array([_validated_spread(validated, regime) for regime in regimes])
    factor = np.exp(np.maximum(spread, observed))
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
            "interval_from": np.where(observed > spread, "validation", "fit"),
            "extrapolates": _extrapolates(entry, fit, validated, counts, sizes, regimes),
        },
        columns=list(COLUMNS),
    )


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


def _validated_spread(validated: ValidatedForm | None, regime: str) -> float:
    """Logarithm of the factor that 90 % of validated predictions of the regime were within."""
    factors = {row.regime: row.factor_90 for row in validated.errors} if validated else {}
    return float(np.log(factors.get(regime, factors.get("all", 1.0))))


def _extrapolates(
    form: Form,
    fit: FittedForm,
    validated: ValidatedForm | None,
    counts: Floats,
    sizes: Floats,
    regimes: list[str],
) -> list[str]:
    """What lies outside the points of the fit and of the validation, per row; "" for nothing."""
    n_seen = fit.n_fitted + (validated.n_seen if validated else ())
    m_seen = fit.m_fitted + (validated.m_seen if validated else ())
    seen_regimes = set(form.regime(fit.parameters, np.array(fit.m_fitted)))
    outside = [
        ("n", (counts < min(n_seen)) | (counts > max(n_seen))),
        ("m", (sizes < min(m_seen)) | (sizes > max(m_seen))),
        ("regime", np.array([regime not in seen_regimes for regime in regimes])),
    ]
    return [
        " ".join(name for name, flags in outside if flags[index]) for index in range(counts.size)
    ]
