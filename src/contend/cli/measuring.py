"""Measuring with a progress bar, for the commands that measure."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from contend.cli import options, output
from contend.lab import read_lab
from contend.lab.recorder import record
from contend.lab.running import RunningLab, start
from contend.lab.utilisation import FILE_NAME
from contend.measure.campaign import Progress
from contend.units import format_bytes, format_seconds

MIN_REPETITIONS = 20
MIN_REPETITIONS_ON_LAB = 5  # an emulated network repeats itself to 1 or 2 %


@contextmanager
def place(on: str, folder: Path) -> Iterator[RunningLab | None]:
    """The lab that --on names, running, its utilisation written to `folder`; None for here."""
    if on == options.HERE:
        yield None
        return
    lab = read_lab(on)
    with start(lab) as running, record(running, folder / FILE_NAME):
        for note in running.notes:
            output.note(note)
        yield running


def min_repetitions(asked: int | None, on: str) -> int:
    """Fewest repetitions of a point, with the default of where it is measured."""
    default = MIN_REPETITIONS if on == options.HERE else MIN_REPETITIONS_ON_LAB
    return default if asked is None else asked


@contextmanager
def progress(title: str) -> Iterator[Callable[[Progress], None]]:
    """A function to call with each sample, while a bar shows it."""
    with output.progress_bar() as bar:
        task = bar.add_task(title, total=None)

        def show(step: Progress) -> None:
            sample = step.sample
            what = f"{sample.experiment}/{sample.algorithm} n={sample.n} {format_bytes(sample.m)}"
            text = f"{title} {what:<44} {format_seconds(sample.median):>8}"
            bar.update(task, completed=step.done, total=step.planned, description=text)
            if bar.disable and step.done % 50 == 0:
                output.note(f"{title}: {step.done} of {step.planned} points")

        yield show
