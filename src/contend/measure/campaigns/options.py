"""Where and by which MPI a campaign measures, how often, for how long, and who hears of it."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from contend.base.result import Line, Result
from contend.measure.command import LaunchOptions
from contend.measure.limits import Limits
from contend.measure.mpi import MPI, find_mpi
from contend.measure.place import HERE, Place
from contend.measure.place import place as place_of
from contend.measure.runner import SILENT, Listener, Runner
from contend.samples.sample import Launched


@dataclass(frozen=True)
class MeasureOptions:
    """Options of every campaign; None leaves a value to the place or to what is measured.

    `on` is here, auto, lab:NAME or a file; `mpicc` and `mpiexec` name the MPI; `precision` is the
    share to which the median is to be known; `max_seconds` and the numbers of repetitions are of
    one point of one launch; a launch hangs that gives no point for `timeout` seconds; all that is
    measured takes at most so many `minutes`.
    """

    on: str = HERE
    mpicc: str | None = None
    mpiexec: str | None = None
    processes_per_node: int | None = None
    timeout: float | None = None
    launches: int | None = None
    precision: float = 0.05
    max_seconds: float | None = None
    max_repetitions: int | None = None
    min_repetitions: int | None = None
    warmup: int | None = None
    start: str = "auto"
    per_rank: bool = False
    minutes: float | None = None
    seed: int = 1
    listener: Listener = SILENT

    @cached_property
    def mpi(self) -> MPI:
        return find_mpi(self.mpicc, self.mpiexec)

    def place(self, existing: Sequence[Launched]) -> Place:
        """Return where to measure; a campaign that has samples goes on where they were taken."""
        is_launched = bool(self.mpiexec or self.processes_per_node)
        return place_of(self.on, self.mpi, is_launched, existing, self.listener)

    def launch_options(self, place: Place, **others: Any) -> LaunchOptions:
        given = {
            "precision": self.precision,
            "min_repetitions": self.min_repetitions,
            "warmup": self.warmup,
            "max_seconds": self.max_seconds or 0.5,
            "max_repetitions": self.max_repetitions or max(500, self.min_repetitions or 0),
            "start": self.start,
            "per_rank": self.per_rank,
            "processes_per_node": self.processes_per_node,
            "timeout": self.timeout or 60.0,
        }
        return place.launch_options(**(given | others))

    @contextmanager
    def running(
        self,
        place: Place,
        path: Path,
        launched: LaunchOptions,
        *,
        title: str = "measuring",
        bears_losses: bool = False,
    ) -> Iterator[Runner]:
        """Give what runs launches while the lab of a place does, within the minutes."""
        with place.running(path, self.listener) as lab, self.listener.progress(title) as report:
            limits = Limits.of(self.minutes, bears_losses=bears_losses)
            yield Runner(self.mpi, launched, report, lab, limits)


def measured(path: Path, before: int, total: int, following: str, **others: Any) -> Result:
    return Result(
        {"samples": path, "new": total - before, "all": total, **others},
        [Line(f"{total - before} new samples, {total} in {path}"), following],
    )
