"""A program under the exchange library on the console: what served its calls, what that saved."""

from collections.abc import Callable

from contend.base.units import format_bytes, format_seconds
from contend.cli import output
from contend.cli.result import Cell, Table
from contend.measure.exchange.summary import ExchangeSummary

NOTHING = (
    "no summary: no rank 0 with the exchange library made an MPI_Alltoall or MPI_Alltoallv and "
    "then came to MPI_Finalize"
)


def show_summary(summary: ExchangeSummary | None) -> None:
    """Show a table on standard error, as standard output is the program's; numbers are per rank."""
    if summary is None:
        output.note(NOTHING)
        return
    check, ranks = summary.check, summary.ranks
    if summary.rows:
        scope = f"of {ranks} ranks" if ranks > 1 else summary.scope
        text = Table(
            summary.rows, _columns(lambda total: format_seconds(total / ranks), ranks)
        ).text()
        console = output.messages()
        table = output.table(text, title=f"the exchange library, {scope}: per rank")
        console.print(table, width=None if console.is_terminal else 160)
    if check.sizes:
        output.note(
            f"finding out took {format_seconds(check.seconds / ranks)} per rank, in "
            f"{check.calls / ranks:.0f} calls of {check.sizes / ranks:.0f} sizes"
        )


def _columns(per_rank: Callable[[float], str], ranks: int) -> dict[str, Cell]:
    return {
        "operation": "call",
        "blocks": lambda row: f"{format_bytes(row.from_bytes)} to {format_bytes(row.below_bytes)}",
        "algorithm": "algorithm",
        "calls": ("calls", lambda calls: f"{calls / ranks:.0f}"),
        "time": ("seconds", per_rank),
        "saved": ("saved_s", per_rank),
    }
