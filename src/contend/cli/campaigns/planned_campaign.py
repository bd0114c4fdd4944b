"""contend measure --plan: the points of a plan, measured into a samples file."""

from pathlib import Path

from contend.cli import output
from contend.cli.campaigns import places
from contend.cli.campaigns.request import Asked
from contend.cli.result import Result
from contend.measure.place import Place
from contend.measure.probes.campaign import carry_out
from contend.measure.probes.file import PlanFile, read_plan
from contend.measure.study.task import in_words
from contend.samples import SampleStore


def measure_plan(asked: Asked, plan_file: Path) -> Result:
    """Measure what of a plan is not yet in the samples file."""
    plan, path, mpi = read_plan(plan_file), asked.path, asked.mpi
    with SampleStore(path) as store:
        existing = store.existing()
        place = asked.place(existing)
        fewest = asked.min_repetitions or plan.repetitions
        of_plan = {
            "min_repetitions": fewest,
            "max_repetitions": max(asked.max_repetitions or plan.repetitions, fewest),
            "warmup": plan.warmup if asked.warmup is None else asked.warmup,
            "processes_per_node": asked.ppn or _per_node(plan, place),
        }
        launch_options = asked.launch_options(place, **(asked.others | of_plan))
        output.note(in_words(plan.seconds))
        with places.running(place, path) as (lab, show):
            done = carry_out(mpi, plan, launch_options, store, show, lab, asked.seed)
    next_step = output.following("contend", "fit", path)
    return places.measured(path, len(existing), len(done.samples), next_step)


def _per_node(plan: PlanFile, place: Place) -> int | None:
    """As the plan says; a lab places one on each host unasked."""
    return None if place.lab and plan.processes_per_node == 1 else plan.processes_per_node
