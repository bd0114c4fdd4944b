"""contend tune apply: from a network file to rules that a program was seen to gain by."""

from collections.abc import Iterator
from pathlib import Path

from contend.cli import options, output, verification
from contend.cli.commands.tune.export import loading_lines
from contend.cli.commands.tune.verify import run_trial
from contend.cli.options import argument, option
from contend.cli.result import Line, Part, Result
from contend.tune.apply import Applied, apply_rules

ORDER = 0
EXAMPLE = "contend tune apply network.json --for openmpi-5 -o rules.conf -- mpiexec -n 16 ./my_app"


def command(
    network_file: options.NetworkFile,
    program: list[str] = argument("Launcher, program and arguments.", metavar="COMMAND..."),
    output_file: Path = option(
        "File of rules; one that exists keeps what nothing was decided on.", "-o", "--output"
    ),
    target: options.RuleFormat = None,
    pairs: int = option("Runs with and without the rules, in turn.", default=5, min=2),
    processes_per_node: options.DecidedPerNode = None,
    own: options.OwnRules = None,
    timeout: float = option(
        "After which a run hangs.", default=1800.0, parser=options.duration(1.0), metavar="TIME"
    ),
    all_commute: options.AllCommute = False,
    mpicc: options.MpiccOfProgram = None,
) -> Result:
    """Choose, export, lint and verify in one: rules that a program was seen to gain by, or none.

    What is slower in the program is taken back, until nothing is. The file is written last, and
    whole: rules that are in effect, or that leave all to the library where nothing beats its
    default. Exit code 1 where rules are not in effect; then nothing is written.
    """
    applied = apply_rules(
        network_file, program, output_file, target=target, pairs=pairs,
        processes_per_node=processes_per_node, own=own, timeout=float(timeout),
        all_commute=all_commute, mpicc=mpicc, note=output.note, tried=run_trial,
    )  # fmt: skip
    attempt, reasons = applied.attempt, applied.reasons
    data = {
        "file": None if reasons else str(output_file),
        "reasons": [one.text for one in reasons],
        "taken_back": applied.taken_back,
        "settings": applied.settings,
        "lint": attempt.findings,
        "verified": attempt.found and verification.verified(attempt.found, reasons).data,
    }
    return Result(data, _parts(applied, output_file), code=bool(reasons))


def _parts(applied: Applied, path: Path) -> Iterator[Part]:
    """Show notes, what lint says, what ran and what was gained, and the verdict at the end."""
    attempt, reasons, taken_back = applied.attempt, applied.reasons, applied.taken_back
    yield from (f"note: {note}" for note in attempt.exported.notes)
    yield from (f"{one.level}: {one}" for one in attempt.findings)
    if taken_back:
        times = "once" if taken_back == 1 else f"{taken_back} times"
        yield f"taken back {times}: what was slower in the program than the default"
    if attempt.found is not None:
        yield from verification.verified(attempt.found, reasons).parts
    elif reasons:
        yield f"failed: {'; '.join(one.text for one in reasons)}"
    if reasons:
        yield f"{path} is left as it was"
        return
    yield from loading_lines(applied.settings)
    if attempt.found is None:
        yield Line(f"leave it: nothing beats the library's default, and {path} says so")
    else:
        yield Line(f"{path}: {verification.gained(attempt.found)}")
