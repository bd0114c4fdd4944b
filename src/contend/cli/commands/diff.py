"""contend diff: what changed between two networks or two campaigns, and a gate for it."""

import typer

from contend.api import ContendError, ReadOptions, compare_files
from contend.cli import options, output
from contend.cli.options import argument, option
from contend.cli.pairs import parse_limit
from contend.cli.result import Result

ORDER = 5
PANEL = "Learn"
EXAMPLE = "contend diff before.jsonl after.jsonl --fail-on 10%"
CANNOT_COMPARE = 2
SHOWN = 20


def command(
    old: str = argument(
        "Network file, samples, or output of a benchmark that 'contend import' reads.",
        metavar="OLD",
    ),
    new: str = argument("Another of the same kind.", metavar="NEW"),
    fail_on: str | None = option(
        "Exit code 1 where something is significantly worse by more than this, e.g. 10%.",
        metavar="LIMIT",
    ),
    processes: int | None = option(
        "Where a benchmark does not say.", "-n", "--n", "--processes", min=2
    ),
    ppn: options.PerNode = None,
    everything: bool = option(f"Every row, not the first {SHOWN}.", "--all", default=False),
    include_flagged: options.IncludeFlagged = False,
) -> Result:
    """Compare two networks, or two campaigns point by point, with intervals over launches.

    Of all that is called slower or faster something is so by chance in 5 % of comparisons without
    any change. Exit code 0: nothing is significantly worse by more than --fail-on; 1: something is;
    2: wrong use, or nothing that can be compared.
    """
    try:
        return compare_files(
            old, new, None if fail_on is None else parse_limit(fail_on),
            ReadOptions(n=processes, processes_per_node=ppn),
            most=None if everything else SHOWN, include_flagged=include_flagged,
        )  # fmt: skip
    except ContendError as error:
        output.show_error(error)
        raise typer.Exit(CANNOT_COMPARE) from None
