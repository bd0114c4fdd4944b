"""contend measure collectives: experiments, operations and algorithms to samples."""

from pathlib import Path

from contend.api import (
    InvalidInputError,
    measure_collectives,
    measure_planned,
    measure_schedule,
)
from contend.cli import completion, options
from contend.cli.campaigns.places import Repeating, counts
from contend.cli.options import argument, option
from contend.cli.pairs import RootedVariant
from contend.cli.result import Result

ORDER = 1
EXAMPLE = "contend measure collectives -n 2,4,8 -m 64,4KiB,256KiB -o samples.jsonl"


def command(
    repeating: Repeating,
    variant: RootedVariant,
    operation: str | None = argument(
        "With ALGORITHM: one of the catalogue, which is checked too.",
        default=None,
        metavar="[COLLECTIVE",
        autocompletion=completion.collectives,
    ),
    algorithm: str | None = argument(
        "Algorithm, e.g. binomial; one of 'contend list algorithms'.",
        default=None,
        metavar="ALGORITHM]",
        autocompletion=completion.algorithms,
    ),
    output_file: Path | None = option(
        "File of samples; continued if it exists. Default samples.jsonl, of ALGORITHM none.",
        "-o",
        "--output",
    ),
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
    max_minutes: options.MaxMinutes = None,
) -> Result:
    """Measure messages, experiments and the library's collective operations.

    Or run an algorithm of the catalogue, and check what arrives.

    contend measure collectives bcast binary -n 4,8 -m 64KiB --with segment=8KiB
    """
    n, m = counts(processes), options.named_sizes(sizes)
    asked = repeating.asked(per_rank=per_rank, minutes=max_minutes)
    if operation is not None:
        if algorithm is None:
            raise InvalidInputError(
                f"no algorithm of {operation}",
                f"for the MPI library's own: contend measure --collective {operation}; for one of "
                f"the catalogue: contend measure collectives {operation} ALGORITHM, see 'contend "
                f"list algorithms {operation}'",
            )
        if any((experiment, collective, plan_file, per_rank)):
            raise InvalidInputError(
                f"{operation} {algorithm} and something else to measure",
                "leave out -e, --collective, --plan and --per-rank, or measure twice",
            )
        if not n or m is None:
            lacking = "-m, e.g. -m 1KiB,64KiB" if n else "-n, e.g. -n 4,8"
            raise InvalidInputError("no number of processes or no size", f"give {lacking}")
        return measure_schedule(
            output_file, asked, operation, algorithm, n, m, root=variant.root,
            groups=variant.groups, **variant.given,
        )  # fmt: skip
    if variant.options:
        raise InvalidInputError(
            "--with without an algorithm", "name one, e.g. bcast segmented_chain, or leave it out"
        )
    output_file = output_file or Path("samples.jsonl")
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
