"""contend diff: what changed between two networks or two campaigns, and a gate for it."""

from typing import Annotated

import typer

from contend.cli import changed, options, output
from contend.cli.result import Result
from contend.errors import ContendError, InvalidInputError
from contend.samples.reader import ReadOptions

ORDER = 5
PANEL = "Inspect"
EXAMPLE = "contend diff before.jsonl after.jsonl --fail-on 10%"
CANNOT_COMPARE = 2
SHOWN = 20


def command(
    old: Annotated[
        str,
        typer.Argument(
            metavar="OLD",
            help="Network file, samples, or output of a benchmark that 'contend import' reads.",
        ),
    ],
    new: Annotated[str, typer.Argument(metavar="NEW", help="Another of the same kind.")],
    fail_on: Annotated[
        str | None,
        typer.Option(
            metavar="LIMIT",
            help="Exit code 1 where something is surely worse by more than this, e.g. 10%.",
        ),
    ] = None,
    processes: Annotated[
        int | None,
        typer.Option("-n", "--n", "--processes", min=2, help="Where a benchmark does not say."),
    ] = None,
    ppn: options.PerNode = None,
    everything: Annotated[
        bool, typer.Option("--all", help=f"Every row, not the first {SHOWN}.")
    ] = False,
    include_flagged: options.IncludeFlagged = False,
) -> Result:
    """Compare two networks, or two campaigns point by point, with intervals over launches.

    Of all that is called slower or faster something is so by chance in 5 % of comparisons without
    any change. Exit code 0: nothing is surely worse by more than --fail-on; 1: something is; 2:
    wrong use, or nothing that can be compared.
    """  # fmt: skip
    try:
        limit = None if fail_on is None else changed.parse_limit(fail_on)
        found = changed.compare(
            old, new, limit, ReadOptions(n=processes, processes_per_node=ppn),
            include_flagged=include_flagged,
        )  # fmt: skip
        if limit is not None and not found.judged:
            raise InvalidInputError(
                "nothing could be judged: of one launch it is not known how far others differ",
                "measure several: contend measure --launches 3",
            )
    except ContendError as error:
        output.show_error(error)
        raise typer.Exit(CANNOT_COMPARE) from None
    return Result(
        found.data(),
        found.parts(None if everything else SHOWN),
        code=bool(limit is not None and found.worse),
    )
