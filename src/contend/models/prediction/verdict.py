"""How far the fits of an operation hold, and which form predicts it: in one place for all.

Forms are compared on the points that none of them has seen, for on points of its own each could
look better than on those of another. The one with the lowest median error predicts. Fewer points
than a 90 % error takes are no comparison: the default form predicts, with a note. The default
makes use of every n measured, those of validation too, and all others keep to the n of their fit.
So it is judged at each n by all other n, and replaced only where that was possible at
`FEWEST_COUNTS` n that no fit has used: the form that is best at one further n is no better beyond.
"""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from contend.base.errors import InvalidInputError
from contend.base.statistics.rank import FEWEST
from contend.base.statistics.regression import UNUSABLE
from contend.models.network import Operation
from contend.models.network.evidence import ErrorSummary
from contend.models.signature import DEFAULT_FORM, FORMS, FittedForm
from contend.schedules.pointtopoint import Hockney

SAME = 1e-6  # errors that differ by less are of rounding
UNJUDGED = "growth"  # predicts where no comparison can choose: it knows how little it knows
FEWEST_COUNTS = 2  # numbers of processes at which another form is better before it replaces that


@dataclass(frozen=True)
class Verdict:
    """The form that predicts an operation, whether validation chose it, and why, in words."""

    form: str
    is_validated: bool
    reason: str


def verdict(operation: Operation) -> Verdict:
    """Which form of an operation predicts it.

    Raises
    ------
    InvalidInputError
        When the operation has no form.
    """
    compared = compared_forms(operation)
    if len(compared) < 2 or not _can_be_replaced(operation, compared):
        form = _default(operation)
        return Verdict(form, False, f"{_why_not(operation)}; predictions are by {form}")
    form, errors = min(compared.items(), key=lambda item: _rank(item[0], item[1]))
    text = (
        f"on the {errors.points} points that no compared form has seen, the lowest median error "
        f"is that of {form} ({errors.median:.1%})"
    )
    if form != DEFAULT_FORM and DEFAULT_FORM in compared:
        text += f", before {DEFAULT_FORM} ({compared[DEFAULT_FORM].median:.1%})"
    text += f", so predictions are by {form}"
    others = [name for name in operation.forms if name not in compared]
    if others:
        text += f"; not compared, as they have seen too many points: {', '.join(sorted(others))}"
    return Verdict(form, True, text)


def by_size(operation: Operation, sizes: ArrayLike) -> dict[str, np.ndarray]:
    """Which of the `sizes` (k,) each form predicts, as masks.

    All by the form of `verdict`, but those that it does not describe by the one that needs no
    validation, where that was fitted.
    """
    form = verdict(operation).form
    described = FORMS.get(form).describes(operation.forms[form].parameters, sizes)
    if UNJUDGED not in operation.forms:
        return {form: np.ones_like(described)}
    masks = {UNJUDGED: ~described, form: described}
    return {name: mask for name, mask in masks.items() if mask.any()}


def compared_forms(operation: Operation) -> dict[str, ErrorSummary]:
    """Errors of the compared forms on their common points; empty where these are too few."""
    summaries = {
        name: validated.common
        for name, validated in operation.validation.items()
        if validated.common is not None and name in operation.forms
    }
    return {name: common for name, common in summaries.items() if common.points >= FEWEST}


def _can_be_replaced(operation: Operation, compared: Collection[str]) -> bool:
    """Return whether `UNJUDGED` was compared itself, at enough n that no fit has used."""
    fit = operation.forms.get(UNJUDGED)
    if fit is None:
        return True
    if UNJUDGED not in compared:
        return False
    unseen = set(operation.validation[UNJUDGED].n_seen).difference(fit.n_fitted)
    return len(unseen) >= FEWEST_COUNTS


def is_usable(fit: FittedForm | Hockney) -> bool:
    """Whether a fit describes at least what it was fitted to."""
    return fit.relative_residual is None or fit.relative_residual <= UNUSABLE


def unusable(fit: FittedForm | Hockney) -> str:
    """The sentence on a fit that is not usable."""
    name, at = "alpha + beta m", ""
    if isinstance(fit, FittedForm):
        name, at = fit.form, f"at n = {', '.join(map(str, fit.n_fitted))}, "
    return (
        f"The fit of {name} is unusable: {at}where it was fitted, its times are off by "
        f"{fit.relative_residual:.0%}, more than {UNUSABLE:.0%}. Its parameters describe nothing."
    )


def _rank(name: str, errors: ErrorSummary) -> tuple[float, bool, str]:
    return float(np.round(errors.median / SAME)), name != DEFAULT_FORM, name


def _default(operation: Operation) -> str:
    for name in (UNJUDGED, DEFAULT_FORM):
        if name in operation.forms:
            return name
    if not operation.forms:
        raise InvalidInputError(f"{operation.title} has no fit", "fit its samples again")
    return min(operation.forms, key=lambda name: (FORMS.get(name).role != "signature", name))


def _why_not(operation: Operation) -> str:
    if not operation.validation:
        return "no form was validated ('contend validate' compares them)"
    if len(compared_forms(operation)) < 2:
        return (
            f"a comparison takes {FEWEST} points that no compared form has seen, and there are "
            "fewer: no form is recommended"
        )
    return (
        f"{UNJUDGED} makes use of every n, and was compared at fewer than {FEWEST_COUNTS} numbers "
        "of processes that no fit has used: no other form is recommended"
    )
