"""One sample: every repetition of one point of an experiment in one launch."""

from abc import abstractmethod
from datetime import UTC, datetime
from typing import Any, ClassVar, Literal

from pydantic import Field, field_validator, model_validator

from contend.base.document import Document, Processes, Record, Size
from contend.base.units import MOST_PROCESSES
from contend.samples.lab import LabConditions, Seconds
from contend.samples.setting import OF_LIBRARY, setting_of

Start = Literal["window", "barrier", "local", "production", "unknown"]
PRODUCTION: Start = "production"  # calls of programs that were watched, which ranks began together
Statistic = Literal["repetition", "mean", "median", "minimum"]
SHORTEST = 1e-12  # seconds that a clock can tell from none; squares of what is shorter vanish


class Provenance(Record):
    """Where, when and with what a sample was taken; what a foreign file does not say is absent."""

    source: str = Field(description="'contend <version>', or the reader and the file it read")
    date: str | None = Field(None, description="start of the launch, ISO 8601 with time zone")
    mpi_library: str | None = Field(None, description="what MPI_Get_library_version says")
    mpi_standard: str | None = None
    file_sha256: str | None = Field(None, description="of the foreign file that was read")
    hosts: tuple[str, ...] = ()
    nodes: int | None = Field(None, ge=1)
    kernel: str | None = None
    cpu: str | None = None
    cores_available: int | None = Field(
        None, ge=1, description="to the ranks of a host, fewest over the hosts"
    )
    is_oversubscribed: bool | None = None
    clock_resolution: Seconds | None = Field(None, description="seconds")
    clocks: int | None = Field(
        None, ge=1, description="different clocks of the ranks; synchronised where they are several"
    )
    start_note: str | None = Field(
        None, description="why the ranks could not start by a common clock, where they could not"
    )
    congestion_control: str | None = Field(None, description="of TCP, on rank 0's host")
    command: tuple[str, ...] = ()
    environment: tuple[str, ...] = Field((), description="variables set for the launch")
    lab: str | None = Field(
        None, description="name of the emulated network; absent on real machines"
    )
    time_dilation: float | None = Field(
        None,
        gt=0,
        le=1e6,
        description="how many times slower the emulated network is than its model",
    )

    @field_validator("date")
    @classmethod
    def _is_a_date(cls, date: str | None) -> str | None:
        if date is not None:
            try:
                datetime.fromisoformat(date)
            except ValueError:
                raise ValueError("should be a date such as 2026-01-31 12:00:00+00:00") from None
        return date

    @property
    def started(self) -> datetime | None:
        if self.date is None:
            return None
        date = datetime.fromisoformat(self.date)
        return date if date.tzinfo else date.replace(tzinfo=UTC)


class Launched(Document):
    """What any record says of the launch it was taken in, beside what was called or sent there."""

    launch: int = Field(
        0, ge=0, le=2**31 - 1, description="repeats of the same point in launches of their own"
    )
    start: Start = Field("unknown", description="how the ranks were started together")
    late_starts: int = Field(0, ge=0, description="repetitions that a rank began too late")
    start_skew_s: Seconds | None = Field(
        None, description="how far apart the ranks' clocks got, largest seen; absent without one"
    )
    start_skew_bound_s: Seconds | None = Field(
        None, description="as much as start_skew_s may be wrong for a rank: half of round trips"
    )
    lab: LabConditions | None = Field(None, description="of an emulated network, meanwhile")
    provenance: Provenance

    @property
    @abstractmethod
    def point(self) -> tuple[Any, ...]:
        """What tells this record from the others of a file."""

    @property
    def is_emulated(self) -> bool:
        return self.lab is not None or self.provenance.lab is not None

    @property
    def is_of_production(self) -> bool:
        """Whether programs were watched, and not a benchmark."""
        return self.start == PRODUCTION

    @property
    def is_flagged(self) -> bool:
        """Whether the emulated network could not keep up, so that no fit should see this."""
        return self.lab is not None and self.lab.is_over_limits


SINGLE_MESSAGES = ("pingpong", "plogp")  # experiments between two processes


