"""What `contend exchange bench` found, and what served the calls of a program under the library."""

from collections.abc import Sequence
from pathlib import Path

import pandas as pd

from contend.cli import output
from contend.measure.calls import CallCampaign
from contend.measure.design import named
from contend.measure.exchange.summary import ExchangeSummary
from contend.measure.exchange.table import CUT, LATE, RATIOS, Cell, Row, algorithms, means
from contend.units import format_bytes, format_seconds

_TITLES = {
    "default_over_auto": "native\n/ auto",
    "native_over_auto": "best native\n/ auto",
    "auto_over_bound": "auto\n/ bound",
    "default_over_bound": "native\n/ bound",
}
NOTHING = (
    "no summary: no rank 0 with the exchange library made an MPI_Alltoall or MPI_Alltoallv and "
    "then came to MPI_Finalize"
)
_LONG = 12  # letters of a word that is folded


def show(
    rows: Sequence[Row], title: str, campaign: CallCampaign, path: Path, as_json: bool
) -> None:
    """The rows, their geometric means, and what is missing."""
    if as_json:
        output.show_json(
            {
                "samples": str(path),
                "title": title,
                "rows": [row.record() for row in rows],
                "geometric_means": means(rows),
                "lost": named(campaign.lost),
            }
        )
        return
    shown = as_frame(rows)
    width = 12 + sum(_widest(shown[name], name) + 3 for name in shown.columns)
    output.show_table(shown, f"{title}: median, 90 % of the repetitions", width=width)
    cells = [cell for row in rows for cell in row.cells.values()]
    if any(cell.is_flagged for cell in cells):
        output.note(f"{LATE}: the emulated network was late; the same command measures it again")
    if any(cell.is_cut for cell in cells):
        output.note(
            f"{CUT}: fewer repetitions than were asked for, since a launch may take no longer for "
            "a size; measure it with a larger --max-seconds, into another file"
        )
    if campaign.lost:
        output.note(f"lost: {', '.join(named(campaign.lost))}: {campaign.loss}")


def as_frame(rows: Sequence[Row]) -> pd.DataFrame:
    """Text of the table: a line for each size, at its end the geometric means."""
    names = algorithms(rows)
    lines = [
        {
            "m": format_bytes(row.m),
            **{_folded(name): _text(row.cells.get(name)) for name in names},
            "bound": _seconds(row.bound),
            **{_TITLES[name]: _times(getattr(row, name)) for name in RATIOS},
        }
        for row in rows
    ]
    of_all = {_TITLES[name]: _times(value) for name, value in means(rows).items()}
    return pd.DataFrame([*lines, {"m": "mean", **of_all}]).fillna("")


def _folded(name: str) -> str:
    """Over several lines, so that the column is hardly wider than its times."""
    words = name.replace(":", ": ").split()
    folded = (one if len(one) < _LONG else one.replace("_", "_\n", 1) for one in words)
    return "\n".join(folded)


def _text(cell: Cell | None) -> str:
    if cell is None:
        return "–"
    return f"{cell.marked}\n{format_seconds(cell.high)}"


def _seconds(value: float | None) -> str:
    return "–" if value is None else format_seconds(value)


def _times(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _widest(column: pd.Series, name: str) -> int:
    cells = [name, *column]
    return max(len(line) for cell in cells for line in cell.splitlines() or [""])


def show_summary(summary: ExchangeSummary | None) -> None:
    """A table on standard error, as standard output is the program's; numbers are per rank."""
    if summary is None:
        output.note(NOTHING)
        return
    rows = pd.DataFrame(
        {
            "operation": row.call,
            "blocks": f"{format_bytes(row.from_bytes)} to {format_bytes(row.below_bytes)}",
            "algorithm": row.algorithm,
            "calls": f"{row.calls / summary.ranks:.0f}",
            "time": format_seconds(row.seconds / summary.ranks),
            "saved": "–" if row.saved_s is None else format_seconds(row.saved_s / summary.ranks),
        }
        for row in summary.rows
    )
    title = f"the exchange library, of {summary.ranks} ranks" if summary.ranks > 1 else (
        f"the exchange library, {summary.scope}"
    )  # fmt: skip
    check = summary.check
    if not rows.empty:
        console = output.messages()
        width = None if console.is_terminal else 160
        console.print(output.table(rows, title=f"{title}: per rank"), width=width)
    if check.sizes:
        output.note(
            f"finding out took {format_seconds(check.seconds / summary.ranks)} per rank, in "
            f"{check.calls / summary.ranks:.0f} calls of {check.sizes / summary.ranks:.0f} sizes"
        )
