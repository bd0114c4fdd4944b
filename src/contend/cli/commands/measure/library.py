"""contend measure library: the algorithms of the MPI library, each forced in turn, to samples."""

from pathlib import Path

from contend.api import measure_library
from contend.cli import completion, options
from contend.cli.campaigns.places import Repeating, counts
from contend.cli.options import option
from contend.cli.result import Result

ORDER = 2
EXAMPLE = "contend measure library --collective bcast,allreduce -n 4,8 -m 1KiB,64KiB"


def command(
    repeating: Repeating,
    output_file: options.Samples = Path("samples.jsonl"),
    collective: str = option(
        "Operations, e.g. bcast,allreduce,alltoall.",
        "--collective",
        metavar="NAME,NAME,...",
        default=...,
        autocompletion=completion.measured_collectives,
    ),
    segments: str | None = option(
        "Also with these segments, where an algorithm takes them, e.g. 8KiB,64KiB."
    ),
    fanouts: str | None = option(
        "Also with these numbers of children, chains or branches, where an algorithm takes them, "
        "e.g. 2,8.",
        metavar="K,K,...",
    ),
    processes: options.Counts = None,
    sizes: options.Sizes = None,
    max_minutes: options.MaxMinutes = None,
) -> Result:
    """Measure each algorithm that the MPI library has, forced in turn, beside its default.

    One that dies, hangs (20 s without a point) or gives wrong data is left out, with a note.
    """
    return measure_library(
        output_file,
        repeating.asked(minutes=max_minutes),
        options.named_operations(collective),
        counts(processes),
        options.named_sizes(sizes),
        segments=options.named_sizes(segments) or (),
        fanouts=options.named_fanouts(fanouts) or (),
    )
