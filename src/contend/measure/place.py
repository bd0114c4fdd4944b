"""Where a campaign measures, here or on a lab, with the defaults of each."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from contend.base.errors import InvalidInputError
from contend.measure import machine
from contend.measure.command import LaunchOptions
from contend.measure.lab import Lab, profiles, read_lab
from contend.measure.lab.session import REMEDY, RunningLab, start, why_impossible
from contend.measure.lab.utilisation import path_beside, record
from contend.measure.mpi import MPI
from contend.measure.runner import SILENT, Listener
from contend.samples.sample import Launched

AUTO, HERE = "auto", "here"
MINUTES_ON_LAB = 15.0
DEFAULT_LAB = "lossless"
FAMILIES_ON_LAB = ("MPICH", "Open MPI")


@dataclass(frozen=True)
class Place:
    """Where a campaign runs: on a lab, or here; `note` says what a reader of its report must know.

    An emulated network repeats itself to 1 or 2 %, so fewer repetitions do there.
    """

    lab: Lab | None = None
    note: str = ""

    @property
    def title(self) -> str:
        return f"the emulated network {self.lab.name}" if self.lab else "here"

    @property
    def hosts(self) -> int | None:
        return len(self.lab.hosts) if self.lab else None

    def room(self, per_node: int | None) -> int | None:
        return None if self.hosts is None else self.hosts * (per_node or 1)

    @property
    def launches(self) -> int:
        return 2 if self.lab else 3

    @property
    def minutes(self) -> float | None:
        return MINUTES_ON_LAB if self.lab else None

    def launch_options(
        self, precision: float, min_repetitions: int | None, warmup: int | None, **others: Any
    ) -> LaunchOptions:
        """How programs are launched, with the defaults of this place for what is None."""
        usual = (5, 1) if self.lab else (20, 3)
        return LaunchOptions(
            precision=precision,
            min_repetitions=usual[0] if min_repetitions is None else min_repetitions,
            warmup=usual[1] if warmup is None else warmup,
            **others,
        )

    def slowed(self, times: int) -> "Place":
        if self.lab is None or times == 1:
            return self
        dilation = times * self.lab.time_dilation
        return replace(self, lab=self.lab.model_copy(update={"time_dilation": dilation}))

    @contextmanager
    def running(
        self, samples_file: Path, listener: Listener = SILENT
    ) -> Iterator[RunningLab | None]:
        """The lab, running, its utilisation written beside the samples; None for here."""
        if self.lab is None:
            yield None
            return
        with start(self.lab) as lab, record(lab, path_beside(samples_file)):
            for note in lab.notes:
                listener.note(note)
            yield lab


def place(
    on: str, mpi: MPI, is_launched: bool, existing: Sequence[Launched], listener: Listener = SILENT
) -> Place:
    """The place of a word: here, auto, or a lab.

    `is_launched` says that the user placed processes himself; then auto is here.

    A campaign that has samples goes on where they were taken.
    """
    if on == HERE:
        return Place()
    if on != AUTO:
        return Place(read_lab(on))
    if is_launched or "MPIEXEC" in os.environ or machine.in_batch_job():
        return Place()
    if before := next((s.provenance.lab for s in existing if s.provenance.lab), None):
        return Place(_profile(before))
    if (problem := _why_no_lab(mpi)) is not None:
        reason, remedy = problem
        listener.note(f"no emulated network: {reason}; measuring processes of this host instead")
        listener.note(f"what to do: {remedy}")
        note = f"No emulated network was measured but processes of this host: {reason}."
        return Place(note=note)
    if existing:
        return Place()
    return Place(read_lab(DEFAULT_LAB))


def _profile(name: str) -> Lab:
    if name.partition(",")[0] not in profiles():
        raise InvalidInputError(
            f"the samples there were measured on the lab {name}", "name its file with --on"
        )
    return read_lab(name)


def _why_no_lab(mpi: MPI) -> tuple[str, str] | None:
    if mpi.family not in FAMILIES_ON_LAB:
        wanted = " or ".join(FAMILIES_ON_LAB)
        remedy = f"install {wanted} and name its wrapper by MPICC=/path/to/mpicc, or give --on here"
        return f"a lab needs {wanted}, the MPI library is {mpi.title}", remedy
    reason = why_impossible()
    return None if reason is None else (f"this machine allows none ({reason})", REMEDY)
