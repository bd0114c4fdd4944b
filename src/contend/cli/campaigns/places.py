"""Options of where and how often a command measures, and what it shows meanwhile."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from contend.base.units import format_seconds
from contend.cli import options, output
from contend.cli.result import Line, Result
from contend.measure.campaign import Listener, Progress, Report
from contend.measure.command import LaunchOptions
from contend.measure.lab.session import RunningLab
from contend.measure.mpi import MPI, find_mpi
from contend.measure.place import HERE, Place, place
from contend.samples.sample import Launched


@dataclass(frozen=True)
class Where:
    """Options of where a command measures, and by which MPI."""

    ppn: options.PerNode = None
    mpicc: options.Mpicc = None
    mpiexec: options.Mpiexec = None
    on: options.On = HERE
    timeout: options.Timeout = 60.0

    @property
    def launched(self) -> dict[str, Any]:
        """Return options of a launch."""
        return {"processes_per_node": self.ppn, "timeout": self.timeout}

    @cached_property
    def mpi(self) -> MPI:
        """Return the MPI that is named or found."""
        return find_mpi(self.mpicc, self.mpiexec)

    def place(self, existing: Sequence[Launched]) -> Place:
        """Return where to measure; a campaign that has samples goes on where they were taken."""
        is_launched = bool(self.mpiexec or self.ppn)
        return place(self.on, self.mpi, is_launched, existing, listener())


@dataclass(frozen=True)
class Repeating:
    """Options of how often a point is measured, and for how long."""

    launches: options.Launches = None
    precision: options.Precision = "5%"
    max_seconds: options.MaxSeconds = 0.5
    max_repetitions: options.MaxRepetitions = 500
    min_repetitions: options.MinRepetitions = None
    warmup: options.Warmup = None
    start: options.Start = options.StartBy.auto

    @property
    def repeated(self) -> dict[str, Any]:
        """Return options of a point."""
        return {
            "precision": options.parse_share(self.precision),
            "min_repetitions": self.min_repetitions,
            "warmup": self.warmup,
            "max_seconds": self.max_seconds,
            "max_repetitions": self.max_repetitions,
            "start": self.start.value,
        }

    def launch_options(self, place: Place, **others: Any) -> LaunchOptions:
        """Return how programs are launched; what is given besides counts more."""
        return place.launch_options(**(self.repeated | others))


def listener() -> Listener:
    """Return who shows on the terminal what campaigns say."""
    return Listener(output.note, progress)


@contextmanager
def running(
    place: Place, samples_file: Path, title: str = "measuring"
) -> Iterator[tuple[RunningLab | None, Report]]:
    """Give the lab of a place, running, and what is called with each point, as a bar shows it."""
    with place.running(samples_file, listener()) as lab, progress(title) as show:
        yield lab, show


def measured(path: Path, before: int, total: int, following: str, **others: Any) -> Result:
    """Return the result of a campaign that has added to a file of samples."""
    return Result(
        {"samples": path, "new": total - before, "all": total, **others},
        [Line(f"{total - before} new samples, {total} in {path}"), following],
    )


@contextmanager
def progress(title: str) -> Iterator[Callable[[Progress], None]]:
    """A function to call with each point, while a bar shows it."""
    with output.progress_bar() as bar:
        task = bar.add_task(title, total=None)

        def show(step: Progress) -> None:
            text = f"{title} {step.what:<44} {format_seconds(step.seconds):>8}"
            bar.update(task, completed=step.done, total=step.planned, description=text)
            if bar.disable and step.done % 50 == 0:
                output.note(f"{title}: {step.done} of {step.planned} points")

        yield show
