"""A campaign: launches whose points are stored as they come, resumed where it was stopped."""

from collections.abc import Callable, Collection, Generator, Hashable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any, Generic

from contend.base.records import RecordStore
from contend.measure.build import Program
from contend.measure.command import LaunchOptions
from contend.measure.emulation import require_hosts
from contend.measure.lab.session import RunningLab
from contend.measure.limits import Limits
from contend.measure.mpi import MPI
from contend.measure.points import points_of, require_same_origin
from contend.samples import Provenance, quality
from contend.samples.quality import AnyRecord


@dataclass(frozen=True)
class Progress:
    """What has just been measured, its median, and how far the campaign is."""

    title: str
    seconds: float
    done: int
    planned: int


Report = Callable[[Progress], None]


@dataclass(frozen=True)
class Listener:
    """Who hears of campaigns while they run; by itself nobody.

    `note` takes a sentence; `progress` a title, and gives what is called with each point.
    """

    note: Callable[[str], object] = lambda _: None
    progress: Callable[[str], AbstractContextManager[Report | None]] = lambda _: nullcontext()


SILENT = Listener()


@dataclass(frozen=True)
class Runner:
    """By what and how the launches of a campaign are run, where, and for how long."""

    mpi: MPI
    options: LaunchOptions
    report: Report | None = None
    lab: RunningLab | None = None
    limits: Limits = field(default_factory=Limits)


class Campaign(Generic[AnyRecord]):
    """Launches of one MPI library into one file of samples.

    Every point is stored as soon as it is measured; a point that the file holds already is not
    measured again, unless the emulated network was late: the new sample then replaces the old one
    for all who read the file.
    """

    def __init__(self, runner: Runner, store: RecordStore[AnyRecord]) -> None:
        self.mpi, self.options, self.limits = runner.mpi, runner.options, runner.limits
        self._store, self._report, self._lab = store, runner.report, runner.lab
        self._planned = self._measured = self._disturbed = 0
        self._ahead = 0  # points that will be planned when it is known which
        self.samples = store.existing()
        standing = [sample for sample in quality.standing(self.samples) if self.is_wanted(sample)]
        self._done: set[Any] = {self._point(sample) for sample in standing}
        self._flagged: set[Any] = {self._point(sample) for sample in standing if sample.is_flagged}

    def is_wanted(self, sample: AnyRecord) -> bool:
        """Whether a sample of the file is as this campaign takes its own."""
        return True

    def _point(self, sample: AnyRecord) -> Hashable:
        return sample.point

    @property
    def _good(self) -> set[Any]:
        """Points that need not be measured again."""
        return self._done - self._flagged

    def _points_of(
        self,
        program: Program,
        n: int,
        sizes: Sequence[int],
        options: LaunchOptions,
        title: str,
        in_order: Sequence[str] = (),
    ) -> Generator[tuple[dict[str, Any], Provenance], None, None]:
        return points_of(
            self.mpi, program, n, sizes, options, self._lab, self._accept, title, in_order
        )

    def _require_room(self, counts: Collection[int]) -> None:
        if self._lab and counts:
            require_hosts(self._lab.lab, tuple(counts), self.options.processes_per_node)

    def _accept(self, data: Mapping[str, Any], new: Provenance) -> None:
        """Raise an error where a launch, which begins so, does not belong into the file."""
        require_same_origin(self._store.path, (sample.provenance for sample in self.samples), new)

    def _keep(self, sample: AnyRecord, title: str, seconds: float) -> None:
        self._store.append(sample)
        point = self._point(sample)
        self._done.add(point)
        (self._flagged.add if sample.is_flagged else self._flagged.discard)(point)
        self.samples.append(sample)
        self._measured += 1
        self._disturbed += sample.is_flagged
        if self._report:
            planned = max(self._planned + self._ahead, self._measured)
            self._report(Progress(title, seconds, self._measured, planned))
