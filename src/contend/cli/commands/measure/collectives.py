"""contend measure collectives: experiments and the library's operations to samples."""

from pathlib import Path

from contend.api import InvalidInputError, measure_collectives, measure_planned
from contend.cli import completion, options
from contend.cli.campaigns.places import Repeating, counts
from contend.cli.options import option
from contend.cli.result import Result

ORDER = 1
EXAMPLE = "contend measure collectives -n 2,4,8 -m 64,4KiB,256KiB -o samples.jsonl"


def command(
    repeating: Repeating,
    output_file: options.Samples = Path("samples.jsonl"),
    plan_file: Path | None = option(
        "Measure what contend design has proposed, and nothing else.", "--plan"
    ),
    experiment: list[str] | None = option(
        "Experiment, may be repeated; default pingpong, plogp, alltoall_native and "
        "alltoall_rotated.",
        "-e",
        "--experiment",
    ),
    collective: str | None = option(
        "The MPI library's own collective operations, e.g. bcast,allreduce,alltoall.",
        "--collective",
        metavar="NAME,NAME,...",
        autocompletion=completion.measured_collectives,
    ),
    processes: options.Counts = None,
    sizes: options.Sizes = None,
    per_rank: bool = option("Keep the time of every rank.", "--per-rank", default=False),
    refine: options.Refine = 4,
    seed: options.Seed = 1,
    max_minutes: options.MaxMinutes = None,
) -> Result:
    """Measure messages, experiments and the library's collective operations."""
    asked = repeating.asked(per_rank=per_rank, seed=seed, minutes=max_minutes)
    n, m = counts(processes), options.named_sizes(sizes)
    if plan_file is None:
        return measure_collectives(
            output_file, asked, n, m, experiments=experiment or (),
            operations=options.named_operations(collective) if collective else (),
            extra_sizes=refine,
        )  # fmt: skip
    if any((experiment, n, m, asked.launches, collective)):
        raise InvalidInputError(
            "--plan with what it says itself", "leave out -n, -m, -e, --launches and --collective"
        )
    return measure_planned(output_file, asked, plan_file)
