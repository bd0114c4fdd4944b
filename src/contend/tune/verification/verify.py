"""A program run with and without rules: what became of each rule, and what was gained."""

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np

from contend.base.textfile import read_text
from contend.measure.build import probe_program
from contend.measure.launcher import LaunchCommand
from contend.measure.mpi import MPI
from contend.schedules.libraries import Version
from contend.tune.exports import FileRule, Finding, Format
from contend.tune.exports.filerule import Placement
from contend.tune.exports.surroundings import Circumstances
from contend.tune.verification.calls import Calls, Watched, added, longest
from contend.tune.verification.gain import Gain, Pair, gain_of
from contend.tune.verification.library_rules import as_default, decided, written_out
from contend.tune.verification.operands import Reordered, Rules
from contend.tune.verification.probe import Prober, cells_to_probe, probe
from contend.tune.verification.runs import Run, run_watched
from contend.tune.verification.surroundings import surroundings
from contend.tune.verification.verdict import (
    Cell,
    Ruled,
    Served,
    Verdict,
    cell_of,
    judge,
    placement_of,
)

WITH, WITHOUT = "with the rules", "without the rules"


@dataclass(frozen=True)
class Trial:
    """What is verified, and how: a command, rules for it, and how often it is run."""

    launch: LaunchCommand
    library: Path
    mpi: MPI
    path: Path
    form: Format
    version: Version
    pairs: int
    seed: int
    timeout: float
    beside: Mapping[str, str] = field(default_factory=dict)

    @property
    def settings(self) -> dict[str, str]:
        """Environment variables that make the library take the file, and those `beside` it."""
        path = self.path.absolute()  # of a link its own name, as files beside it
        needed = self.form.needs(read_text(path), self.version)
        return {**self.beside, **needed, **self.form.settings(str(path), self.version)}

    @cached_property
    def obstacles(self) -> list[Finding]:
        """What is set around the program and wins over the rules."""
        text = read_text(self.path)
        rules = decided(text, self.form, self.version, self.library)
        around = surroundings(self.launch, os.environ, self.version)
        return self.form.obstacles(Circumstances(rules, self.settings, self.version, around))

    @property
    def alongside(self) -> dict[str, str]:
        """Environment variables of all runs, so that these differ by rules alone."""
        return self.form.library.added_to(os.environ)

    def run(self, arm: str) -> Run:
        """One run of the program, with or without the rules."""
        settings = self.settings if arm == WITH else {}
        return run_watched(self.launch, self.library, self.alongside | settings, self.timeout, arm)


@dataclass(frozen=True)
class Verified:
    """What was found. `gains` are of the whole program, all its calls, and cells with a rule."""

    library: str
    served: list[Served]
    by_default: dict[Cell, list[str]]
    ruled: list[Ruled]
    program: Gain | None
    collectives: Gain | None
    cells: dict[Cell, Gain]
    watched: list[Watched]
    reordered: list[Reordered] = field(default_factory=list)
    written_out: frozenset[FileRule] = frozenset()  # rules that say what the library does itself
    notes: list[str] = field(default_factory=list)
    obstacles: list[Finding] = field(default_factory=list)

    @property
    def slower(self) -> list[Cell | None]:
        """Cells that the rules made slower, beyond chance; None: the whole program."""
        tested = len(self.cells) + 1
        cells: list[Cell | None] = [
            cell for cell, gain in self.cells.items() if gain.is_slower(tested)
        ]
        is_slower = self.program is not None and self.program.is_slower(tested)
        return cells + ([None] if is_slower else [])

    @property
    def is_slower_together(self) -> bool:
        """Whether all collective calls together took longer, be it little, beyond chance.

        That is one thing, and what rules are for, so that it is tested by itself.
        """
        high = self.collectives.high if self.collectives else None
        return high is not None and high < 1

    @property
    def departures(self) -> dict[Cell, FileRule]:
        """Rules of cells that say something else than the library does by itself."""
        rules = {cell: cell.rule for cell in self.cells if cell.rule is not None}
        return {cell: rule for cell, rule in rules.items() if rule not in self.written_out}

    @property
    def slower_departures(self) -> list[Cell]:
        """Cells of departures that are significantly slower."""
        return [cell for cell in self.departures if cell in self.slower]

    def ruled_as(self, *verdicts: Verdict) -> list[Ruled]:
        return [ruled for ruled in self.ruled if ruled.verdict in verdicts]


def verify(trial: Trial, advance: Callable[[str], None] = lambda _: None) -> Verified:
    """Run the program in pairs, or once with the rules where there are none, and judge.

    `advance` is called with what is done next.
    """
    text = read_text(trial.path)
    rules = decided(text, trial.form, trial.version, trial.library)
    with_rules: list[Run] = []
    without: list[Run] = []
    for arm in _order(trial):
        advance(arm)
        (with_rules if arm == WITH else without).append(trial.run(arm))
    watched = [run.watched for run in with_rules]
    runs = list(zip(without, with_rules, strict=False))
    first = watched[0]
    is_seen = any(run.watched.has_seen_an_algorithm for run in (*with_rules, *without))
    placement = placement_of(first.ranks, first.ranks, first.per_node)
    calls = added(run.calls for run in watched)
    probed = {} if is_seen else _probed(trial, rules, calls, placement, advance)
    written = written_out(rules, trial.form, trial.version, trial.library)
    rules = _settled(
        rules, written, [cell_of(rules, call.kind, placement) for call in calls], probed
    )
    served, ruled = judge(rules, calls, placement, is_seen=is_seen, probed=probed)
    before, _ = judge(
        rules, added(run.watched.calls for run in without), placement, is_seen=is_seen
    )
    return Verified(
        library=first.library,
        served=served,
        by_default=_named(before) if is_seen else {},
        ruled=ruled,
        program=gain_of([Pair(a.seconds, b.seconds) for a, b in runs]),
        collectives=gain_of(
            [Pair(longest(a.watched.calls), longest(b.watched.calls)) for a, b in runs]
        ),
        cells=_gains(rules, placement, runs),
        watched=watched,
        reordered=_reordered(trial, text, watched, placement, is_seen),
        written_out=written,
        notes=list(_notes(trial, watched, is_seen, bool(probed))),
        obstacles=trial.obstacles,
    )


