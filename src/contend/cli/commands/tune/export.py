"""contend tune export: decisions as a file that an MPI library obeys."""

import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path

from contend.cli import options, output
from contend.cli.options import argument, option
from contend.cli.result import Line, Part, Result
from contend.tune.choose.rules import Decisions
from contend.tune.exports.rulesfile import RulesFile, export_rules, read_decisions

ORDER = 1
EXAMPLE = "contend tune export decisions.json --for openmpi-5 -o rules.conf"


def command(
    decisions_file: Path = argument("Of 'contend choose --table -o'.", metavar="DECISIONS"),
    target: options.RuleFormat = None,
    output_file: Path | None = option(
        "File; one that exists keeps what nothing was decided on.", "-o", "--output"
    ),
    processes_per_node: options.DecidedPerNode = None,
    own: options.OwnRules = None,
    all_commute: options.AllCommute = False,
) -> Result:
    """Write decisions as the file that an MPI library reads; without -o, show it.

    Where a decision departs from the default the library is told so; all else stays its own.
    """
    decisions = read_decisions(decisions_file)
    found = export_rules(
        decisions, output_file, target=target, processes_per_node=processes_per_node, own=own,
        all_commute=all_commute, note=output.note,
    )  # fmt: skip
    names = ("text", "about", "notes", "beside")
    data = {name: getattr(found.export, name) for name in names} | {"settings": found.settings}
    return Result(data, _parts(decisions, found, output_file))


def _parts(decisions: Decisions, found: RulesFile, path: Path | None) -> Iterator[Part]:
    if path is None:
        yield Line(found.export.text, end="")
    yield from (f"note: {note}" for note in found.export.notes)
    if path is not None:
        yield from loading_lines(found.settings)
        if found.format.by_hand:
            yield f"nothing shows here what it does; {found.format.by_hand}"
            return
        program = ("--", "mpiexec", "-n", _most(decisions), "./my_app")
        yield output.following("contend", "tune", "verify", path, *program)


def loading_lines(settings: Mapping[str, str]) -> Iterator[Part]:
    """Show how rules are loaded."""
    yield "to load it:" if settings else "nothing is to be loaded"
    for name, value in settings.items():
        yield Line(f"export {name}={shlex.quote(value)}")


def _most(decisions: Decisions) -> int:
    """The largest number of processes that a rule departs at, or else that one is for."""
    departing = [rule for rule in decisions.rules if not rule.is_default] or decisions.rules
    return max((rule.n_to - 1 if rule.n_to else rule.n for rule in departing), default=16)
