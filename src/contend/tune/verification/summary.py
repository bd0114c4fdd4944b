"""What is shown of a verification: calls against rules, gains, and why it failed."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from contend.base.errors import InvalidInputError
from contend.base.result import Cell, Part, Result, Table, plain
from contend.base.units import format_bytes, format_seconds
from contend.schedules.libraries import library_of, version_text
from contend.tune.exports import FileRule
from contend.tune.verification.gain import LEAST, Gain
from contend.tune.verification.operands import Reordered, together
from contend.tune.verification.reasons import Reason
from contend.tune.verification.verdict import Served, Verdict
from contend.tune.verification.verify import Verified

SHOWN = 4  # rules that no call used; a file of MPICH has a hundred
MOST = 100.0  # of the end of an interval; a larger one says that nothing is known
Row = Mapping[str, Any]


def result_of(verified: Verified, why: Sequence[Reason]) -> Result:
    """Return what ran, what it gained, and the verdict."""
    reasons = [reason.text for reason in why]
    data = {
        "library": verified.library,
        "is_passed": not reasons,
        "reasons": reasons,
        "rules": [plain(ruled.rule) | {"verdict": ruled.verdict.value} for ruled in verified.ruled],
        "calls": [_call(served, verified) for served in verified.served],
        "gains": {
            "program": verified.program and gain_row(verified.program),
            "collectives": verified.collectives
            and gain_row(verified.collectives) | {"is_slower": verified.is_slower_together},
            "cells": [
                plain(cell) | {"is_slower": cell in verified.slower} | gain_row(gain)
                for cell, gain in verified.cells.items()
            ],
        },
        "reordered": [
            plain(reordered) | {"calls": reordered.calls / len(verified.watched)}
            for reordered in verified.reordered
        ],
        "obstacles": [plain(obstacle) for obstacle in verified.obstacles],
        "notes": verified.notes,
    }
    return Result(data, _parts(verified, data, reasons), code=bool(reasons))


def _call(served: Served, verified: Verified) -> dict[str, Any]:
    runs = len(verified.watched)
    return {
        **plain(served.cell),
        "m": served.m_low,
        "m_last": served.m_high,
        "calls": served.calls / runs,
        "seconds": served.seconds / runs,
        "ran": served.ran,
        "by_default": verified.by_default.get(served.cell, []),
        "verdict": served.verdict and served.verdict.value,
        "why": served.why,
    }


def gain_row(gain: Gain) -> dict[str, Any]:
    """Return a gain with its interval, the times that it is of, and the number of pairs."""
    names = ("low", "high", "default_seconds", "tuned_seconds", "pairs")
    return {"gain": gain.value, **{name: getattr(gain, name) for name in names}}


def _parts(verified: Verified, data: Row, reasons: list[str]) -> Iterator[Part]:
    if verified.served:
        title = f"collective calls of the program, {_short(verified.library)}"
        yield Table(data["calls"], CALLS, title)
    else:
        yield "the program made no blocking collective call"
    if unused := [ruled for ruled in verified.ruled if not ruled.served]:
        named = "; ".join(rule_text(ruled.rule) for ruled in unused[:SHOWN])
        more = f", and {len(unused) - SHOWN} more" if len(unused) > SHOWN else ""
        yield f"never used: {named}{more}"
    if verified.program is not None:
        count = verified.program.pairs
        pairs = f"{count} pair{'' if count == 1 else 's'} of runs"
        rows = list(_timed(verified, data["gains"]))
        yield Table(rows, GAINS, f"time by default / time with the rules, {pairs}")
    for group in together(verified.reordered):
        yield _reordered_text(group, len(verified.watched))
    yield from verified.notes
    yield _verdict(verified, reasons)


def _short(library: str) -> str:
    try:
        identified, version = library_of(library)
    except InvalidInputError:
        return library.partition("\n")[0]
    return f"{identified.title} {version_text(version)}"


def _verdict(verified: Verified, reasons: list[str]) -> str:
    if reasons:
        return f"failed: {'; '.join(reasons)}"
    if not verified.ruled:
        return "passed: the file leaves everything to the library"
    used = sum(1 for ruled in verified.ruled if ruled.served)
    text = f"passed: {used} of {len(verified.ruled)} rules used"
    if verified.program is None:
        return text
    text += ", and nothing below 0.98 of the default beyond its interval"
    if verified.program.low is None or verified.program.low < LEAST:
        text += "; too few runs to show whether the program is slower: try --repeat pairs=9"
    return text


def _reordered_text(group: Sequence[Reordered], runs: int) -> str:
    """Which calls compute wrong numbers, and by what."""
    first, calls = group[0], sum(each.calls for each in group) / runs
    sizes = _sizes(min(each.m for each in group), max(each.m for each in group))
    processes = ", ".join(map(str, sorted({each.n for each in group})))
    inside = "" if first.reduction == first.operation else f" of the {first.reduction} inside"
    line = f" of line {first.rule.line}" if first.rule and first.rule.line else ""
    by = (
        f"the rule{line}: {rule_text(first.rule)}" if first.rule else "no rule of the file names it"
    )
    return (
        f"wrong numbers: {calls:.4g} calls of {first.operation} on {processes} processes, {sizes}, "
        "have an operation that does not commute (MPI_Op_create with commute = 0), and "
        f"{first.algorithm}{inside} reorders its operands; {by}"
    )


def rule_text(rule: FileRule) -> str:
    """Return which calls a rule is for, and its algorithm."""
    end = "" if rule.size_to is None else f" to {format_bytes(rule.size_to)}"
    whole = " in all" if rule.is_per_communicator else ""
    processes = f"{rule.n}+" if rule.n_to is None else f"{rule.n} to {rule.n_to - 1}"
    return (
        f"{rule.operation} on {processes} from {format_bytes(rule.size)}{end}{whole}: "
        f"{_algorithm(rule.algorithm, rule.options)}"
    )


def _algorithm(algorithm: str, options: Mapping[str, int]) -> str:
    return " ".join([algorithm, *(f"{name} {value}" for name, value in options.items() if value)])


def _sizes(low: int, high: int) -> str:
    return format_bytes(low) if low == high else f"{format_bytes(low)} to {format_bytes(high)}"


def called(served: Served, verified: Verified) -> str:
    return _called(_call(served, verified))


def _called(row: Row) -> str:
    verdict = row["verdict"] or "left to the library"
    if row["verdict"] == Verdict.in_effect.value and row["by_default"] == [row["ran"]]:
        verdict += ", as by default"
    return f"{verdict}: {row['why']}" if row["why"] else verdict


def _rule(row: Row) -> str:
    rule = row["rule"]
    return "none" if rule is None else _algorithm(rule["algorithm"], rule["options"])


CALLS: dict[str, Cell] = {
    "operation": "operation",
    "n": "n",
    "size": lambda row: _sizes(row["m"], row["m_last"]),
    "calls": ("calls", "{:.4g}".format),
    "rule": _rule,
    "ran": "ran",
    "by default": lambda row: " or ".join(row["by_default"]) or "–",
    "verdict": _called,
}


def _timed(verified: Verified, gains: Row) -> Iterator[dict[str, Any]]:
    """A row for the program, for all its calls, and for those of each rule."""
    if gains["program"]:
        yield gains["program"] | {"of": "the whole program", "is_slower": None in verified.slower}
    if gains["collectives"]:
        yield gains["collectives"] | {"of": "in collective calls"}
    for row in gains["cells"]:
        rule = row["rule"]
        end = "on" if rule["size_to"] is None else f"to {format_bytes(rule['size_to'])}"
        sizes = f"{format_bytes(rule['size'])} {end}"
        yield row | {"of": f"{row['operation']}, n = {row['n']}, {sizes}: {_rule(row)}"}


def _interval(row: Row) -> str:
    if row["low"] is None or row["high"] is None:
        return "–"
    high = f"{row['high']:.3f}" if row["high"] < MOST else f"more than {MOST:g}"
    return f"{row['low']:.3f} to {high}"


def gained(verified: Verified) -> str:
    """Return the gains of the whole program and of its collective calls, in a sentence."""
    gains = (
        ("in collective calls", verified.collectives),
        ("of the whole program", verified.program),
    )
    texts = [
        f"gain {of} {gain.value:.3f} ({_interval(gain_row(gain))}, 95 %)"
        for of, gain in gains
        if gain
    ]
    return ", ".join(texts) or "no gain was measured"


def significance(row: Row) -> str:
    """Return what the interval of a gain shows."""
    if row["is_slower"]:
        return "slower"
    if row["low"] is None or row["high"] is None or row["low"] < LEAST:
        return "not significant"
    return "faster" if row["low"] > 1 else "not slower"


GAINS: dict[str, Cell] = {
    "of": "of",
    "default": ("default_seconds", format_seconds),
    "rules": ("tuned_seconds", format_seconds),
    "gain": ("gain", "{:.3f}".format),
    "95 %": _interval,
    "significance": significance,
}
