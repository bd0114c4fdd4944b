"""A study's measuring: within a time, and slower where the machine is too busy for its lab.

A slower lab needs less of the machine at a time. Its samples are of the same network but not of the
same emulation: what processors take counts less the more time is dilated. Samples of different
dilations are therefore never mixed: each has a file of its own.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from contend.base.units import format_bytes
from contend.measure.command import LaunchOptions
from contend.measure.design import Design, launches_of, measure, named, unmeasured
from contend.measure.duration import expected_seconds, in_words, remaining, smaller
from contend.measure.lab.specification import MOST_DILATION
from contend.measure.limits import Limits, TooBusyError
from contend.measure.mpi import MPI
from contend.measure.place import Place
from contend.measure.runner import SILENT, Listener, Runner
from contend.measure.study.files import StudyFiles
from contend.models.fitting import warnings
from contend.samples import Sample, SampleStore
from contend.samples.warnings import QualityWarning, warning

SLOWEST = 4  # times slower than the lab says; a machine that is busier than that has no time
LAST_MINUTES = 1.0  # for a slower lab whose time is over when it begins
SHARE = 0.85  # of the time for the first pass; the rest is for what has to be measured again


@dataclass(frozen=True)
class Measured:
    """What a study measured: samples, their files, the part of the design, and what lacks."""

    samples: list[Sample]
    files: StudyFiles
    design: Design
    doubts: list[QualityWarning]


@dataclass(frozen=True)
class Task:
    """What a study is to measure, where, and in how many minutes (None: all that it takes)."""

    mpi: MPI
    place: Place
    design: Design
    options: LaunchOptions
    minutes: float | None
    listener: Listener = SILENT

    def carry_out(self, files: StudyFiles) -> Measured:
        """Measure, on a slower lab if need be; what was measured before is gone on with.

        All that is tried takes the minutes together, but for a last one of its own.
        """
        begun = time.monotonic()
        while True:
            task = replace(self, place=self.place.slowed(files.slower))
            if self.minutes is not None:
                spent = (time.monotonic() - begun) / 60.0
                task = replace(task, minutes=max(self.minutes - spent, LAST_MINUTES))
            try:
                return task.within_time().carry_out_here(files, self.design)
            except TooBusyError as busy:
                self.listener.note(
                    f"{busy.message}; trying again with a lab {2 * files.slower} times slower"
                )
                files = replace(files, slower=2 * files.slower)

    def within_time(self) -> "Task":
        """The task with the largest part of the design that is expected to end in the time."""
        if self.minutes is None:
            return self
        task = self
        for design in (self.design, *smaller(self.design)):
            task = replace(self, design=design)
            if task.seconds() <= 60.0 * self.minutes * SHARE:
                break
        return task

    def seconds(self, done: Sequence[Sample] = ()) -> float:
        """Seconds that it is expected to take, but for the samples that are done."""
        launches = remaining(launches_of(self.mpi, self.design), done)
        return expected_seconds(launches, self.options, self.place.lab, self.design.extra_sizes)

    def carry_out_here(self, files: StudyFiles, whole: Design) -> Measured:
        """Measure on this very lab; `whole` is the design before it was fitted to the time."""
        limits = Limits.of(
            self.minutes, is_watched=self._can_be_slower(files.slower), bears_losses=True
        )
        with SampleStore(files.samples) as store:
            self.announce(store.existing(), limits)
            running = self.place.running(files.samples, self.listener)
            with running as lab, self.listener.progress("measuring") as show:
                runner = Runner(self.mpi, self.options, show, lab, limits)
                campaign = measure(runner, self.design, store)
        missing = unmeasured(launches_of(self.mpi, self.design), campaign.samples)
        lost = missing & campaign.lost
        given_up = partial(warnings.missing, "points_missing:given_up", "campaign")
        return Measured(campaign.samples, files, self.design, [
            *(
                [warning("slowed", "campaign", times=files.slower, file=files.samples.name)]
                if files.slower > 1
                else []
            ),
            *warnings.missing("points_missing:design", "design", _difference(whole, self.design),
                              minutes=round(self.minutes or 0.0, 1)),
            *given_up(named(lost), reason=f"launches were lost there ({campaign.loss})"),
            *given_up(named(missing - lost),
                      reason="the time was over" if limits.is_over else "the machine was busy"),
        ])  # fmt: skip

    def announce(self, existing: Sequence[Sample], limits: Limits) -> None:
        """Say what will be measured, and how long that will take."""
        counts = ", ".join(map(str, self.design.counts))
        self.listener.note(f"measuring {self.place.title} with {self.mpi.title}, n = {counts}")
        if existing:
            self.listener.note(f"{len(existing)} samples are there already")
        self.listener.note(f"{in_words(self.seconds(existing))}; {limits.in_words}")

    def _can_be_slower(self, slower: int) -> bool:
        lab = self.place.lab
        return lab is not None and slower < SLOWEST and 2 * lab.time_dilation <= MOST_DILATION


def _difference(whole: Design, part: Design) -> list[str]:
    """Sizes and process counts of a design that its part lacks, in words."""
    sizes = [m for m in whole.check_sizes if m not in part.check_sizes]
    counts = [n for n in whole.counts if n not in part.counts]
    return [*(format_bytes(m) for m in sizes), *(f"n={n}" for n in counts)]
