"""What 'contend explain' shows of a case and of several: sizes, and the worst of each, as text."""

from collections.abc import Sequence
from math import isnan

import pandas as pd

from contend.explanation.case import Case
from contend.explanation.finding import Finding
from contend.units import format_bytes, format_seconds


def rows(table: pd.DataFrame) -> pd.DataFrame:
    """Text of the table, without columns of which nothing is known."""
    shown = pd.DataFrame({"size": [format_bytes(m) for m in table["m"]]})
    shown["measured"] = [format_seconds(value) for value in table["seconds"]]
    if table["bound"].notna().any():
        shown["bound"] = [_seconds(value) for value in table["bound"]]
        shown["x bound"] = [_factor(value) for value in table["lost"]]
    if table["expected"].notna().any():
        shown["expected"] = [_seconds(value) for value in table["expected"]]
        shown["interval"] = [
            "–" if isnan(low) else f"{_seconds(low)} to {_seconds(high)}"
            for low, high in zip(table["low"], table["high"], strict=True)
        ]
        shown["x expected"] = [_factor(value) for value in table["lost_to_expected"]]
        shown["extrapolates"] = list(table["extrapolates"])
    return shown


def _seconds(value: float) -> str:
    return "–" if isnan(value) else format_seconds(value)


def _factor(value: float) -> str:
    return "–" if isnan(value) else f"{value:.2f}"


def overview(explained: Sequence[tuple[Case, list[Finding]]]) -> pd.DataFrame:
    """A row per case: its worst size, and the causes."""
    found = []
    for case, causes in explained:
        lost = case.rows["lost"]
        worst = lost.idxmax() if case.has_bound and lost.notna().any() else None
        found.append(
            {
                "operation": f"{case.operation}/{case.algorithm}",
                "n": str(case.n),
                "sizes": str(len(case.rows)),
                "measured": _range(case.rows["seconds"]),
                "worst at": "–" if worst is None else format_bytes(case.rows["m"][worst]),
                "x bound": "–" if worst is None else _factor(float(lost[worst])),
                "suspected": _in_short(causes),
            }
        )
    return pd.DataFrame(found)


def _range(seconds: pd.Series) -> str:
    """Text of the shortest and the longest time."""
    ends = (format_seconds(seconds.min()), format_seconds(seconds.max()))
    return " to ".join(dict.fromkeys(ends))


def _in_short(causes: Sequence[Finding]) -> str:
    """Each cause once, with its largest factor."""
    factors: dict[str, float] = {}
    for one in causes:
        factors[one.kind] = max(factors.get(one.kind, 0.0), one.factor or 0.0)
    said = (f"{name} ({factor:.1f} x)" if factor else name for name, factor in factors.items())
    return "; ".join(said) or "nothing"
