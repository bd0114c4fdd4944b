"""What a sweep found as a table: a row per case, the fastest first."""

from collections.abc import Iterator, Sequence

import pandas as pd

from contend.base.number_text import percent, signed_seconds
from contend.base.result import Cell, Part, Result, Table, is_unknown
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


def table_of(results: Sequence[Swept], base: int) -> pd.DataFrame:
    """Rows of `COLUMNS`, those that failed last; `base` is the place of the base among `results`.

    The index is the place of a case in `results`. `attrs` holds `base_seconds`, `recorded_seconds`
    (of the run that was recorded, None where that is not known) and `varied`, names of the fields
    in which cases differ.
    """
    rows = [
        result.case.model_dump()
        | result.model_dump(include={"seconds", "lost", "computing", "messages"})
        | {
            "algorithms": " ".join(result.case.algorithms),
            "ranks": result.case.ranks if result.ranks is None else result.ranks,
            "is_base": place == base,
            "error": result.error or "",
        }
        for place, result in enumerate(results)
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
        "recorded_seconds": next(
            (result.recorded for result in results if result.recorded is not None), None
        ),
        "varied": varied(results),
        "shortfall": next((result.shortfall for result in results if result.shortfall), None),
    }
    return table.sort_values("seconds", kind="stable", na_position="last")


def varied(results: Sequence[Swept]) -> list[str]:
    return [name for name in FIELDS if len({getattr(result.case, name) for result in results}) > 1]


def sweep_result(table: pd.DataFrame) -> Result:
    """Return all rows; show the fastest cases and the base, what failed, how many there are.

    >>> case = {"network": "line:20us:1GB/s", "ranks": 4}
    >>> table = sweep("pattern:ring:1MB", [case], executor="here")
    >>> len(sweep_result(table).data["cases"])
    1
    """
    names = ("base_seconds", "recorded_seconds", "varied", "shortfall")
    data = {**{name: table.attrs[name] for name in names}, "cases": table}
    warnings = [table.attrs["shortfall"]] if table.attrs["shortfall"] else []
    return Result(data, _parts(table), code=bool((table["error"] != "").any()), warnings=warnings)


def _parts(table: pd.DataFrame) -> Iterator[Part]:
    done, failures = table[table["error"] == ""], table[table["error"] != ""]
    columns: dict[str, Cell] = {name: _varied(name) for name in table.attrs["varied"]}
    shown = done.head(SHOWN)
    if done["is_base"].any() and not shown["is_base"].any():
        shown = pd.concat([shown, done[done["is_base"]]])
    if len(shown):
        yield Table(shown, columns | _TIMES, "cases, the fastest first")
    if (recorded := table.attrs["recorded_seconds"]) is not None:
        yield (
            f"the run took {format_seconds(recorded)} where it was recorded; "
            "speed-ups are over the base, which is replayed too"
        )
    if len(done) > len(shown):
        yield f"{len(done) - len(shown)} slower cases are not shown; --json shows all"
    if len(failures):
        yield Table(failures.head(SHOWN), columns | {"why": "error"}, "cases that failed")
        yield f"{len(failures)} of {len(table)} cases failed"


def _varied(name: str) -> Cell:
    """A field in which cases differ; what is left to the replay is a dash."""
    return lambda row: "–" if is_unknown(row[name]) or row[name] == "" else row[name]
