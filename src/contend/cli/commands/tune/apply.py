"""contend tune apply: from a network file to rules that a program was seen to gain by."""

from pathlib import Path

from contend.api import Result, apply_rules
from contend.cli import options
from contend.cli.campaigns.places import listener
from contend.cli.options import argument, option
from contend.cli.pairs import runs_of

ORDER = 0
EXAMPLE = "contend tune apply network.json -o rules.conf -- mpiexec -n 16 ./my_app"


def command(
    network_file: options.NetworkFile,
    program: list[str] = argument("Launcher, program and arguments.", metavar="COMMAND..."),
    output_file: Path = option(
        "File of rules; one that exists keeps what nothing was decided on.",
        "-o",
        "--output",
        default=...,
    ),
    target: options.RuleFormat = None,
    repeat: list[str] | None = option(
        "pairs=5 runs with and without the rules, in turn; a run hangs after timeout=30min.",
        metavar="NAME=VALUE,...",
    ),
    processes_per_node: options.DecidedPerNode = None,
    default_file: options.OwnRules = None,
    all_commute: options.AllCommute = False,
    mpicc: options.MpiccOfProgram = None,
) -> Result:
    """Choose, export, lint and verify in one: rules that a program was seen to gain by, or none.

    The network file has to hold times of the library's algorithms: 'contend measure library', then
    'contend fit --operation', come first.

    What is slower in the program is taken back, until nothing is. The file is written last, and
    whole: rules that are in effect, or that leave all to the library where nothing beats its
    default. Exit code 1 where rules are not in effect; then nothing is written.
    """
    pairs, timeout = runs_of(repeat, 2)
    return apply_rules(
        network_file, program, output_file, target=target, pairs=pairs,
        processes_per_node=processes_per_node, own=default_file, timeout=timeout,
        all_commute=all_commute, mpicc=mpicc, listener=listener(),
    ).result()  # fmt: skip
