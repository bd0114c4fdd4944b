"""What speaks against rules that were tried."""

from collections.abc import Collection
from enum import StrEnum
from typing import NamedTuple

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
