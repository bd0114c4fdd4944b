"""Calls whose operation does not commute, and algorithms that reorder their operands all the same.

What such calls compute is wrong. Where the library shows what it runs, it is what ran: also a
reduction inside another call, which a rule of its own is for. Where it does not, it is what the
file has for such calls.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from contend.schedules.libraries import Version
from contend.tune.exports import FileRule, Format
from contend.tune.exports.filerule import Placement, rule_for
from contend.tune.verification.calls import Calls, Kind


@dataclass(frozen=True)
class Reordered:
    """Calls on n processes with `m` bytes that `algorithm` of `reduction` reorders.

    `reduction` is the operation of the calls, or of one inside them. `rule` is None where no rule
    of the file names the algorithm, as where it is forced by a variable.
    """

    operation: str
    n: int
    m: int
    calls: float
    reduction: str
    algorithm: str
    rule: FileRule | None


@dataclass(frozen=True)
class Rules:
    """A file of rules: its format, the version that reads it, and its text."""

    form: Format
    version: Version
    text: str

    def seen(
        self, calls: Iterable[Calls], inner: Iterable[Calls], placement: Placement
    ) -> Iterator[Reordered]:
        rules = self.form.read(self.text, self.version)
        for call in calls:
            kind = call.kind
            if kind.is_ordered and self._reorders(kind, kind.operation, kind.ran):
                rule = rule_for(rules, kind.operation, kind.n, kind.m, placement)
                named = rule if rule and rule.algorithm == kind.asked else None
                yield _reordered(call, kind.operation, kind.ran or "", named)
        for call in inner:
            kind = call.kind
            if kind.inner and self._reorders(kind, kind.inner, kind.inner_ran):
                naming = (
                    rule for rule in rules
                    if (rule.operation, rule.algorithm) == (kind.inner, kind.inner_ran)
                )  # fmt: skip
                yield _reordered(call, kind.inner, kind.inner_ran or "", next(naming, None))

    def due(self, calls: Iterable[Calls], placement: Placement) -> Iterator[Reordered]:
        """What the file has for calls whose algorithm is not shown."""
        rules = self.form.read_ordered(self.text, self.version)
        for call in calls:
            kind = call.kind
            rule = rule_for(rules, kind.operation, kind.n, kind.m, placement)
            if kind.is_ordered and rule and self._reorders(kind, kind.operation, rule.algorithm):
                yield _reordered(call, kind.operation, rule.algorithm, rule)

    def _reorders(self, kind: Kind, operation: str, algorithm: str | None) -> bool:
        """Whether there is something to reorder, and the algorithm does so."""
        return (
            kind.m > 0
            and algorithm is not None
            and self.form.reorders_operands(operation, algorithm, self.version)
        )


def _reordered(calls: Calls, reduction: str, algorithm: str, rule: FileRule | None) -> Reordered:
    kind = calls.kind
    return Reordered(kind.operation, kind.n, kind.m, calls.calls, reduction, algorithm, rule)


def together(reordered: Iterable[Reordered]) -> list[list[Reordered]]:
    """Those of the same operation and algorithm, on whatever processes and of whatever sizes."""
    groups: dict[tuple[object, ...], list[Reordered]] = {}
    for entry in reordered:
        key = entry.operation, entry.reduction, entry.algorithm, entry.rule
        groups.setdefault(key, []).append(entry)
    return list(groups.values())
