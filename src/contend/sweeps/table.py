"""What a sweep found as a table: a row per case, the fastest first."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from contend.sweeps.case import FIELDS
from contend.sweeps.record import Swept

COLUMNS = (*FIELDS, "seconds", "speedup", "lost", "lost_share", "computing", "messages",
           "is_base", "error")  # fmt: skip


def table_of(found: Sequence[Swept], base: int) -> pd.DataFrame:
    """Rows of `COLUMNS`, those that failed last; `base` is the place of the base among `found`.

    The index is the place of a case in `found`. `attrs` holds `base_seconds`, `recorded_seconds`
    (of the run that was recorded, None where that is not known) and `varied`, names of the fields
    in which cases differ.
    """
    before = _number(found[base].seconds)
    rows = []
    for place, one in enumerate(found):
        seconds, lost = _number(one.seconds), _number(one.lost)
        rows.append(
            one.case.model_dump()
            | {
                "algorithms": " ".join(one.case.algorithms),
                "ranks": one.ranks if one.ranks is not None else one.case.ranks,
                "seconds": seconds,
                "speedup": before / seconds if seconds > 0 else np.nan,
                "lost": lost,
                "lost_share": lost / seconds if seconds > 0 else np.nan,
                "computing": _number(one.computing),
                "messages": one.messages,
                "is_base": place == base,
                "error": one.error or "",
            }
        )
    table = pd.DataFrame(rows, columns=list(COLUMNS))
    for name in ("hosts", "ranks", "messages"):
        table[name] = table[name].astype("Int64")
    table.attrs["base_seconds"] = before
    table.attrs["recorded_seconds"] = next(
        (one.recorded for one in found if one.recorded is not None), None
    )
    table.attrs["varied"] = varied(found)
    table.attrs["shortfall"] = next((one.shortfall for one in found if one.shortfall), None)
    return table.sort_values("seconds", kind="stable", na_position="last")


def varied(found: Sequence[Swept]) -> list[str]:
    """Fields in which the cases differ."""
    return [name for name in FIELDS if len({getattr(one.case, name) for one in found}) > 1]


def _number(value: float | None) -> float:
    return np.nan if value is None else value
