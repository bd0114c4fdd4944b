"""How times were seen to grow with n.

Growth is apart for what start-ups and bytes make. The exponent of n-1 is that of a line through the
logarithms of the times of each size. It is given of operations that are no exchange; of exchanges
`contend.models.explanation` tells more.
"""

from dataclasses import dataclass

import numpy as np

from contend.models.network import Operation
from contend.models.signature import FORMS
from contend.models.signature.forms.growth import Growth

LEAST_RATIO = 1.5  # of n-1 at both ends; closer ones tell noise


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
