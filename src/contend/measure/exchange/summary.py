"""What the exchange library says at the end of a program: its calls, and what they took."""

from pathlib import Path
from typing import ClassVar, Literal

from pydantic import Field

from contend.base.document import Document, Record, read_document
from contend.base.textfile import read_text


class ExchangedRow(Record):
    """Calls of one operation with blocks of one class of sizes that one algorithm served."""

    call: Literal["MPI_Alltoall", "MPI_Alltoallv"]
    from_bytes: int = Field(ge=0, description="of a block; of MPI_Alltoallv the mean")
    below_bytes: int
    algorithm: str
    calls: int
    bytes: int = Field(description="sent, what stays at the rank included")
    seconds: float
    saved_s: float | None = Field(description="null where the library's own time is not known")


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


def read_summary(path: Path) -> ExchangeSummary | None:
    """The summary in a file, None where there is none.

    Raises
    ------
    FileFormatError
        For a file that cannot be read, or holds something else.
    """
    if not path.exists():
        return None
    return read_document(ExchangeSummary, read_text(path, errors="replace"), str(path))
