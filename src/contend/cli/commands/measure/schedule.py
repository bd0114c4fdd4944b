"""contend measure schedule: an algorithm of the catalogue: run, checked, timed."""

from pathlib import Path

from contend.api import InvalidInputError, measure_schedule
from contend.cli import completion, options
from contend.cli.campaigns.places import Repeating
from contend.cli.options import argument, option
from contend.cli.result import Result

ORDER = 5
EXAMPLE = "contend measure schedule bcast segmented_chain -n 4,8 -m 64KiB --with segment=8KiB"


def command(
    variant: options.Variant,
    repeating: Repeating,
    collective: str = argument("Operation, e.g. bcast.", autocompletion=completion.collectives),
    algorithm: str = argument("Algorithm, e.g. binomial.", autocompletion=completion.algorithms),
    processes: options.Counts = None,
    sizes: options.Sizes = None,
    root: int = option("Root, where the operation has one.", default=0),
    output_file: Path | None = option(
        "Samples file to append to; continued if it exists.", "-o", "--output"
    ),
) -> Result:
    """Run the schedule of an algorithm over MPI, check what arrived, and time it.

    Data that is not where it should be is an error that names the rank and the block.
    """
    n, m = options.named_counts(processes), options.named_sizes(sizes)
    if not n or m is None:
        what = "-m, e.g. -m 1KiB,64KiB" if n else "-n, e.g. -n 4,8"
        raise InvalidInputError("no number of processes or no size", f"give {what}")
    return measure_schedule(
        output_file, repeating.asked(), collective, algorithm, n, m, root=root,
        groups=variant.groups, **variant.given,
    )  # fmt: skip
