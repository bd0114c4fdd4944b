"""The result of contend tune verify: calls against rules, gains, and why its exit code is what."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from contend.base.errors import InvalidInputError
from contend.base.units import format_bytes, format_seconds
from contend.cli import output
from contend.cli.result import Cell, Part, Result, Table, plain
from contend.schedules.libraries import library_of, version_text
from contend.tune.exports import FileRule
from contend.tune.verification.gain import LEAST, Gain
from contend.tune.verification.operands import Reordered, together
from contend.tune.verification.reasons import Reason
from contend.tune.verification.record import recorded
from contend.tune.verification.verdict import Served, Verdict
from contend.tune.verification.verify import Verified

SHOWN = 4  # rules that no call used; a file of MPICH has a hundred
MOST = 100.0  # of the end of an interval; a larger one says that nothing is known


class Timed(NamedTuple):
    """A gain, of what, and whether it is surely a loss."""

    of: str
    gain: Gain
    is_slower: bool


@contextmanager
def progress(pairs: int) -> Iterator[Callable[[str], None]]:
    """A bar of the runs; what it gives is told what begins."""
    with output.progress_bar() as bar:
        task = bar.add_task("running", total=2 * pairs or 1)
        begun = 0

        def advance(what: str) -> None:
            nonlocal begun
            bar.update(task, description=what, completed=begun)
            begun += 1

        yield advance


def verified(found: Verified, why: Sequence[Reason]) -> Result:
    """Return what ran, what it gained, and the verdict."""
    reasons = [one.text for one in why]
    runs = len(found.watched)
    data = {
        "library": found.library,
        "is_passed": not reasons,
        "reasons": reasons,
        "rules": [plain(one.rule) | {"verdict": one.verdict.value} for one in found.ruled],
        "calls": [_call(one, found) for one in found.served],
        "gains": {
            "program": found.program and _gain(found.program),
            "collectives": found.collectives
            and _gain(found.collectives) | {"is_slower": found.is_slower_together},
            "cells": [
                plain(cell) | {"is_slower": cell in found.slower} | _gain(gain)
                for cell, gain in found.cells.items()
            ],
        },
        "reordered": [plain(one) | {"calls": one.calls / runs} for one in found.reordered],
        "obstacles": [plain(one) for one in found.obstacles],
        "notes": found.notes,
    }
    return Result(data, _parts(found, reasons), code=bool(reasons))


def _call(one: Served, found: Verified) -> dict[str, Any]:
    runs = len(found.watched)
    return {
        **plain(one.cell),
        "m": one.m_low,
        "m_last": one.m_high,
        "calls": one.calls / runs,
        "seconds": one.seconds / runs,
        "ran": one.ran,
        "by_default": found.by_default.get(one.cell, []),
        "verdict": one.verdict and one.verdict.value,
        "why": one.why,
    }


def _gain(gain: Gain) -> dict[str, Any]:
    names = ("low", "high", "default_seconds", "tuned_seconds", "pairs")
    return {"gain": gain.value, **{name: getattr(gain, name) for name in names}}


def _parts(found: Verified, reasons: list[str]) -> Iterator[Part]:
    """Show tables of calls and of gains, and the verdict."""
    if found.served:
        title = f"collective calls of the program, {_short(found.library)}"
        rows = [{"cell": one.cell, **_call(one, found)} for one in found.served]
        yield Table(rows, CALLS, title)
    else:
        yield "the program made no blocking collective call"
    if unused := [one for one in found.ruled if not one.served]:
        named = "; ".join(rule_text(one.rule) for one in unused[:SHOWN])
        more = f", and {len(unused) - SHOWN} more" if len(unused) > SHOWN else ""
        yield f"never used: {named}{more}"
    if found.program is not None:
        count = found.program.pairs
        pairs = f"{count} pair{'' if count == 1 else 's'} of runs"
        yield Table(list(_timed(found)), GAINS, f"time by default / time with the rules, {pairs}")
    for own in together(found.reordered):
        yield _reordered_text(own, len(found.watched))
    yield from found.notes
    yield _verdict(found, reasons)


def save(found: Verified, path: Path) -> None:
    """Add the gains to a file, and say what to do where any is a loss."""
    gains = recorded(found)
    gains.added_to(path).save(path)
    output.note(f"gains: {path}")
    if found.slower_departures or any(one.is_slower for one in gains.programs):
        output.note(
            "to leave to the library what was slower: contend choose NETWORK --table "
            f"--verified {path} -o DECISIONS, then export and verify again"
        )


def _short(library: str) -> str:
    try:
        known, version = library_of(library)
    except InvalidInputError:
        return library.partition("\n")[0]
    return f"{known.title} {version_text(version)}"


def _verdict(found: Verified, reasons: list[str]) -> str:
    if reasons:
        return f"failed: {'; '.join(reasons)}"
    if not found.ruled:
        return "passed: the file leaves everything to the library"
    used = sum(1 for one in found.ruled if one.served)
    text = f"passed: {used} of {len(found.ruled)} rules used"
    if found.program is None:
        return text
    text += ", and nothing below 0.98 of the default beyond its interval"
    if found.program.low is None or found.program.low < LEAST:
        text += "; but whether the program is slower so few runs do not tell: give more --pairs"
    return text


def _reordered_text(own: Sequence[Reordered], runs: int) -> str:
    """Which calls compute wrong numbers, and by what."""
    one, calls = own[0], sum(each.calls for each in own) / runs
    sizes = _sizes(min(each.m for each in own), max(each.m for each in own))
    processes = ", ".join(map(str, sorted({each.n for each in own})))
    inside = "" if one.reduction == one.operation else f" of the {one.reduction} inside"
    line = f" of line {one.rule.line}" if one.rule and one.rule.line else ""
    by = f"the rule{line}: {rule_text(one.rule)}" if one.rule else "no rule of the file names it"
    return (
        f"wrong numbers: {calls:.4g} calls of {one.operation} on {processes} processes, {sizes}, "
        "have an operation that does not commute (MPI_Op_create with commute = 0), and "
        f"{one.algorithm}{inside} reorders its operands; {by}"
    )


def rule_text(rule: FileRule) -> str:
    """Return which calls a rule is for, and its algorithm."""
    end = "" if rule.size_to is None else f" to {format_bytes(rule.size_to)}"
    whole = " in all" if rule.is_per_communicator else ""
    processes = f"{rule.n}+" if rule.n_to is None else f"{rule.n} to {rule.n_to - 1}"
    return (
        f"{rule.operation} on {processes} from {format_bytes(rule.size)}{end}{whole}: "
        f"{_algorithm(rule)}"
    )


def _algorithm(rule: FileRule) -> str:
    options = (f"{name} {value}" for name, value in rule.options.items() if value)
    return " ".join([rule.algorithm, *options])


def _sizes(low: int, high: int) -> str:
    return format_bytes(low) if low == high else f"{format_bytes(low)} to {format_bytes(high)}"


def called(one: Served, found: Verified) -> str:
    """Return the verdict on calls, and why."""
    return _called(_call(one, found))


def _called(row: dict[str, Any]) -> str:
    verdict = row["verdict"] or "left to the library"
    if row["verdict"] == Verdict.in_effect.value and row["by_default"] == [row["ran"]]:
        verdict += ", as by default"
    return f"{verdict}: {row['why']}" if row["why"] else verdict


CALLS: dict[str, Cell] = {
    "operation": "operation",
    "n": "n",
    "size": lambda row: _sizes(row["m"], row["m_last"]),
    "calls": ("calls", "{:.4g}".format),
    "rule": lambda row: "none" if row["cell"].rule is None else _algorithm(row["cell"].rule),
    "ran": "ran",
    "by default": lambda row: " or ".join(row["by_default"]) or "–",
    "verdict": _called,
}


def _timed(found: Verified) -> Iterator[Timed]:
    if found.program:
        yield Timed("the whole program", found.program, None in found.slower)
    if found.collectives:
        yield Timed("in collective calls", found.collectives, found.is_slower_together)
    for cell, gain in found.cells.items():
        assert cell.rule is not None
        rule = cell.rule
        end = "on" if rule.size_to is None else f"to {format_bytes(rule.size_to)}"
        sizes = f"{format_bytes(rule.size)} {end}"
        of = f"{cell.operation}, n = {cell.n}, {sizes}: {_algorithm(rule)}"
        yield Timed(of, gain, cell in found.slower)


def _interval(gain: Gain) -> str:
    if gain.low is None or gain.high is None:
        return "–"
    high = f"{gain.high:.3f}" if gain.high < MOST else f"more than {MOST:g}"
    return f"{gain.low:.3f} to {high}"


def gained(found: Verified) -> str:
    """Return the gains of the whole program and of its collective calls, in a sentence."""
    gains = ("in collective calls", found.collectives), ("of the whole program", found.program)
    texts = [f"gain {of} {gain.value:.3f} ({_interval(gain)}, 95 %)" for of, gain in gains if gain]
    return ", ".join(texts) or "no gain was measured"


def told(one: Timed) -> str:
    """Return what an interval tells of a gain."""
    if one.is_slower:
        return "slower"
    if one.gain.low is None or one.gain.high is None or one.gain.low < LEAST:
        return "not told"
    return "faster" if one.gain.low > 1 else "not slower"


GAINS: dict[str, Cell] = {
    "of": "of",
    "default": lambda one: format_seconds(one.gain.default_seconds),
    "rules": lambda one: format_seconds(one.gain.tuned_seconds),
    "gain": lambda one: f"{one.gain.value:.3f}",
    "95 %": lambda one: _interval(one.gain),
    "told": told,
}
