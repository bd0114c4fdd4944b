"""Which algorithm the rules make MPICH take for calls like a program's, by poisoned rules."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from contend.errors import StorageError
from contend.exports import Format
from contend.libraries import Version
from contend.measure.build import cache_folder
from contend.measure.launcher import LaunchCommand, with_variables
from contend.measure.scratch import scratch
from contend.textfile import read_text
from contend.verification.calls import Calls
from contend.verification.poison import OF_PARTS, leaves, poisoned
from contend.verification.running import run_command
from contend.verification.verdict import Cell, Served, Verdict
from contend.wholefile import write_whole

LONGEST = 60.0  # seconds of a probe, which makes one call
OTHERS = "others"
BEGINS, ENDS = "contend probe begins", "contend probe ends"  # see mpi/probe


@dataclass(frozen=True)
class Prober:
    """Runs a probe in the place of a program; `timeout` is in seconds."""

    launch: LaunchCommand
    program: Path
    rules: Path
    form: Format
    version: Version
    timeout: float = LONGEST

    @property
    def can_probe(self) -> bool:
        """Whether the place of the program in the command is known, and it is the only one."""
        return self.launch.program is not None and ":" not in self.launch.words

    def survives(self, rules: Path, operation: str, n: int, m: int) -> bool | None:
        """Whether one call ends well with a file of rules; None where it does not even begin."""
        at = self.launch.program or 0
        words = (*self.launch.words[:at], str(self.program), f"{operation}:{m}:1:{n}")
        own, given = str(self.rules.resolve()), str(rules.resolve())
        needed = self.form.needs(read_text(self.rules), self.version)
        settings = {
            name: given if value == own else value  # files beside it stay what they are
            for name, value in (needed | self.form.settings(own, self.version)).items()
        }
        command = with_variables(replace(self.launch, words=words), settings)
        ended = run_command(*command, self.timeout)
        return ENDS in ended.said if BEGINS in ended.said else None

    def taken(
        self, folder: Path, operation: str, n: int, m: int, expected: str
    ) -> frozenset[str] | None:
        """Algorithms of the file that decide a call; None where that cannot be found out.

        Others are told apart only where `expected` is none of them.
        """
        text = read_text(self.rules)

        def kills(*names: str) -> bool:
            path = folder / "poisoned.json"
            write_whole(path, poisoned(text, operation, names, n, m))
            if (survives := self.survives(path, operation, n, m)) is None:
                raise _UntoldError
            return not survives

        if not self.survives(self.rules, operation, n, m):
            return None
        others = [name for name in leaves(text, operation) if name != expected]
        try:
            is_expected, is_other = kills(expected), bool(others) and kills(*others)
            if is_expected:
                return frozenset({expected, OTHERS} if is_other else {expected})
            return frozenset(name for name in others if kills(name)) if is_other else frozenset()
        except _UntoldError:
            return None


class _UntoldError(Exception):
    """The library itself meets the poison before the call that is probed."""


def probe(prober: Prober, cells: Mapping[Cell, Sequence[int]]) -> dict[tuple[Cell, int], Served]:
    """What decides the smallest and the largest call of each cell, for all of its sizes."""
    found: dict[tuple[Cell, int], Served] = {}
    parent = cache_folder()  # which all hosts see
    try:
        with scratch(parent, "probe-") as folder:
            for cell, sizes in cells.items():
                served = _probed(prober, folder, cell, sizes)
                found |= {(cell, m): served for m in sizes}
    except OSError as error:
        raise StorageError.of(parent, error) from None
    return found


def _probed(prober: Prober, folder: Path, cell: Cell, sizes: Sequence[int]) -> Served:
    rule = cell.rule
    assert rule is not None
    library = prober.form.library
    own = library.algorithm(cell.operation, rule.algorithm, prober.version).own_name
    ends = sorted({min(sizes), max(sizes)})
    taken = [prober.taken(folder, cell.operation, cell.n, m, own) for m in ends]
    names = sorted(set().union(*(one or () for one in taken)))
    served = Served(cell, " or ".join(names) or "?", 0, 0, ends[0], ends[-1], Verdict.unknown)
    if None in taken:
        return replace(served, ran="?", why="a probe of it does not begin or end well")
    if names == [own]:
        return replace(served, verdict=Verdict.in_effect, why="by a probe")
    if own in OF_PARTS and all(one is not None and own in one for one in taken):
        why = "by a probe; other rules decide its parts"
        return replace(served, ran=own, verdict=Verdict.in_effect, why=why)
    if not names:
        why = "by a probe: no rule of the file decides such a call"
        return replace(served, verdict=Verdict.not_in_effect, why=why)
    if rule.when:
        return replace(served, why=f"by a probe; the rule holds {' and '.join(rule.when)}")
    verdict = Verdict.in_part if own in names else Verdict.not_in_effect
    return replace(served, verdict=verdict, why=f"by a probe: the rule says {rule.algorithm}")


def cells_to_probe(cells: Iterable[tuple[Cell, Calls]]) -> dict[Cell, list[int]]:
    """Sizes of the calls of each cell that a rule departs from the default for."""
    found: dict[Cell, list[int]] = {}
    for cell, calls in cells:
        if not cell.is_default and calls.kind.m not in found.setdefault(cell, []):
            found[cell].append(calls.kind.m)
    return found


def is_tree_of_rules(text: str) -> bool:
    """Whether a text is a file whose rules can be poisoned."""
    try:
        tree = json.loads(text)
    except ValueError:
        return False
    return isinstance(tree, dict) and any(key.startswith("collective=") for key in tree)
