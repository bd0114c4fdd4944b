"""contend measure --plan: the points of a plan, measured into a samples file."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from contend.cli import output
from contend.cli.campaigns import measuring
from contend.cli.campaigns.task import in_words
from contend.measure.mpi import find_mpi
from contend.probes.campaign import carry_out
from contend.probes.file import PlanFile, read_plan
from contend.samples import SampleStore


@dataclass(frozen=True)
class Wanted:
    """A plan, where it is measured, and what the user wants otherwise than it says."""

    plan_file: Path
    on: str
    mpicc: str | None
    mpiexec: str | None
    per_node: int | None
    min_repetitions: int | None
    max_repetitions: int | None
    warmup: int | None
    seed: int


def measure_plan(
    path: Path, wanted: Wanted, precision: str, *, as_json: bool, **others: Any
) -> None:
    """Measure what of a plan is not yet in the samples file at `path`."""
    plan = read_plan(wanted.plan_file)
    mpi = find_mpi(wanted.mpicc, wanted.mpiexec)
    with SampleStore(path) as store:
        existing = store.existing()
        place = measuring.place(wanted.on, mpi, bool(wanted.mpiexec or wanted.per_node), existing)
        fewest = wanted.min_repetitions or plan.repetitions
        launch_options = place.launch_options(
            precision,
            fewest,
            plan.warmup if wanted.warmup is None else wanted.warmup,
            max_repetitions=max(wanted.max_repetitions or plan.repetitions, fewest),
            processes_per_node=wanted.per_node or _per_node(plan, place),
            **others,
        )
        output.note(in_words(plan.seconds))
        with place.running(path) as lab, measuring.progress("measuring") as show:
            samples = carry_out(mpi, plan, launch_options, store, show, lab, wanted.seed).samples
    new = len(samples) - len(existing)
    if as_json:
        output.show_json({"samples": str(path), "new": new, "all": len(samples)})
    else:
        output.console().print(f"{new} new samples, {len(samples)} in {path}", markup=False)
        output.note(output.following("contend", "fit", path))


def _per_node(plan: PlanFile, place: measuring.Place) -> int | None:
    """As the plan says; a lab places one on each host unasked."""
    return None if place.lab and plan.processes_per_node == 1 else plan.processes_per_node
