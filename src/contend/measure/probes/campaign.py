"""A plan carried out: one launch for all sizes of an n, into a samples file."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from contend.base.errors import InvalidInputError
from contend.base.result import Result, next_step
from contend.measure.build import Program, build
from contend.measure.calls import CallCampaign
from contend.measure.campaigns.options import MeasureOptions, measured
from contend.measure.duration import in_words
from contend.measure.plan import Launch
from contend.measure.probes.commands import experiment_of
from contend.measure.probes.file import PlanFile, read_plan
from contend.samples import SampleStore


def launches_of(plan: PlanFile, program: Program, seed: int = 1) -> list[Launch]:
    order = np.random.default_rng(seed)
    return [
        Launch(program, n, number, tuple(order.permutation(sizes).tolist()))
        for number in range(plan.launches)
        for n, sizes in plan.counts.items()
    ]


def program_of(plan: PlanFile, programs: Mapping[str, Program]) -> Program:
    """The experiment of a plan; an error that says what to do where contend has none."""
    name = experiment_of(plan.operation, plan.algorithm)
    if name is None:
        raise InvalidInputError(
            f"no experiment measures {plan.operation}/{plan.algorithm}",
            "run 'contend measure collectives' for an algorithm of the catalogue, or measure it as "
            "before and import it",
        )
    return programs[name]


def measure_planned(path: Path, options: MeasureOptions, plan_file: Path) -> Result:
    """Measure what of a plan is not yet in the samples file.

    >>> options = MeasureOptions(minutes=0.1)
    >>> measure_planned(Path("new.jsonl"), options, Path("plan.json")).code
    0
    """
    plan = read_plan(plan_file)
    with SampleStore(path) as store:
        existing = store.existing()
        place = options.place(existing)
        fewest = options.min_repetitions or plan.repetitions
        # A lab places one process on each host unasked.
        per_node = plan.processes_per_node
        per_node = None if place.lab and per_node == 1 else per_node
        launched = options.launch_options(
            place,
            min_repetitions=fewest,
            max_repetitions=max(options.max_repetitions or plan.repetitions, fewest),
            warmup=plan.warmup if options.warmup is None else options.warmup,
            processes_per_node=options.processes_per_node or per_node,
        )
        options.listener.note(in_words(plan.seconds))
        program = program_of(plan, build(options.mpi))
        launches = launches_of(plan, program, options.seed)
        with options.running(place, path, launched) as runner:
            campaign = CallCampaign(runner, store)
            campaign.carry_out(launches)
            campaign.again(launches)
    return measured(path, len(existing), len(campaign.samples), next_step("contend", "fit", path))
