"""contend tune verify: which algorithm really ran, against the rules, and what they gained."""

from pathlib import Path

from contend.api import Result, verify_rules
from contend.cli import options
from contend.cli.campaigns.places import listener
from contend.cli.options import argument, option
from contend.cli.pairs import runs_of

ORDER = 3
EXAMPLE = "contend tune verify rules.conf -- mpiexec -n 16 ./my_app"


def command(
    rules_file: Path = argument("File of rules, of 'contend tune export'.", metavar="RULES"),
    program: list[str] = argument("Launcher, program and arguments.", metavar="COMMAND..."),
    repeat: list[str] | None = option(
        "pairs=5 runs with and without the rules, in turn, or with pairs=0 one run with them "
        "alone; a run hangs after timeout=30min.",
        metavar="NAME=VALUE,...",
    ),
    fail_on: str = option(
        "What ends with exit code 1: ignored (a rule that is used is not in effect), unknown (that "
        "cannot be seen), unused (a rule is never used), slower (a rule, the program, or all its "
        "collective calls are slower than by default beyond chance), reordered (an operation that "
        "does not commute met an algorithm that reorders operands: its results are wrong).",
        default="ignored,unknown,slower,reordered",
        metavar="WHAT,...",
    ),
    target: options.RuleFormat = None,
    output_file: Path | None = option(
        "Gains of each rule, for 'contend choose --verified'; added to what is there.",
        "-o",
        "--output",
    ),
    junit: Path | None = option(
        "The same as JUnit XML, for a CI server: a testcase for each rule and each check.",
        "--junit",
        metavar="FILE",
    ),
    mpicc: options.MpiccOfProgram = None,
) -> Result:
    """Run a program with rules and without, and say what ran, call by call, and what was gained.

    The program is not changed. Exit code 0: all rules that the program uses are in effect, and
    nothing is slower; see --fail-on.
    """
    pairs, timeout = runs_of(repeat, 0)
    return verify_rules(
        rules_file, program, pairs=pairs, target=target, timeout=timeout, mpicc=mpicc,
        fail_on=fail_on, gains_file=output_file, junit=junit, listener=listener(),
    ).result()  # fmt: skip
