"""What a sweep found as a table: a row per case, the fastest first."""

from collections.abc import Iterator, Sequence

import pandas as pd

from contend.base.number_text import signed_seconds
from contend.base.result import Cell, Part, Result, Table, is_unknown, percent
from contend.base.units import format_seconds
from contend.programs.sweeps.case import FIELDS
from contend.programs.sweeps.record import Swept

COLUMNS = (*FIELDS, "seconds", "speedup", "lost", "lost_share", "computing", "messages",
           "is_base", "error")  # fmt: skip

SHOWN = 40  # rows as text
_TIMES: dict[str, Cell] = {
    "time": ("seconds", signed_seconds),
    "speed-up": ("speedup", "{:.2f}".format),
    "lost": ("lost", signed_seconds),
    "share lost": ("lost_share", percent),
    "": lambda row: "base" if row["is_base"] else "",
}


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


def sweep_result(found: pd.DataFrame) -> Result:
    """Return all rows; show the fastest cases and the base, what failed, how many there are.

    >>> case = {"network": "line:20us:1GB/s", "ranks": 4}
    >>> found = sweep("pattern:ring:1MB", [case], executor="here")
    >>> len(sweep_result(found).data["cases"])
    1
    """
    names = ("base_seconds", "recorded_seconds", "varied", "shortfall")
    data = {**{name: found.attrs[name] for name in names}, "cases": found}
    warnings = [found.attrs["shortfall"]] if found.attrs["shortfall"] else []
    return Result(data, _parts(found), code=bool((found["error"] != "").any()), warnings=warnings)


def _parts(found: pd.DataFrame) -> Iterator[Part]:
    done, failures = found[found["error"] == ""], found[found["error"] != ""]
    columns: dict[str, Cell] = {name: _varied(name) for name in found.attrs["varied"]}
    shown = done.head(SHOWN)
    if done["is_base"].any() and not shown["is_base"].any():
        shown = pd.concat([shown, done[done["is_base"]]])
    if len(shown):
        yield Table(shown, columns | _TIMES, "cases, the fastest first")
    if (recorded := found.attrs["recorded_seconds"]) is not None:
        yield (
            f"the run took {format_seconds(recorded)} where it was recorded; "
            "speed-ups are over the base, which is replayed too"
        )
    if len(done) > len(shown):
        yield f"{len(done) - len(shown)} slower cases are not shown; --json shows all"
    if len(failures):
        yield Table(failures.head(SHOWN), columns | {"why": "error"}, "cases that failed")
        yield f"{len(failures)} of {len(found)} cases failed"


def _varied(name: str) -> Cell:
    """A field in which cases differ; what is left to the replay is a dash."""
    return lambda row: "–" if is_unknown(row[name]) or row[name] == "" else row[name]
