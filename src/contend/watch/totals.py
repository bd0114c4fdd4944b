"""What calls of one kind cost over all jobs.

Calls are of one kind that have operation, ranks, nodes, class of sizes, MPI library and algorithm
in common. Durations are those of each rank, waiting for others included; from the calls that all
ranks kept follows what of it is waiting, and what a call takes from its last begin to its last end.
"""

from array import array
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from contend.watch.record import RATIO, CallRecord, JobRecord

# Of these no rank can end before the last one has begun, so that whoever began before has waited.
WAITS_FOR_ALL = frozenset(
    ("alltoall", "alltoallv", "alltoallw", "allgather", "allgatherv", "allreduce", "barrier",
     "reduce_scatter", "reduce_scatter_block")
)  # fmt: skip
TOGETHER = 0.1  # of a call's time: ranks that begin no farther apart have begun together


class Place(NamedTuple):
    """Where algorithms can take each other's place."""

    operation: str
    n: int
    nodes: int
    ppn: int | None
    size: int


class Kind(NamedTuple):
    """What calls have in common."""

    place: Place
    library: str
    algorithm: str | None


@dataclass(slots=True)
class Total:
    """Sums over ranks and jobs, and the sampled calls.

    `waited` and `took` are sums over the sampled calls, seconds of a rank; `together` and `sampled`
    the seconds from last begin to last end of those whose ranks began together, and of all.
    """

    calls: int = 0
    bytes: int = 0
    seconds: float = 0.0
    bins: dict[int, int] = field(default_factory=dict)
    waited: float = 0.0
    took: float = 0.0
    together: array[float] = field(default_factory=lambda: array("d"))
    sampled: array[float] = field(default_factory=lambda: array("d"))

    def add(self, row: CallRecord, clock_error: float) -> None:
        """Add calls of a job, of which a comparison of clocks may be so far off."""
        self.calls += row.calls
        self.bytes += row.bytes
        self.seconds += row.seconds
        bins = self.bins
        for index, count in row.bins:
            bins[index] = bins.get(index, 0) + count
        for _, ranks, spread, took, waited in row.samples:
            if ranks != row.n:
                continue
            self.waited += waited
            self.took += took
            self.sampled.append(took)
            if spread + 2 * clock_error <= TOGETHER * took:
                self.together.append(took)

    @property
    def m(self) -> float:
        """Mean bytes of a block."""
        return self.bytes / self.calls if self.calls else 0.0

    def quantile(self, share: float) -> float | None:
        """Seconds that this share of the durations does not exceed, to 5 %; None without any."""
        return quantile(self.bins, share)


@dataclass
class Totals:
    """Calls by kind, and the jobs that they are of."""

    kinds: dict[Kind, Total] = field(default_factory=dict)
    jobs: int = 0
    seconds: float = 0.0  # of all ranks, from MPI_Init to the end
    not_kept: int = 0
    others: dict[str, int] = field(default_factory=dict)  # calls that are counted by name alone

    def add(self, job: JobRecord) -> None:
        """Add a job."""
        self.jobs += 1
        self.seconds += job.ranks * job.seconds
        self.not_kept += job.not_kept
        for name, count in job.other_calls.items():
            self.others[name] = self.others.get(name, 0) + count
        for row in job.calls:
            place = Place(row.operation, row.n, row.nodes, row.ppn, row.size)
            kind = Kind(place, job.library, row.algorithm)
            if kind not in self.kinds:
                self.kinds[kind] = Total()
            self.kinds[kind].add(row, job.clock_error)

    @property
    def collective(self) -> float:
        """Seconds of all ranks in collective calls."""
        return sum(one.seconds for one in self.kinds.values())


def totals_of(jobs: Iterable[JobRecord]) -> Totals:
    """Return the sums over jobs."""
    totals = Totals()
    for job in jobs:
        totals.add(job)
    return totals


def waiting(kinds: Iterable[tuple[Kind, Total]]) -> float | None:
    """Return the share of the time that ranks wait for the last one, from the sampled calls.

    An estimate: each kind counts by its time. None where no call of all ranks was kept, or where
    ranks may leave before the last one comes.
    """
    waited = seconds = 0.0
    for kind, one in kinds:
        if kind.place.operation in WAITS_FOR_ALL and one.took + one.waited > 0:
            waited += one.seconds * one.waited / (one.took + one.waited)
            seconds += one.seconds
    return waited / seconds if seconds else None


def quantile(bins: Mapping[int, int], share: float) -> float | None:
    """Return the seconds that a share of durations does not exceed, within 5 %.

    Source: Masson, Rim, Lee 2019, "DDSketch", PVLDB 12(12), algorithm 2.

    >>> quantile({50: 1, 100: 99}, 0.5) == quantile({100: 1}, 0.5)
    True
    """
    rank, below = share * (sum(bins.values()) - 1), 0
    for index in sorted(bins):
        below += bins[index]
        if below > rank:
            return 2e-9 * RATIO**index / (RATIO + 1)
    return None