class Call(Record):
    """What was called, and its times.

    The value of a repetition depends on the experiment: the time until the slowest rank ends for
    a collective; half a round trip for `pingpong`; for `plogp` what its algorithm names.
    """

    experiment: str = Field(min_length=1, description="pingpong, plogp, alltoall, ...")
    algorithm: str = Field(min_length=1, description="native for the MPI library's own choice")
    n: Processes = Field(description="processes")
    processes_per_node: int | None = Field(
        None, ge=1, le=MOST_PROCESSES, description="largest over the nodes"
    )
    m: Size = Field(description="bytes per message; per pair of processes in an alltoall")
    statistic: Statistic = Field("repetition", description="what one entry of times_s is")
    times_s: tuple[Seconds, ...] = Field(min_length=1, description="in the order measured")
    warmup_s: tuple[Seconds, ...] = Field((), description="left out of times_s")
    rank_times_s: tuple[tuple[Seconds, ...], ...] | None = Field(
        None, description="per repetition, per rank"
    )
    stopped: Literal["precision", "max_repetitions", "max_seconds"] | None = None
    interval_relative: float | None = Field(
        None, ge=0, description="half the 95 % interval of the median over the median"
    )
    precision: float | None = Field(None, gt=0, description="the interval_relative asked for")
    parameters: dict[str, float | bool] | None = Field(
        None, description="what the program chose itself, e.g. the length of a train of messages"
    )
    conditions: dict[str, str] | None = Field(
        None,
        description="what a benchmark was given that departs from its default: memory, datatype, "
        "reduction, in_place, root, ...; other conditions are another series",
    )
    cpu_busy: float | None = Field(
        None, ge=0, le=1, description="share of the time that the cores of rank 0's machine worked"
    )
    cpu_wait: float | None = Field(
        None, ge=0, le=1, description="share of their time that ranks ready to run had no core"
    )


class Sample(Launched, Call):
    """One line of a samples file: calls of one experiment, algorithm, n and m in one launch."""

    schema_name: ClassVar[str] = "contend.samples"
    schema_version: ClassVar[int] = 1

    @model_validator(mode="before")
    @classmethod
    def _has_the_name_of_the_catalogue(cls, data: object) -> object:
        """The rotated exchange was called direct once, which is another algorithm."""
        if isinstance(data, dict) and data.get("algorithm") == "direct":
            provenance = data.get("provenance")
            command = provenance.get("command") if isinstance(provenance, dict) else None
            words = map(str, command) if isinstance(command, list) else ()
            if any("/alltoall_direct" in word for word in words):
                return data | {"algorithm": "rotated"}
        return data

    @field_validator("times_s")
    @classmethod
    def _has_a_duration(cls, times: tuple[float, ...]) -> tuple[float, ...]:
        if not any(times):
            raise ValueError("every repetition took 0 s, which no message can")
        if any(0 < time < SHORTEST for time in times):
            raise ValueError(f"a time is 0 s, or {SHORTEST:g} s and longer; check its unit")
        return times

    @model_validator(mode="after")
    def _has_ranks_of_each_repetition(self) -> "Sample":
        ranks = self.rank_times_s
        if ranks is not None and len(ranks) != len(self.times_s):
            raise ValueError(
                f"rank_times_s of {len(ranks)} repetitions, times_s of {len(self.times_s)}"
            )
        return self

    @property
    def median(self) -> float:
        ordered, half = sorted(self.times_s), len(self.times_s) // 2
        return (ordered[half] + ordered[-half - 1]) / 2 if half else ordered[0]

    @property
    def setting(self) -> str:
        if self.conditions or (self.parameters and OF_LIBRARY in self.algorithm):
            return setting_of(self.algorithm, self.parameters, self.conditions)
        return self.algorithm

    @property
    def series(self) -> tuple[str, str, int, int | None]:
        """What points have in common that differ in size and launch."""
        return (self.experiment, self.setting, self.n, self.processes_per_node)

    @property
    def point(self) -> tuple[str, str, int, int | None, int, int]:
        """What tells this sample from the others of a file."""
        return (*self.series, self.m, self.launch)

    @property
    def where(self) -> str:
        return f"{self.experiment}/{self.setting} n={self.n} m={self.m} launch {self.launch}"
