"""contend measure: experiments to samples, or links between groups to measured links."""

from contend.cli import options, output
from contend.cli.campaigns import places
from contend.cli.campaigns.levels import measure_levels
from contend.cli.campaigns.planned_campaign import measure_plan
from contend.cli.campaigns.request import Asked
from contend.cli.campaigns.selection import measure_library, named_operations
from contend.cli.result import Result
from contend.measure.build import build
from contend.measure.design import EXPERIMENTS, Design, design, measure
from contend.measure.selection.measure import named_experiments
from contend.measure.study.task import Task, in_words
from contend.samples import SampleStore

ORDER = 1
PANEL = "Measure"
EXAMPLE = "contend measure -n 2,4,8 -m 64,4KiB,256KiB -o samples.jsonl"


def command(asked: Asked) -> Result:
    """Measure, and append every point to a file as soon as it is known.

    A campaign that was stopped continues when the same command is given again.
    """
    asked.require_sense()
    if asked.plan_file:
        return measure_plan(asked, asked.plan_file)
    if asked.levels:
        return measure_levels(asked)
    if asked.library_algorithms:
        return measure_library(asked)
    return _measure(asked)


def _measure(asked: Asked) -> Result:
    """Measure experiments and operations of the library."""
    mpi, path, sizes = asked.mpi, asked.path, options.named_sizes(asked.sizes)
    with SampleStore(path) as store:
        existing = store.existing()
        place = asked.place(existing)
        usual = design(hosts=place.room(asked.ppn))
        chosen = Design(
            counts=tuple(asked.counts or usual.counts),
            sizes=tuple(sizes or usual.sizes),
            message_sizes=() if sizes else usual.message_sizes,
            launches=asked.launches or place.launches,
            extra_sizes=asked.refine,
            seed=asked.seed,
            experiments=_experiments(asked) or tuple(sorted(EXPERIMENTS)),
        )
        launch_options = asked.launch_options(place, **asked.others)
        expected = Task(mpi, place, chosen, launch_options, None).seconds(existing)
        output.note(in_words(expected))
        with places.running(place, path) as (lab, show):
            done = measure(mpi, chosen, launch_options, store, show, lab, asked.limits)
    next_step = f"next: contend fit {path}"
    return places.measured(path, len(existing), len(done.samples), next_step)


def _experiments(asked: Asked) -> tuple[str, ...]:
    """The experiments that were named, and those of the operations; empty for neither."""
    found = list(asked.experiment or ())
    if asked.collective:
        found += named_experiments(build(asked.mpi), named_operations(asked.collective))
    return tuple(dict.fromkeys(found))
