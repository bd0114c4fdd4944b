"""What the exchange library says at the end of a program: its calls, and what they took."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import ClassVar, Literal

from pydantic import Field

from contend.base.document import Document, Record, read_document
from contend.base.result import Cell, Part, Table
from contend.base.textfile import read_text
from contend.base.units import format_bytes, format_seconds

NOTHING = (
    "no summary: no rank 0 with the exchange library made an all-to-all exchange and then "
    "came to MPI_Finalize"
)


class ExchangedRow(Record):
    """Calls of one operation with blocks of one class of sizes that one algorithm served."""

    call: Literal["MPI_Alltoall", "MPI_Alltoallv", "MPI_Alltoallw"]
    from_bytes: int = Field(ge=0, description="of a block; where they differ the mean")
    below_bytes: int
    algorithm: str
    calls: int
    bytes: int = Field(description="sent, what stays at the rank included")
    seconds: float
    saved_s: float | None = Field(description="null where the library's own time is not known")


class UnservedCalls(Record):
    call: str
    calls: int


class Checked(Record):
    """What finding out took, beyond the time of the calls as they were decided."""

    sizes: int
    calls: int
    seconds: float


class ExchangeSummary(Document):
    """All rows; calls, bytes and seconds are sums over the ranks in `scope`."""

    schema_name: ClassVar[str] = "contend.exchange-summary"
    schema_version: ClassVar[int] = 1

    scope: Literal["sums over all ranks", "rank 0 alone"]
    ranks: int = Field(ge=1, description="that are in the sums")
    check: Checked
    rows: tuple[ExchangedRow, ...]
    unserved: tuple[UnservedCalls, ...] = ()


def read_summary(path: Path) -> ExchangeSummary | None:
    """The summary in a file, None where there is none.

    Raise FileFormatError for a file that cannot be read, or holds something else.
    """
    if not path.exists():
        return None
    return read_document(ExchangeSummary, read_text(path, errors="replace"), str(path))


def summary_parts(summary: ExchangeSummary | None) -> Iterator[Part]:
    """Show what served the calls of a program and what that saved; numbers are per rank."""
    if summary is None:
        yield NOTHING
        return
    check, ranks = summary.check, summary.ranks
    if summary.rows:
        scope = f"of {ranks} ranks" if ranks > 1 else summary.scope
        columns = _columns(lambda total: format_seconds(total / ranks), ranks)
        yield Table(summary.rows, columns, f"the exchange library, {scope}: per rank")
    if check.sizes:
        yield (
            f"finding out took {format_seconds(check.seconds / ranks)} per rank, in "
            f"{check.calls / ranks:.0f} calls of {check.sizes / ranks:.0f} sizes"
        )
    if summary.unserved:
        calls = (f"{row.call} {row.calls / ranks:.0f}" for row in summary.unserved)
        yield f"left to the MPI library, calls per rank: {', '.join(calls)}"


def _columns(per_rank: Callable[[float], str], ranks: int) -> dict[str, Cell]:
    return {
        "operation": "call",
        "blocks": lambda row: f"{format_bytes(row.from_bytes)} to {format_bytes(row.below_bytes)}",
        "algorithm": "algorithm",
        "calls": ("calls", lambda calls: f"{calls / ranks:.0f}"),
        "time": ("seconds", per_rank),
        "saved": ("saved_s", per_rank),
    }