def _reordered(
    trial: Trial, text: str, watched: Sequence[Watched], placement: Placement, is_seen: bool
) -> list[Reordered]:
    """Calls of all runs whose operation does not commute and whose operands are reordered."""
    rules = Rules(trial.form, trial.version, text)
    calls = added(run.calls for run in watched)
    if not is_seen:
        return list(rules.due(calls, placement))
    return list(rules.seen(calls, added(run.inner for run in watched), placement))


def _order(trial: Trial) -> Iterator[str]:
    """Which run comes next; the two of a pair in random order."""
    rng = np.random.default_rng(trial.seed)
    for _ in range(trial.pairs):
        yield from (WITH, WITHOUT) if rng.random() < 0.5 else (WITHOUT, WITH)
    if not trial.pairs:
        yield WITH


def _named(served: Sequence[Served]) -> dict[Cell, list[str]]:
    ran: dict[Cell, list[str]] = {}
    for entry in served:
        if entry.ran not in ran.setdefault(entry.cell, []):
            ran[entry.cell].append(entry.ran)
    return ran


def _gains(
    rules: Sequence[FileRule], placement: Placement, runs: Iterable[tuple[Run, Run]]
) -> dict[Cell, Gain]:
    """Gains of the time in the calls of each cell that a rule departs from the default for."""
    pairs: dict[Cell, list[Pair]] = {}
    for default, tuned in runs:
        of_default, of_tuned = (_seconds(rules, placement, run) for run in (default, tuned))
        for cell in of_default.keys() & of_tuned.keys():
            pairs.setdefault(cell, []).append(Pair(of_default[cell], of_tuned[cell]))
    gains = {cell: gain for cell, of_cell in pairs.items() if (gain := gain_of(of_cell))}
    return dict(sorted(gains.items(), key=lambda item: (item[0].operation, item[0].n)))


def _seconds(rules: Sequence[FileRule], placement: Placement, run: Run) -> dict[Cell, float]:
    calls_of: dict[Cell, list[Calls]] = {}
    for call in run.watched.calls:
        cell = cell_of(rules, call.kind, placement)
        if not cell.is_default:
            calls_of.setdefault(cell, []).append(call)
    return {cell: longest(calls) for cell, calls in calls_of.items()}


def _probed(
    trial: Trial,
    rules: Sequence[FileRule],
    calls: Sequence[Calls],
    placement: Placement,
    advance: Callable[[str], None],
) -> dict[tuple[Cell, int], Served]:
    """What probes find, where the library hides its algorithms and its rules can be poisoned."""
    prober = Prober(trial.launch, probe_program(trial.mpi), trial.path, trial.form, trial.version)
    if not prober.can_probe:
        return {}
    advance("probing")
    return probe(
        prober, cells_to_probe((cell_of(rules, call.kind, placement), call) for call in calls)
    )


def _settled(
    rules: Sequence[FileRule],
    written: Collection[FileRule],
    cells: Iterable[Cell],
    probed: Mapping[tuple[Cell, int], Served],
) -> tuple[FileRule, ...]:
    """The rules, "default" where a file writes out the library's own and nothing else shows."""
    verdicts: dict[FileRule | None, set[Verdict | None]] = {cell.rule: set() for cell in cells}
    for (cell, _), served in probed.items():
        verdicts[cell.rule].add(served.verdict)
    hidden = {
        rule for rule in written if verdicts.get(rule, {Verdict.unknown}) == {Verdict.unknown}
    }
    return tuple(as_default(rule) if rule in hidden else rule for rule in rules)


def _notes(
    trial: Trial, watched: Sequence[Watched], is_seen: bool, is_probed: bool
) -> Iterator[str]:
    first = watched[0]
    if first.files < first.ranks:
        yield f"{first.files} of {first.ranks} ranks left a record: what others called is not known"
    if left_out := sum(run.left_out for run in watched):
        yield f"{left_out} calls are not in the table: ranks keep 8192 kinds of calls"
    if is_probed:
        yield (
            "this library does not show what it runs; a program of contend made one call of the "
            "smallest and of the largest size of each rule instead, with the rule poisoned"
        )
    elif not is_seen:
        yield "this library does not show what it runs: only times can be compared"
    if trial.pairs and trial.alongside:
        assigned = " ".join(f"{name}={value}" for name, value in trial.alongside.items())
        yield f"without the rules too {assigned} was set, so that the rules alone are compared"
    if kept := trial.form.library.alongside.keys() - trial.alongside.keys():
        yield f"{', '.join(sorted(kept))}: set already, and left as it is in all runs"
