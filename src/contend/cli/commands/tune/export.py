"""contend tune export: decisions as a file that an MPI library obeys."""

from pathlib import Path

from contend.api import Result, export_rules
from contend.cli import options
from contend.cli.options import argument, option

ORDER = 1
EXAMPLE = "contend tune export decisions.json --library openmpi-5 -o rules.conf"


def command(
    decisions_file: Path = argument("Of 'contend choose --table -o'.", metavar="DECISIONS"),
    target: options.RuleFormat = None,
    output_file: Path | None = option(
        "File; one that exists keeps what nothing was decided on.", "-o", "--output"
    ),
    processes_per_node: options.DecidedPerNode = None,
    default_file: options.OwnRules = None,
    all_commute: options.AllCommute = False,
) -> Result:
    """Write decisions as the file that an MPI library reads; without -o, show it.

    Where a decision departs from the default there is a rule; all else is left to the library.
    """
    return export_rules(
        decisions_file, output_file, target=target, processes_per_node=processes_per_node,
        own=default_file, all_commute=all_commute,
    ).result()  # fmt: skip
