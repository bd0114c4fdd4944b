"""Options of where and how often a command measures, and what it shows meanwhile."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar

from contend.api import InvalidInputError, Listener, MeasureOptions, Progress, format_seconds
from contend.cli import options, output
from contend.cli.options import option
from contend.cli.pairs import Repeat

REPEATED = (
    "min=20,max=500 repetitions (min on a lab 5), until the median is known to precision=5% or for "
    "time=500ms (links 2s, a study 250ms); after warmup=3 others (on a lab 1); start=window (at an "
    "instant of a common clock), barrier, or auto; after timeout=60s without a point a launch "
    "hangs; seed=1 shuffles the points."
)


@dataclass(frozen=True)
class Repeating:
    """Options of where a command measures, and how often."""

    ppn: options.PerNode = None
    mpiexec: options.Mpiexec = None
    on: options.On = "here"
    launches: options.Launches = None
    repeat: list[str] | None = option(REPEATED, metavar="NAME=VALUE,...")
    repeated: ClassVar[tuple[str, ...]] = ()  # names of --repeat that have a meaning; none: all

    @property
    def times(self) -> Repeat:
        """Return how often a point is repeated."""
        return Repeat.of(self.repeat, *self.repeated)

    @property
    def given(self) -> dict[str, Any]:
        """Return what was given, as functions of the door take it."""
        named = {
            "processes_per_node": self.ppn,
            "mpiexec": self.mpiexec,
            "on": self.on,
            "launches": self.launches,
            **vars(self.times),
        }
        return {name: value for name, value in named.items() if value is not None}

    def asked(self, **others: Any) -> MeasureOptions:
        """Return the options of a campaign, which is shown on the terminal."""
        return MeasureOptions(**(others | self.given), listener=listener())


def listener() -> Listener:
    """Return who shows on the terminal what campaigns say."""
    return Listener(output.note, progress)


@contextmanager
def progress(title: str) -> Iterator[Callable[[Progress], None]]:
    """A function to call with each point, while a bar shows it."""
    with output.progress_bar() as bar:
        task = bar.add_task(title, total=None)

        def show(step: Progress) -> None:
            text = f"{title} {step.title:<44} {format_seconds(step.seconds):>8}"
            bar.update(task, completed=step.done, total=step.planned, description=text)
            if bar.disable and step.done % 50 == 0:
                output.note(f"{title}: {step.done} of {step.planned} points")

        yield show


def counts(processes: str | None) -> Sequence[int] | None:
    """Return the numbers of processes that were given; an error for fewer than two."""
    numbers = options.named_counts(processes)
    if numbers and numbers[0] < 2:
        raise InvalidInputError(f"n = {numbers[0]}", "messages take at least 2 processes")
    return numbers
