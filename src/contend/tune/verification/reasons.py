"""What speaks against rules that were tried, and what of their gains is kept for decisions."""

from collections.abc import Collection
from enum import StrEnum
from typing import NamedTuple

from contend.schedules.libraries import library_of, version_text
from contend.tune.choose.verified_gains import VerifiedCalls, VerifiedGains, VerifiedProgram
from contend.tune.verification.verdict import Verdict
from contend.tune.verification.verify import Verified


class Failure(StrEnum):
    """Kinds of reasons against rules, by the words of `--fail-on`."""

    ignored = "ignored"
    unknown = "unknown"
    unused = "unused"
    slower = "slower"
    reordered = "reordered"


class Reason(NamedTuple):
    kind: str
    text: str


def reasons_of(verified: Verified, failures: Collection[Failure]) -> list[Reason]:
    """What speaks against the rules, of the kinds that are asked for."""
    reasons = []
    by_verdict = (
        (Failure.ignored, (Verdict.not_in_effect, Verdict.in_part), "not in effect"),
        (Failure.unknown, (Verdict.unknown,), "of which it cannot be observed"),
        (Failure.unused, (Verdict.unused,), "never used"),
    )
    for failure, verdicts, words in by_verdict:
        if failure in failures and (count := len(verified.ruled_as(*verdicts))):
            reasons.append(Reason(failure, f"{count} of {len(verified.ruled)} rules {words}"))
    unused = verified.ruled_as(Verdict.unused)
    if verified.ruled and len(unused) == len(verified.ruled) and Failure.unused not in failures:
        reasons.append(Reason(Failure.unused, "no rule is ever used by the program"))
    if Failure.slower in failures and verified.slower:
        reasons.append(Reason(Failure.slower, f"{len(verified.slower)} slower than by default"))
    if Failure.reordered in failures and verified.reordered:
        calls = sum(entry.calls for entry in verified.reordered) / len(verified.watched)
        text = f"{calls:.4g} calls compute wrong numbers, as operands are reordered"
        reasons.append(Reason(Failure.reordered, text))
    if Failure.slower in failures and verified.is_slower_together:
        text = "all collective calls together take longer than by default"
        reasons.append(Reason(Failure.slower, text))
    return reasons


def recorded(verified: Verified) -> VerifiedGains:
    """The gains of all calls that a rule was for, and of all collective calls together."""
    library, version = library_of(verified.library)
    return VerifiedGains(
        library=library.name,
        library_version=version_text(version),
        calls=tuple(_calls(verified)),
        programs=tuple(_programs(verified)),
    )


def _calls(verified: Verified) -> list[VerifiedCalls]:
    rows = []
    for cell, gain in verified.cells.items():
        served = [call for call in verified.served if call.cell == cell]
        if cell.rule is None or not served:
            continue
        rows.append(
            VerifiedCalls(
                operation=cell.operation,
                n=cell.n,
                processes_per_node=verified.watched[0].per_node,
                m=min(call.m_low for call in served),
                m_last=max(call.m_high for call in served),
                algorithm=cell.rule.algorithm,
                options=dict(cell.rule.options),
                gain=gain.value,
                gain_low=gain.low,
                gain_high=gain.high,
                pairs=gain.pairs,
                is_slower=cell in verified.slower,
            )
        )
    return rows


def _programs(verified: Verified) -> list[VerifiedProgram]:
    """One for each n of departures, where none alone is to blame: that one is mended first."""
    departures: dict[int, dict[str, set[str]]] = {}
    for cell, rule in verified.departures.items():
        departures.setdefault(cell.n, {}).setdefault(cell.operation, set()).add(rule.algorithm)
    gain = verified.collectives
    if gain is None or not departures or verified.slower_departures:
        return []
    return [
        VerifiedProgram(
            n=n,
            ranks=verified.watched[0].ranks,
            processes_per_node=verified.watched[0].per_node,
            gain=gain.value,
            gain_low=gain.low,
            gain_high=gain.high,
            pairs=gain.pairs,
            is_slower=verified.is_slower_together,
            departures={
                name: tuple(sorted(algorithms)) for name, algorithms in sorted(operations.items())
            },
        )
        for n, operations in sorted(departures.items())
    ]
