"""What contend tune verify shows: calls against rules, gains, and the reason of its exit code."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from contend.cli import output
from contend.units import format_bytes, format_seconds

if TYPE_CHECKING:
    from pathlib import Path

    from contend.exports import FileRule
    from contend.verification.gain import Gain
    from contend.verification.operands import Reordered
    from contend.verification.verdict import Cell, Served
    from contend.verification.verify import Verified

SHOWN = 4  # rules that no call used; a file of MPICH has a hundred
MOST = 100.0  # of the end of an interval; a larger one says that nothing is known


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


def show(found: "Verified", reasons: list[str]) -> None:
    """Tables of calls and of gains, and the verdict."""
    import pandas as pd

    from contend.verification.operands import together

    if found.served:
        rows = pd.DataFrame([_served_row(one, found) for one in found.served])
        output.show_table(rows, f"collective calls of the program, {_short(found.library)}")
    else:
        output.note("the program made no blocking collective call")
    if unused := [one for one in found.ruled if not one.served]:
        named = "; ".join(_rule_text(one.rule) for one in unused[:SHOWN])
        more = f", and {len(unused) - SHOWN} more" if len(unused) > SHOWN else ""
        output.note(f"never used: {named}{more}")
    if found.program is not None:
        rows = pd.DataFrame(list(_gain_rows(found)))
        count = found.program.pairs
        pairs = f"{count} pair{'' if count == 1 else 's'} of runs"
        output.show_table(rows, f"time by default / time with the rules, {pairs}")
    for own in together(found.reordered):
        output.note(_reordered_text(own, len(found.watched)))
    for text in found.notes:
        output.note(text)
    output.note(_verdict(found, reasons))


def save(found: "Verified", path: "Path") -> None:
    """Add the gains to a file, and say what to do where any is a loss."""
    from contend.verification.record import recorded

    gains = recorded(found)
    gains.added_to(path).save(path)
    output.note(f"gains: {path}")
    if found.slower_departures or any(one.is_slower for one in gains.programs):
        output.note(
            "to leave to the library what was slower: contend choose NETWORK --table "
            f"--verified {path} -o DECISIONS, then export and verify again"
        )


def as_data(found: "Verified", reasons: list[str]) -> dict[str, Any]:
    """All of it for JSON."""
    runs = len(found.watched)
    together = found.collectives and {
        **_gain_data(found.collectives), "is_slower": found.is_slower_together
    }  # fmt: skip
    return {
        "library": found.library,
        "is_passed": not reasons,
        "reasons": reasons,
        "rules": [{**asdict(one.rule), "verdict": one.verdict.value} for one in found.ruled],
        "calls": [_served_data(one, found) for one in found.served],
        "gains": {
            "program": found.program and _gain_data(found.program),
            "collectives": together,
            "cells": [
                {**asdict(cell), "is_slower": cell in found.slower, **_gain_data(gain)}
                for cell, gain in found.cells.items()
            ],
        },
        "reordered": [{**asdict(one), "calls": one.calls / runs} for one in found.reordered],
        "notes": found.notes,
    }


def _served_data(one: "Served", found: "Verified") -> dict[str, Any]:
    return {
        **asdict(one.cell),
        "m": one.m_low,
        "m_last": one.m_high,
        "calls": one.calls / len(found.watched),
        "seconds": one.seconds / len(found.watched),
        "ran": one.ran,
        "by_default": found.by_default.get(one.cell, []),
        "verdict": one.verdict and one.verdict.value,
        "why": one.why,
    }


def _gain_data(gain: "Gain") -> dict[str, Any]:
    names = ("low", "high", "default_seconds", "tuned_seconds", "pairs")
    return {"gain": gain.value, **{name: getattr(gain, name) for name in names}}


def _short(library: str) -> str:
    from contend.errors import InvalidInputError
    from contend.libraries import library_of, version_text

    try:
        known, version = library_of(library)
    except InvalidInputError:
        return library.partition("\n")[0]
    return f"{known.title} {version_text(version)}"


def _verdict(found: "Verified", reasons: list[str]) -> str:
    if reasons:
        return f"failed: {'; '.join(reasons)}"
    if not found.ruled:
        return "passed: the file leaves everything to the library"
    used = sum(1 for one in found.ruled if one.served)
    text = f"passed: {used} of {len(found.ruled)} rules used"
    if found.program is None:
        return text
    return f"{text}, and nothing below 0.98 of the default beyond its interval"


def _reordered_text(own: "Sequence[Reordered]", runs: int) -> str:
    """Which calls compute wrong numbers, and by what."""
    one, calls = own[0], sum(each.calls for each in own) / runs
    sizes = _sizes(min(each.m for each in own), max(each.m for each in own))
    processes = ", ".join(map(str, sorted({each.n for each in own})))
    inside = "" if one.reduction == one.operation else f" of the {one.reduction} inside"
    line = f" of line {one.rule.line}" if one.rule and one.rule.line else ""
    by = f"the rule{line}: {_rule_text(one.rule)}" if one.rule else "no rule of the file names it"
    return (
        f"wrong numbers: {calls:.4g} calls of {one.operation} on {processes} processes, {sizes}, "
        "have an operation that does not commute (MPI_Op_create with commute = 0), and "
        f"{one.algorithm}{inside} reorders its operands; {by}"
    )


def _rule_text(rule: "FileRule") -> str:
    end = "" if rule.size_to is None else f" to {format_bytes(rule.size_to)}"
    whole = " in all" if rule.is_per_communicator else ""
    processes = f"{rule.n}+" if rule.n_to is None else f"{rule.n} to {rule.n_to - 1}"
    return (
        f"{rule.operation} on {processes} from {format_bytes(rule.size)}{end}{whole}: "
        f"{_algorithm(rule)}"
    )


def _algorithm(rule: "FileRule") -> str:
    options = (f"{name} {value}" for name, value in rule.options.items() if value)
    return " ".join([rule.algorithm, *options])


def _sizes(low: int, high: int) -> str:
    return format_bytes(low) if low == high else f"{format_bytes(low)} to {format_bytes(high)}"


def _served_row(one: "Served", found: "Verified") -> dict[str, Any]:
    from contend.verification.verdict import Verdict

    rule = one.cell.rule
    verdict = "left to the library" if one.verdict is None else one.verdict.value
    by_default = found.by_default.get(one.cell, [])
    if one.verdict is Verdict.in_effect and by_default == [one.ran]:
        verdict += ", as by default"
    return {
        "operation": one.cell.operation,
        "n": one.cell.n,
        "size": _sizes(one.m_low, one.m_high),
        "calls": f"{one.calls / len(found.watched):.4g}",
        "rule": "none" if rule is None else _algorithm(rule),
        "ran": one.ran,
        "by default": " or ".join(by_default) or "–",
        "verdict": f"{verdict}: {one.why}" if one.why else verdict,
    }


def _gain_rows(found: "Verified") -> Iterator[dict[str, Any]]:
    if found.program:
        yield _gain_row("the whole program", found.program, None in found.slower)
    if found.collectives:
        yield _gain_row("in collective calls", found.collectives, found.is_slower_together)
    for cell, gain in found.cells.items():
        yield _gain_row(_cell_text(cell), gain, cell in found.slower)


def _cell_text(cell: "Cell") -> str:
    assert cell.rule is not None
    rule = cell.rule
    end = "on" if rule.size_to is None else f"to {format_bytes(rule.size_to)}"
    return f"{cell.operation}, n = {cell.n}, {format_bytes(rule.size)} {end}: {_algorithm(rule)}"


def _gain_row(of: str, gain: "Gain", is_slower: bool) -> dict[str, Any]:
    from contend.verification.gain import LEAST

    interval, verdict = "–", "not told"
    if gain.low is not None and gain.high is not None:
        high = f"{gain.high:.3f}" if gain.high < MOST else f"more than {MOST:g}"
        interval = f"{gain.low:.3f} to {high}"
        if gain.low >= LEAST:
            verdict = "faster" if gain.low > 1 else "not slower"
    return {
        "of": of,
        "default": format_seconds(gain.default_seconds),
        "rules": format_seconds(gain.tuned_seconds),
        "gain": f"{gain.value:.3f}",
        "95 %": interval,
        "told": "slower" if is_slower else verdict,
    }
