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


def result_of(found: Verified, why: Sequence[Reason]) -> Result:
    """Return what ran, what it gained, and the verdict."""
    reasons = [one.text for one in why]
    data = {
        "library": found.library,
        "is_passed": not reasons,
        "reasons": reasons,
        "rules": [plain(one.rule) | {"verdict": one.verdict.value} for one in found.ruled],
        "calls": [_call(one, found) for one in found.served],
        "gains": {
            "program": found.program and gain_row(found.program),
            "collectives": found.collectives
            and gain_row(found.collectives) | {"is_slower": found.is_slower_together},
            "cells": [
                plain(cell) | {"is_slower": cell in found.slower} | gain_row(gain)
                for cell, gain in found.cells.items()
            ],
        },
        "reordered": [
            plain(one) | {"calls": one.calls / len(found.watched)} for one in found.reordered
        ],
        "obstacles": [plain(one) for one in found.obstacles],
        "notes": found.notes,
    }
    return Result(data, _parts(found, data, reasons), code=bool(reasons))


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


def gain_row(gain: Gain) -> dict[str, Any]:
    """Return a gain with its interval, the times that it is of, and the number of pairs."""
    names = ("low", "high", "default_seconds", "tuned_seconds", "pairs")
    return {"gain": gain.value, **{name: getattr(gain, name) for name in names}}


def _parts(found: Verified, data: Row, reasons: list[str]) -> Iterator[Part]:
    if found.served:
        title = f"collective calls of the program, {_short(found.library)}"
        yield Table(data["calls"], CALLS, title)
    else:
        yield "the program made no blocking collective call"
    if unused := [one for one in found.ruled if not one.served]:
        named = "; ".join(rule_text(one.rule) for one in unused[:SHOWN])
        more = f", and {len(unused) - SHOWN} more" if len(unused) > SHOWN else ""
        yield f"never used: {named}{more}"
    if found.program is not None:
        count = found.program.pairs
        pairs = f"{count} pair{'' if count == 1 else 's'} of runs"
        rows = list(_timed(found, data["gains"]))
        yield Table(rows, GAINS, f"time by default / time with the rules, {pairs}")
    for own in together(found.reordered):
        yield _reordered_text(own, len(found.watched))
    yield from found.notes
    yield _verdict(found, reasons)


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
        text += "; too few runs to show whether the program is slower: try --repeat pairs=9"
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
        f"{_algorithm(rule.algorithm, rule.options)}"
    )


def _algorithm(algorithm: str, options: Mapping[str, int]) -> str:
    return " ".join([algorithm, *(f"{name} {value}" for name, value in options.items() if value)])


def _sizes(low: int, high: int) -> str:
    return format_bytes(low) if low == high else f"{format_bytes(low)} to {format_bytes(high)}"


def called(one: Served, found: Verified) -> str:
    """Return the verdict on calls, and why."""
    return _called(_call(one, found))


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


def _timed(found: Verified, gains: Row) -> Iterator[dict[str, Any]]:
    """A row for the program, for all its calls, and for those of each rule."""
    if gains["program"]:
        yield gains["program"] | {"of": "the whole program", "is_slower": None in found.slower}
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


def gained(found: Verified) -> str:
    """Return the gains of the whole program and of its collective calls, in a sentence."""
    gains = ("in collective calls", found.collectives), ("of the whole program", found.program)
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
