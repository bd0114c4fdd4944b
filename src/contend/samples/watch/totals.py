"""What calls of one kind cost over all jobs.

Calls are of one kind that have operation, ranks, nodes, class of sizes, MPI library and algorithm
in common. Durations are those of each rank, waiting for others included; from the calls that all
ranks kept follows what of it is waiting, and what a call takes from its last begin to its last end.
"""

from array import array
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np

from contend.base.document import Floats
from contend.samples.watch.record import RATIO, CallRecord, JobRecord

# Of these no rank can end before the last one has begun, so that whoever began before has waited.
WAITS_FOR_ALL = frozenset(
    ("alltoall", "alltoallv", "alltoallw", "allgather", "allgatherv", "allreduce", "barrier",
     "reduce_scatter", "reduce_scatter_block")
)  # fmt: skip
FEWEST = 5  # calls that tell what an algorithm takes
_COMMON = attrgetter("operation", "n", "nodes", "ppn", "size", "algorithm")
TOGETHER = 0.1  # of a call's time: ranks that begin no farther apart have begun together


class Place(NamedTuple):
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


class Total:
    """Sums over ranks and jobs, and the sampled calls."""

    def __init__(self) -> None:
        self.calls, self.bytes, self.seconds = 0, 0, 0.0
        self.bins: defaultdict[int, int] = defaultdict(int)
        self._times = array("d")  # of calls that all ranks kept: spread at most, together, waited

    def add(self, row: CallRecord, clock_error: float) -> None:
        self.calls += row.calls
        self.bytes += row.bytes
        self.seconds += row.seconds
        bins, n, error, times = self.bins, row.n, 2 * clock_error, list[float]()
        for index, count in row.bins:
            bins[index] += count
        for _, ranks, spread, together, waited in row.samples:
            if ranks == n:
                times += (spread + error, together, waited)
        self._times.fromlist(times)

    @property
    def m(self) -> float:
        return self.bytes / self.calls if self.calls else 0.0

    def sampled(self) -> "Sampled":
        spread, took, waited = np.array(self._times).reshape(-1, 3).T
        return Sampled(took, waited, took[spread <= TOGETHER * took])


class Sampled(NamedTuple):
    """Sampled calls: seconds from the last begin to the last end, and of a rank until then.

    `together` is the former of those calls alone whose ranks began together. Arrays (k,).
    """

    took: Floats
    waited: Floats
    together: Floats

    def waiting(self, operation: str) -> float | None:
        """Return the share of a rank's time in which it waits for the last one, an estimate."""
        whole = float(self.took.sum() + self.waited.sum())
        if operation not in WAITS_FOR_ALL or not whole > 0:
            return None
        return float(self.waited.sum()) / whole

    def usual(self) -> Floats:
        """Return the times of calls that ranks began together, of all where these are too few.

        That is not longer than these would be, as some ranks did their part before.
        """
        return self.together if self.together.size >= FEWEST else self.took


@dataclass
class Totals:
    """Calls by kind, and the jobs that they are of."""

    kinds: dict[Kind, Total] = field(default_factory=dict)
    jobs: int = 0
    seconds: float = 0.0  # of all ranks, from MPI_Init to the end
    not_kept: int = 0
    others: dict[str, int] = field(default_factory=dict)  # calls that are counted by name alone
    # The same as `kinds`: a tuple of a row's attributes is made in a tenth of the time.
    _totals: dict[tuple[str, Any], Total] = field(default_factory=dict, repr=False)

    def add(self, job: JobRecord) -> None:
        self.jobs += 1
        self.seconds += job.ranks * job.seconds
        self.not_kept += job.not_kept
        for name, count in job.other_calls.items():
            self.others[name] = self.others.get(name, 0) + count
        for row in job.calls:
            common = (job.library, _COMMON(row))
            total = self._totals.get(common)
            if total is None:
                place = Place(row.operation, row.n, row.nodes, row.ppn, row.size)
                kind = Kind(place, job.library, row.algorithm)
                total = self._totals[common] = self.kinds[kind] = Total()
            total.add(row, job.clock_error)

    @property
    def collective(self) -> float:
        return sum(kind.seconds for kind in self.kinds.values())


def totals_of(jobs: Iterable[JobRecord]) -> Totals:
    totals = Totals()
    for job in jobs:
        totals.add(job)
    return totals


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
