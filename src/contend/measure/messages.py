"""What campaigns of given messages share: the program that sends them, and samples of its points.

Idea: the program of contention graphs reads from a file which messages it sends. Every point is
stored as soon as it is measured, so that whoever opens the file again goes on behind it.
"""

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Generic, TypeVar

from pydantic import ValidationError

from contend.clusters.sample import PairSample
from contend.document import first_problem
from contend.errors import LaunchError
from contend.graphs.sample import GraphSample
from contend.lab.running import RunningLab
from contend.links.sample import LinkSample
from contend.measure.build import Program, built_folder
from contend.measure.campaign import Progress, Report
from contend.measure.command import LaunchOptions
from contend.measure.mpi import MPI
from contend.measure.points import points_of, require_same_origin
from contend.measure.scratch import scratch
from contend.samples import Provenance
from contend.samples.store import RecordStore
from contend.wholefile import write_whole

AnySample = TypeVar("AnySample", bound=GraphSample | LinkSample | PairSample)
START_BY_BARRIER = "clocks that differ or a clock too coarse do this; try --start barrier"


class MessageCampaign(Generic[AnySample]):
    """Base of launches of one MPI library into one file of samples."""

    def __init__(
        self,
        mpi: MPI,
        store: RecordStore[AnySample],
        options: LaunchOptions,
        report: Report | None,
        lab: RunningLab | None,
    ) -> None:
        self.mpi, self.options = mpi, options
        self._store, self._report, self._lab = store, report, lab
        self._planned = self._measured = 0
        self.samples = store.existing()

    def _points_of(
        self, program: Program, n: int, sizes: Sequence[int], title: str
    ) -> Generator[tuple[dict[str, Any], Provenance], None, None]:
        """Points of one launch, and with what they were taken."""
        return points_of(self.mpi, program, n, sizes, self.options, self._lab, self._accept, title)

    def _accept(self, data: Mapping[str, Any], new: Provenance) -> None:
        """Raise an error where a launch, which begins so, does not belong into the file."""
        require_same_origin(self._store.path, (s.provenance for s in self.samples), new)

    def _made(self, point: Mapping[str, Any], what: str, remedy: str, **others: Any) -> AnySample:
        """The sample of a point; an error where its times cannot be."""
        try:
            return self._store.kind(m=point["m"], lab=point.get("lab"), **others)
        except ValidationError as error:
            raise LaunchError(f"{what} cannot be: {first_problem(error)}", remedy) from None

    def _keep(self, sample: AnySample, what: str, seconds: float) -> None:
        """Store a sample, and report it in words with the time that it took."""
        self._store.append(sample)
        self.samples.append(sample)
        self._measured += 1
        if self._report:
            planned = max(self._planned, self._measured)
            self._report(Progress(what, seconds, self._measured, planned))


@contextmanager
def program_sending(
    mpi: MPI, kind: str, messages: Mapping[str, Sequence[tuple[int, int]]], n: int, mode: str
) -> Iterator[Program]:
    """The program with a file of messages, while the context lasts; points have their names.

    The file is in the cache folder, which every host that starts the program sees.
    """
    folder = built_folder(mpi)
    lines = ["contend-graphs 1"]
    for name, edges in messages.items():
        lines.append(" ".join([name, *(f"{src}>{dst}" for src, dst in edges)]))
    with scratch(folder.parent, f"{kind}-") as place:
        path = place / kind
        write_whole(path, "\n".join(lines) + "\n")
        yield Program(
            "graph",
            folder / "graph",
            experiment=kind,
            algorithms=tuple(messages),
            processes_min=n,
            processes_max=None,
            arguments=(str(path), mode),
        )
