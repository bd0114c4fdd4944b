"""A program under the exchange library on the console: what served its calls, what that saved."""

from contend.cli import output
from contend.measure.exchange.summary import ExchangeSummary
from contend.units import format_bytes, format_seconds

NOTHING = (
    "no summary: no rank 0 with the exchange library made an MPI_Alltoall or MPI_Alltoallv and "
    "then came to MPI_Finalize"
)


def show_summary(summary: ExchangeSummary | None) -> None:
    """A table on standard error, as standard output is the program's; numbers are per rank."""
    if summary is None:
        output.note(NOTHING)
        return
    rows = [
        {
            "operation": row.call,
            "blocks": f"{format_bytes(row.from_bytes)} to {format_bytes(row.below_bytes)}",
            "algorithm": row.algorithm,
            "calls": f"{row.calls / summary.ranks:.0f}",
            "time": format_seconds(row.seconds / summary.ranks),
            "saved": "–" if row.saved_s is None else format_seconds(row.saved_s / summary.ranks),
        }
        for row in summary.rows
    ]
    title = f"the exchange library, of {summary.ranks} ranks" if summary.ranks > 1 else (
        f"the exchange library, {summary.scope}"
    )  # fmt: skip
    check = summary.check
    if rows:
        console = output.messages()
        width = None if console.is_terminal else 160
        console.print(
            output.table(output.by_columns(rows), title=f"{title}: per rank"), width=width
        )
    if check.sizes:
        output.note(
            f"finding out took {format_seconds(check.seconds / summary.ranks)} per rank, in "
            f"{check.calls / summary.ranks:.0f} calls of {check.sizes / summary.ranks:.0f} sizes"
        )
