"""Which algorithm a library takes from a file of rules, where none shows: a rule is poisoned.

Idea: MPICH (4.0.2 and 5.0.2) and Intel MPI (2021.18) end a program at a call whose rule names what
is none of the operation (`contend.tune.exports.format`), and only then. A program of ours stands in
the place of the user's, under the same launcher and with the same settings, and makes one such
call. If it ends well with the file as it is, dies where every rule of the operation that names an
algorithm is poisoned, and ends well where all others are, then that algorithm, and no other, is
what the file makes the library take. Intel MPI can be made to end a call as well that an algorithm
does not serve, so that it is seen where another runs in its place.
Of an algorithm that is put together of parts (`OF_PARTS`) the tree is asked for each part too, and
nothing else asks for a part: there it is enough that the call dies of its poison.
The library itself makes small calls when it starts; those of another size are spared.
Restrictions: it tells of the call of that program, not of one of the user's; the communicator is
of the first n ranks.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from contend.base.errors import StorageError
from contend.base.textfile import read_text
from contend.base.wholefile import write_whole
from contend.measure.build import cache_folder
from contend.measure.launcher import LaunchCommand, with_variables
from contend.measure.scratch import scratch
from contend.schedules.libraries import Version
from contend.tune.exports import Format
from contend.tune.verification.calls import Calls
from contend.tune.verification.runs import run_command
from contend.tune.verification.verdict import FALLBACK, Cell, Served, Verdict

OF_PARTS = frozenset(("smp",))  # own names of algorithms that ask the tree for what they call
LONGEST = 60.0  # seconds of a probe, which makes one call
OTHERS = "others"
UNFIT = "another"  # than the file names, which does not serve the call
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
        """Whether rules can be poisoned, and the program has one place in the command."""
        words = self.launch.words
        is_one = self.launch.program is not None and ":" not in words
        return self.form.poison is not None and is_one

    def survives(
        self, rules: Path, operation: str, n: int, m: int, *, is_strict: bool = True
    ) -> bool | None:
        """Whether one call ends well with a file of rules; None where it does not even begin.

        `is_strict`: where the library can be made to, a call whose algorithm does not serve it
        does not.
        """
        at = self.launch.program or 0
        words = (*self.launch.words[:at], str(self.program), f"{operation}:{m}:1:{n}")
        original, given = str(self.rules.absolute()), str(rules.absolute())
        needed = self.form.needs(read_text(self.rules), self.version)
        named = self.form.settings(original, self.version)
        if original not in named.values():  # the file itself sets the variables
            named = self.form.settings(given, self.version)
        settings = {
            name: given if value == original else value  # files beside it stay what they are
            for name, value in (needed | named).items()
        }
        strict = self.form.poison.strict if self.form.poison and is_strict else {}
        command = with_variables(replace(self.launch, words=words), {**settings, **strict})
        ended = run_command(*command, self.timeout)
        return ENDS in ended.output if BEGINS in ended.output else None

    def taken(
        self, folder: Path, operation: str, n: int, m: int, expected: str
    ) -> frozenset[str] | None:
        """Algorithms of the file that decide a call; None where that cannot be found out.

        Others are distinguished only where `expected` is none of them. `UNFIT` is one that does not
        serve the call, in whose place the library runs another.
        """
        poison = self.form.poison
        assert poison is not None
        text, path = read_text(self.rules), folder / "poisoned.json"
        ends: list[bool | None] = []  # of all poisoned calls; None: the library met it before

        def kills(*names: str) -> bool:
            write_whole(path, poison.poisoned(text, operation, names, n, m))
            ends.append(self.survives(path, operation, n, m))
            return not ends[-1]

        if not (begun := self.survives(self.rules, operation, n, m)):
            is_unfit = begun is False and poison.strict
            if is_unfit and self.survives(self.rules, operation, n, m, is_strict=False):
                return frozenset((UNFIT,))
            return None
        others = [name for name in poison.leaves(text, operation, self.version) if name != expected]
        taken = {expected} if kills(expected) else set()
        if others and None not in ends and kills(*others):
            taken |= {OTHERS} if taken else {name for name in others if kills(name)}
        return None if None in ends else frozenset(taken)


def probe(prober: Prober, cells: Mapping[Cell, Sequence[int]]) -> dict[tuple[Cell, int], Served]:
    """What decides the smallest and the largest call of each cell, for all of its sizes."""
    decided: dict[tuple[Cell, int], Served] = {}
    parent = cache_folder()  # which all hosts see
    try:
        with scratch(parent, "probe-") as folder:
            for cell, sizes in cells.items():
                served = _probed(prober, folder, cell, sizes)
                decided |= {(cell, m): served for m in sizes}
    except OSError as error:
        raise StorageError.of(parent, error) from None
    return decided


def _probed(prober: Prober, folder: Path, cell: Cell, sizes: Sequence[int]) -> Served:
    rule = cell.rule
    assert rule is not None
    library = prober.form.library
    expected = library.algorithm(cell.operation, rule.algorithm, prober.version).own_name
    ends = sorted({min(sizes), max(sizes)})
    taken = [prober.taken(folder, cell.operation, cell.n, m, expected) for m in ends]
    names = sorted(set().union(*(algorithms or () for algorithms in taken)))
    ran, verdict, why = " or ".join(names) or "?", Verdict.unknown, "by a probe"
    if None in taken:
        ran, why = "?", "a probe of it does not begin or end well"
    elif UNFIT in names:
        verdict = Verdict.not_in_effect if names == [UNFIT] else Verdict.in_part
        why = f"{why}: {rule.algorithm} does not serve it, and another {FALLBACK}"
    elif names == [expected]:
        verdict = Verdict.in_effect
    elif expected in OF_PARTS and all(
        algorithms is not None and expected in algorithms for algorithms in taken
    ):
        ran, verdict, why = expected, Verdict.in_effect, f"{why}; other rules decide its parts"
    elif not names:
        verdict, why = Verdict.not_in_effect, f"{why}: no rule of the file decides such a call"
    elif rule.when:
        why = f"{why}; the rule holds {' and '.join(rule.when)}"
    else:
        verdict = Verdict.in_part if expected in names else Verdict.not_in_effect
        why = f"{why}: the rule says {rule.algorithm}"
    return Served(cell, ran, 0, 0, ends[0], ends[-1], verdict, why)


def cells_to_probe(cells: Iterable[tuple[Cell, Calls]]) -> dict[Cell, list[int]]:
    """Sizes of the calls of each cell that a rule departs from the default for."""
    sizes_of: dict[Cell, list[int]] = {}
    for cell, calls in cells:
        if not cell.is_default and calls.kind.m not in sizes_of.setdefault(cell, []):
            sizes_of[cell].append(calls.kind.m)
    return sizes_of
