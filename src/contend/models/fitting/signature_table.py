"""The signature fitted at each measured number of processes by itself, as a table."""

import pandas as pd

from contend.base.document import Quantity
from contend.models.fitting.by_count import PARAMETERS
from contend.models.network import Operation


def signature_by_count(operation: Operation) -> pd.DataFrame | None:
    """A row per n that the network file holds a signature of; None where it was not kept.

    Columns n, and for each of gamma, delta and M its value, `_low` and `_high`; NaN where there
    is none: M without a jump, bounds that are not known, gamma without a point-to-point
    measurement, which says nothing at all.
    """
    if operation.signatures is None:
        return None
    found = [
        {"n": one.n, **_columns({name: one.parameters.get(name) for name in PARAMETERS})}
        for one in operation.signatures
    ]
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
