"""How times were seen to grow with n, and why predictions by growth are as unsure as they are.

Growth is apart for what start-ups and bytes make. The exponent of n-1 is that of a line through the
logarithms of the times of each size. It is given of operations that are no exchange; of exchanges
`contend.models.explanation` tells more.
"""

from collections import Counter
from dataclasses import dataclass

import numpy as np

from contend.base.document import Columns
from contend.models.network import Operation
from contend.models.prediction.verdict import by_size
from contend.models.signature import FORMS
from contend.models.signature.forms.growth import Growth

LEAST_RATIO = 1.5  # of n-1 at both ends; closer ones tell noise
WIDE = 2.0  # high/low, from which on the reason is reported


@dataclass(frozen=True)
class Grown:
    """Sizes whose time is mostly of one kind, and their median exponent over n-1."""

    is_of_bytes: bool
    sizes: tuple[int, ...]
    counts: tuple[int, ...]
    exponent: float


def growth(operation: Operation) -> list[Grown]:
    """What was seen of each kind of size, start-ups first; empty of too few n.

    A size counts where it was measured at two n or more, (n-1) apart by `LEAST_RATIO`.
    """
    form, fit = FORMS.get(Growth.name), operation.forms.get(Growth.name)
    if fit is None or operation.measured is None or not isinstance(form, Growth):
        return []
    rows, exponent_of = operation.measured.table(), {}
    for m, of_size in rows.groupby("m"):
        way = np.log(of_size["n"].to_numpy() - 1.0)
        if np.ptp(way) >= np.log(LEAST_RATIO):
            slope = np.polyfit(way, np.log(of_size["seconds"].to_numpy()), 1)[0]
            exponent_of[int(m)] = float(slope)
    if not exponent_of:
        return []
    sizes, exponents = np.array(list(exponent_of)), np.array(list(exponent_of.values()))
    counts = tuple(int(n) for n in sorted(rows.loc[rows["m"].isin(sizes), "n"].unique()))
    is_of_bytes = form.byte_share(fit.parameters, sizes) >= 0.5
    return [
        Grown(kind, tuple(map(int, sizes[is_kind])), counts, float(np.median(exponents[is_kind])))
        for kind in (False, True)
        if (is_kind := is_of_bytes == kind).any()
    ]


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
