"""Measuring with a progress bar, for the commands that measure."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from contend.cli import output
from contend.measure.campaign import Progress
from contend.units import format_bytes, format_seconds


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
