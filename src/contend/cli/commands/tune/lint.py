"""contend tune lint: what an MPI library will ignore, misread, abort or hang on in its rules."""

from pathlib import Path

from contend.api import Result, lint_rules
from contend.cli import options
from contend.cli.options import argument

ORDER = 2
EXAMPLE = "contend tune lint rules.conf --library openmpi-5.0.11"


def command(
    rules_files: list[Path] = argument("Files of rules, whoever wrote them.", metavar="RULES..."),
    target: options.RuleFormat = None,
) -> Result:
    """Say, line by line, what is wrong with rules for an MPI library, and what to do about it.

    Exit code 1 where there is an error: the library ignores a rule or the file, aborts or hangs.
    """
    return lint_rules(rules_files, target).result()
