"""Why the intervals of a prediction are as wide as they are, in a sentence."""

from collections import Counter

import numpy as np

from contend.base.document import Columns
from contend.models.network import Operation
from contend.models.prediction.verdict import by_size
from contend.models.signature import FORMS
from contend.models.signature.forms.growth import Growth

WIDE = 2.0  # high/low, from which on the reason is reported


def why_wide(operation: Operation, rows: Columns) -> str:
    """Return the commonest reason of the wide intervals among `rows` of `predicted`, or "".

    What another form than `growth` predicts has no reason but its errors.
    """
    form = FORMS.get(Growth.name)
    fit, n, m = operation.forms.get(Growth.name), rows["n"], rows["m"]
    if fit is None or not isinstance(form, Growth):
        return ""
    is_growth = by_size(operation, m).get(Growth.name, np.zeros(np.shape(m), dtype=bool))
    with np.errstate(invalid="ignore", divide="ignore"):
        is_wide = ~(np.asarray(rows["high"]) / np.asarray(rows["low"]) <= WIDE) & is_growth
    if not is_wide.any():
        return ""
    if operation.measured is not None:
        fit = form.anchored(fit, operation.measured.columns())
    reasons = Counter(form.reasons(fit.parameters, n[is_wide], m[is_wide]))
    reason = reasons.most_common(1)[0][0]
    counts = ", ".join(f"{count:g}" for count in np.unique(n[is_wide])[:3])
    return (
        f"{is_wide.sum()} of {is_wide.size} intervals are wider than a factor of {WIDE:g}, mostly "
        f"since {reason}; a few sizes measured at n = {counts} or near narrow them (contend design)"
    )
