"""The record that a watched job leaves in a site's file, one JSON object a line.

The library that is preloaded writes it (`mpi/interpose/watch`). A file of a site holds thousands of
jobs, so rows and their parts are plain objects, which pydantic checks while it parses.
"""

from dataclasses import dataclass
from typing import Annotated, Literal, TypeVar

from pydantic import ConfigDict, Field, ValidationError
from pydantic_core import from_json

from contend.base.document import Record, first_problem
from contend.base.errors import FileFormatError
from contend.base.kinds import mistaken
from contend.base.units import MOST_BYTES, MOST_PROCESSES

FORMAT, VERSION = "contend-watch", 1
KILLED = "killed"  # how a job ended whose ranks' last lines alone are there
ALPHA = 0.05  # relative error of a duration by its bin
RATIO = (1 + ALPHA) / (1 - ALPHA)  # of the limits of a bin; bin i ends at RATIO^i nanoseconds

Amount = Annotated[int, Field(ge=0, le=2**63)]
Seconds = Annotated[float, Field(ge=0, le=1e15)]  # of all ranks
Text = Annotated[str, Field(min_length=1, max_length=1000)]
Ranks = Annotated[int, Field(ge=1, le=MOST_PROCESSES)]
Size = Annotated[int, Field(ge=0, le=MOST_BYTES)]
Bin = tuple[Annotated[int, Field(ge=0, le=500)], Amount]  # 500: ten thousand years
Matched = tuple[Size, Ranks, Seconds, Seconds, Seconds]
Instant = Annotated[int, Field(ge=-(2**63), lt=2**63)]  # nanoseconds of the common clock
Noted = tuple[Size, Annotated[str, Field(pattern="^[0-9a-f]{16}$")], Amount, Instant, Instant]


@dataclass(frozen=True, slots=True)
class _Calls:
    """Calls of one operation among as many ranks, of one class of sizes, by one algorithm."""

    operation: Text
    n: Ranks
    nodes: Ranks
    ppn: Ranks | None  # None: nodes hold unequal numbers
    size: Size  # the power of two that bounds the bytes of a block from above; 0 for none
    algorithm: Text | None  # None: the library does not tell
    calls: Amount  # of all ranks, as are bytes (of blocks) and seconds
    bytes: Annotated[int, Field(ge=0, le=10**30)]
    seconds: Seconds
    bins: tuple[Bin, ...]


@dataclass(frozen=True, slots=True)
class CallRecord(_Calls):
    """Calls of a job, with some that all ranks kept.

    A sample is its bytes (mean over the ranks), ranks, seconds from the first begin to the last,
    from the last begin to the last end, and from a rank's begin to the last one, in the mean.
    """

    samples: tuple[Matched, ...]


@dataclass(frozen=True, slots=True)
class RankCallRecord(_Calls):
    """Calls of a rank; a sample is bytes, communicator, ordinal there, begin and end (ns)."""

    samples: tuple[Noted, ...]


class _Head(Record):
    """What a job says of itself."""

    model_config = ConfigDict(strict=True)

    format: Literal["contend-watch"]
    version: Literal[1]
    job: str = Field(pattern="^[0-9a-f]{16}$", description="random, of each start of MPI")
    name: Text | None = Field(description="that was given; null for none")
    began: float = Field(ge=0, le=1e11, description="seconds since 1970")
    seconds: float = Field(ge=0, le=1e9, description="from MPI_Init to its end, slowest rank")
    ranks: Ranks
    nodes: Ranks
    library: Text = Field(description="MPI library and version")
    clock_error: float = Field(
        ge=0, le=1e9, description="largest bound of a comparison of clocks, seconds"
    )
    ended: Text | None = Field(description="finalize, or how else; null of a rank that goes on")
    not_kept: Amount = Field(description="calls for which no memory was left")
    other_calls: dict[Text, Amount] = Field(description="calls that are counted by name alone")


class JobRecord(_Head):
    """A job: where it ran, how long, and its calls."""

    model_config = ConfigDict(title=FORMAT)

    calls: tuple[CallRecord, ...]


class RankRecord(_Head):
    rank: Annotated[int, Field(ge=0, le=MOST_PROCESSES)]
    complete: Literal[False]
    calls: tuple[RankCallRecord, ...]


def job_of(line: bytes, where: str) -> JobRecord:
    try:
        return _checked(JobRecord.model_validate_json(line), where)
    except ValidationError as error:
        raise _explained(line, where, error) from None


def rank_of(line: bytes, where: str) -> RankRecord:
    try:
        record = _checked(RankRecord.model_validate_json(line), where)
        if record.rank >= record.ranks:
            raise FileFormatError(f"{where} is of rank {record.rank} of {record.ranks}", _RESTORE)
        return record
    except ValidationError as error:
        raise _explained(line, where, error) from None


def is_torn(line: bytes) -> bool:
    """Return whether a line is the begin of a JSON object: its writer was killed."""
    if not line.lstrip().startswith(b"{"):
        return False
    try:
        from_json(line.rstrip(b"\r\n"))
    except ValueError as error:
        return str(error).startswith("EOF")
    return False


AnyRecord = TypeVar("AnyRecord", JobRecord, RankRecord)


def _checked(record: AnyRecord, where: str) -> AnyRecord:
    for number, row in enumerate(record.calls):
        fault = _fault(record.ranks, row)
        if fault is not None:
            raise FileFormatError(
                f"{where}: calls.{number} ({row.operation}) has {fault}", _RESTORE
            )
    return record


def _fault(ranks: int, row: _Calls) -> str | None:
    """Return which numbers of a row disagree, in a job of so many ranks."""
    if row.n > ranks:
        return "more ranks in a communicator than the job has"
    if row.nodes > row.n:
        return "more nodes than ranks"
    if row.ppn and row.ppn * row.nodes < row.n:
        return "more ranks than its nodes hold"
    if row.bytes > row.calls * row.size:
        return "more bytes than calls of its size carry"
    if sum([count for _, count in row.bins]) > row.calls:  # a list: in half the time
        return "more durations in its bins than calls"
    return None


_RESTORE = "restore the line or remove it; 'contend list schema watch' prints its rules"


def _explained(line: bytes, where: str, error: ValidationError) -> FileFormatError:
    """Return what is wrong with a line that is no record."""
    text = line.decode(errors="replace")
    try:
        data = from_json(line)
    except ValueError as reason:
        return FileFormatError(f"{where} is not JSON: {reason}", _RESTORE)
    name = data.get("format") if isinstance(data, dict) else None
    if name != FORMAT:
        problem = f"has the format {name!r}" if name else "does not say what it is"
        return mistaken(where, text, FORMAT) or FileFormatError(
            f"{where} {problem}, not {FORMAT!r}", "name a file that 'contend watch' has written"
        )
    if data.get("version") != VERSION:
        return FileFormatError(
            f"{where} has version {data.get('version')!r} of {FORMAT!r}, this contend reads "
            f"version {VERSION}",
            "read it with the contend that wrote it, or a newer one",
        )
    return FileFormatError(f"{where}: {first_problem(error)}", _RESTORE)
