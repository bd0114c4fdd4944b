"""The default signature fitted at each measured number of processes by itself.

Where gamma, delta and M lie level over n the signature holds for every n; where they do not, this
shows how far from n' it can be trusted. Nothing is predicted by these fits.
"""

from collections.abc import Callable, Mapping

import pandas as pd

from contend.base.errors import InvalidInputError
from contend.models.network.evidence import SignatureAt
from contend.models.signature import DEFAULT_FORM, FORMS, FittedForm, PointToPoint
from contend.models.signature.form import FEWEST_SIZES

PARAMETERS = ("gamma", "delta", "M")


def signatures_by_count(
    rows: pd.DataFrame,
    message: PointToPoint,
    of_launches: Callable[[FittedForm, list[int]], FittedForm],
    fitted: Mapping[int, FittedForm] | None = None,
) -> tuple[SignatureAt, ...]:
    """A fit for each n of `rows` (medians) with as many sizes as it takes.

    `of_launches` gives a fit at some n its bounds over launches; those that are `fitted` already,
    by n, have them. Without a point-to-point measurement gamma is 1 by convention and is left out.
    """
    form, signatures = FORMS.get(DEFAULT_FORM), []
    names = PARAMETERS if message.hockney else PARAMETERS[1:]
    for n, part in rows.groupby("n"):
        if part["m"].nunique() < FEWEST_SIZES:
            continue
        try:
            done = (fitted or {}).get(int(n))
            fit = done or of_launches(form.fit(part, message), [int(n)])
        except InvalidInputError:  # no fit of this n; the network's own fit has reported why
            continue
        parameters = {name: fit.parameters[name] for name in names if name in fit.parameters}
        signatures.append(SignatureAt(n=int(n), parameters=parameters))
    return tuple(signatures)
