"""The signature fitted at each measured number of processes by itself, as a table."""

import pandas as pd

from contend.document import Quantity
from contend.errors import InvalidInputError
from contend.network import Network
from contend.predict import DEFAULT_FORM
from contend.report.text import is_by_convention
from contend.signature import FORMS
from contend.signature.form import FEWEST_SIZES

PARAMETERS = ("gamma", "delta", "M")


def signature_by_count(network: Network, rows: pd.DataFrame) -> pd.DataFrame:
    """A row per n of `rows` (medians) with as many sizes as a fit takes.

    Columns n, and for each of gamma, delta and M its value, `_low` and `_high`; NaN where there
    is none: M without a jump, bounds that are not known, gamma without a point-to-point
    measurement, which says nothing at all.
    """
    form, found = FORMS.get(DEFAULT_FORM), []
    for n, part in rows.groupby("n"):
        if part["m"].nunique() < FEWEST_SIZES:
            continue
        try:
            fit = form.fit(part, network.point_to_point)
        except InvalidInputError:  # no fit of this n; the network's own fit has said why
            continue
        known = {name: fit.parameters.get(name) for name in PARAMETERS}
        gamma = known["gamma"]
        if gamma is None or is_by_convention(gamma):
            known["gamma"] = None
        found.append({"n": n, **_columns(known)})
    names = [f"{name}{end}" for name in PARAMETERS for end in ("", "_low", "_high")]
    return pd.DataFrame(found, columns=["n", *names])


def _columns(known: dict[str, Quantity | None]) -> dict[str, float]:
    columns = {}
    for name, quantity in known.items():
        columns[name] = float(quantity) if quantity else float("nan")
        for end in ("low", "high"):
            bound = getattr(quantity, end, None)
            columns[f"{name}_{end}"] = bound if isinstance(bound, float) else float("nan")
    return columns
