"""contend fit: measurements of any kind to a network file."""

from pathlib import Path

from contend.api import fit_file
from contend.cli import completion, options
from contend.cli.options import option
from contend.cli.pairs import named_pairs
from contend.cli.result import Result

ORDER = 1
PANEL = "Learn"
EXAMPLE = "contend fit samples.jsonl --at 32 -o network.json"


def command(
    samples_file: options.SamplesFile = Path("samples.jsonl"),
    output_file: Path = option(
        "Network file to write; one that exists keeps its other parts.",
        "-o",
        "--output",
        default=Path("network.json"),
    ),
    at: str | None = option(
        "n', the number of processes to fit at; default the largest with most sizes. With "
        "--schedules several, e.g. 8,16; default all."
    ),
    second: int | None = option("A second n for the baselines that need two."),
    sizes: options.Sizes = None,
    operation: str | None = option(
        "Operation to fit; default alltoall, or the only one that there is.",
        autocompletion=completion.operations,
    ),
    assume: options.Assumed = None,
    schedules: bool = option(
        "Fit pLogP parameters to times of algorithms of the catalogue, as 'contend measure "
        "collectives OPERATION ALGORITHM' writes them, where no message was timed by itself.",
        "--schedules",
        default=False,
    ),
    penalties: int = option(
        "Also show the penalties of measured graphs of up to so many messages.", default=0, min=0
    ),
    include_flagged: options.IncludeFlagged = False,
) -> Result:
    """Fit point-to-point models, and the forms of an operation; or links, graphs, schedules.

    Of an all-to-all the forms are the contention signature and the baselines, of other operations
    how they grow with n. What too few sizes were measured for is left out, with a note. What
    is fitted is what the file holds: calls, links of levels or contention graphs.
    """
    return fit_file(
        samples_file, output_file, at=options.named_counts(at), second=second,
        sizes=options.named_sizes(sizes), operation=operation,
        **named_pairs(assume, "--assume", ("alpha", "beta")),
        schedules=schedules, penalties=penalties, include_flagged=include_flagged,
    )  # fmt: skip
