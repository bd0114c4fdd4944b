"""What a sweep found as a table: a row per case, the fastest first."""

from collections.abc import Sequence

import pandas as pd

from contend.programs.sweeps.case import FIELDS
from contend.programs.sweeps.record import Swept

COLUMNS = (*FIELDS, "seconds", "speedup", "lost", "lost_share", "computing", "messages",
           "is_base", "error")  # fmt: skip


def table_of(found: Sequence[Swept], base: int) -> pd.DataFrame:
    """Rows of `COLUMNS`, those that failed last; `base` is the place of the base among `found`.

    The index is the place of a case in `found`. `attrs` holds `base_seconds`, `recorded_seconds`
    (of the run that was recorded, None where that is not known) and `varied`, names of the fields
    in which cases differ.
    """
    rows = [
        one.case.model_dump()
        | one.model_dump(include={"seconds", "lost", "computing", "messages"})
        | {
            "algorithms": " ".join(one.case.algorithms),
            "ranks": one.case.ranks if one.ranks is None else one.ranks,
            "is_base": place == base,
            "error": one.error or "",
        }
        for place, one in enumerate(found)
    ]
    table = pd.DataFrame(rows).astype(
        dict.fromkeys(("seconds", "lost", "computing"), "float64")
        | dict.fromkeys(("hosts", "ranks", "messages"), "Int64")
    )
    before = float(table["seconds"].iloc[base])
    taken = table["seconds"].where(table["seconds"] > 0)
    table = table.assign(speedup=before / taken, lost_share=table["lost"] / taken)[list(COLUMNS)]
    table.attrs = {
        "base_seconds": before,
        "recorded_seconds": next((one.recorded for one in found if one.recorded is not None), None),
        "varied": varied(found),
        "shortfall": next((one.shortfall for one in found if one.shortfall), None),
    }
    return table.sort_values("seconds", kind="stable", na_position="last")


def varied(found: Sequence[Swept]) -> list[str]:
    return [name for name in FIELDS if len({getattr(one.case, name) for one in found}) > 1]
