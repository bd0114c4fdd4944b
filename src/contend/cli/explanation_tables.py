"""Columns of 'contend explain': the sizes of a case, and the worst of several cases."""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import pandas as pd

from contend.cli.result import Cell
from contend.explanation.case import Case
from contend.explanation.finding import Finding
from contend.units import format_bytes, format_seconds

Explained: TypeAlias = tuple[Case, list[Finding]]
_FACTOR = "{:.2f}".format


def sizes_of(table: pd.DataFrame, *, has_bound: bool) -> dict[str, Cell]:
    """Return the columns of a case, without those of which nothing is known."""
    columns: dict[str, Cell] = {
        "size": ("m", format_bytes), "measured": ("seconds", format_seconds)
    }  # fmt: skip
    if table["bound"].notna().any():
        columns["bound" if has_bound else "bytes alone"] = ("bound", format_seconds)
        columns["x bound" if has_bound else "x these"] = ("lost", _FACTOR)
    if table["expected"].notna().any():
        columns["expected"] = ("expected", format_seconds)
        columns["interval"] = lambda row: (
            f"{format_seconds(row['low'])} to {format_seconds(row['high'])}"
            if row["low"] == row["low"]
            else "–"
        )
        columns["x expected"] = ("lost_to_expected", _FACTOR)
        columns["extrapolates"] = "extrapolates"
    return columns


def _at_worst(text: Callable[[pd.Series], str]) -> Cell:
    """The row of a case that loses most; a dash where none is known to lose."""

    def cell(explained: Explained) -> str:
        case, _ = explained
        lost = case.rows["lost"]
        if not (case.has_bound and lost.notna().any()):
            return "–"
        return text(case.rows.loc[lost.idxmax()])

    return cell


def _range(explained: Explained) -> str:
    """The shortest and the longest time."""
    seconds = explained[0].rows["seconds"]
    return " to ".join(dict.fromkeys(map(format_seconds, (seconds.min(), seconds.max()))))


def _in_short(causes: Sequence[Finding]) -> str:
    """Each cause once, with its largest factor."""
    factors: dict[str, float] = {}
    for one in causes:
        factors[one.kind] = max(factors.get(one.kind, 0.0), one.factor or 0.0)
    said = (f"{name} ({factor:.1f} x)" if factor else name for name, factor in factors.items())
    return "; ".join(said) or "nothing"


OVERVIEW: Mapping[str, Cell] = {
    "operation": lambda one: f"{one[0].operation}/{one[0].algorithm}",
    "n": lambda one: one[0].n,
    "sizes": lambda one: len(one[0].rows),
    "measured": _range,
    "worst at": _at_worst(lambda row: format_bytes(row["m"])),
    "x bound": _at_worst(lambda row: _FACTOR(row["lost"])),
    "suspected": lambda one: _in_short(one[1]),
}
