"""Options of where and how often a command measures, and what it shows meanwhile."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from contend.api import InvalidInputError, Listener, MeasureOptions, Progress, format_seconds
from contend.cli import options, output


@dataclass(frozen=True)
class Where:
    """Options of where a command measures, and by which MPI."""

    ppn: options.PerNode = None
    mpicc: options.Mpicc = None
    mpiexec: options.Mpiexec = None
    on: options.On = "here"
    timeout: options.Timeout = None

    @property
    def given(self) -> dict[str, Any]:
        """Return them as functions of the door take them."""
        return {
            "processes_per_node": self.ppn,
            "mpicc": self.mpicc,
            "mpiexec": self.mpiexec,
            "on": self.on,
            "timeout": self.timeout,
        }

    def asked(self, **others: Any) -> MeasureOptions:
        """Return the options of a campaign, which is shown on the terminal."""
        return MeasureOptions(**self.given, **others, listener=listener())


@dataclass(frozen=True)
class Repeating(Where):
    """Options of how often a point is measured besides, and for how long."""

    launches: options.Launches = None
    max_seconds: options.MaxSeconds = None
    repeat: options.Repeated = None

    @property
    def given(self) -> dict[str, Any]:
        """Return them as functions of the door take them."""
        return {
            **super().given,
            "launches": self.launches,
            "max_seconds": self.max_seconds,
            **vars(options.Repeat.of(self.repeat)),
        }


def listener() -> Listener:
    """Return who shows on the terminal what campaigns say."""
    return Listener(output.note, progress)


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


def counts(processes: str | None) -> Sequence[int] | None:
    """Return the numbers of processes that were given; an error for fewer than two."""
    found = options.named_counts(processes)
    if found and found[0] < 2:
        raise InvalidInputError(f"n = {found[0]}", "messages take at least 2 processes")
    return found
