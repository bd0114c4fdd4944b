"""Whether the calls that a rule is for ran as it says.

Nothing is claimed that was not seen. A rule of which no algorithm shows is "not observable", one
without a call "never used". A rule is in effect where all of its calls are, "in part" where some.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from contend.tune.exports import FileRule
from contend.tune.exports.filerule import Placement, rule_for
from contend.tune.verification.calls import Calls, Kind, longest

FALLBACK = "runs in its place"
_NUMBERS = ("segment", "fanout", "k")  # options that the functions of algorithms show


class Verdict(StrEnum):
    in_effect = "in effect"
    in_part = "in effect for a part"
    not_in_effect = "not in effect"
    unknown = "not observable"
    unused = "never used"


@dataclass(frozen=True)
class Cell:
    """Calls of an operation on n processes that one rule is for; None: no rule is."""

    operation: str
    n: int
    rule: FileRule | None

    @property
    def is_default(self) -> bool:
        return self.rule is None or self.rule.is_default


@dataclass(frozen=True)
class Served:
    """Calls of a cell that ran in the same way: what ran, and whether that is what the rule says.

    `calls` may be of several sizes, `m_low` to `m_high`. `verdict` is None where nothing was ruled.
    """

    cell: Cell
    ran: str
    calls: float
    seconds: float
    m_low: int
    m_high: int
    verdict: Verdict | None
    why: str = ""


@dataclass(frozen=True)
class Ruled:
    """A rule that departs from the default, and what became of it."""

    rule: FileRule
    verdict: Verdict
    served: tuple[Served, ...] = field(default=())


def placement_of(n: int, ranks: int, per_node: int | None) -> Placement:
    """Where the processes of a communicator are, as far as that is known."""
    if per_node is not None and per_node >= ranks:
        return "single-node"
    return "one-per-node" if per_node == 1 and n > 1 else "any"


def cell_of(rules: Sequence[FileRule], kind: Kind, placement: Placement) -> Cell:
    """The cell of a call; the first rule that holds is the one that libraries take."""
    return Cell(kind.operation, kind.n, rule_for(rules, kind.operation, kind.n, kind.m, placement))


def judge(
    rules: Sequence[FileRule],
    calls: Iterable[Calls],
    placement: Placement,
    *,
    is_seen: bool,
    probed: Mapping[tuple[Cell, int], Served] | None = None,
) -> tuple[list[Served], list[Ruled]]:
    """What ran for all calls, and what became of the rules.

    Parameters
    ----------
    is_seen
        Whether algorithms show at all with this library.
    probed
        What a probe has found of cells and sizes, where they do not.
    """
    groups: dict[tuple[Cell, str, Verdict | None, str], list[Calls]] = {}
    for call in calls:
        cell = cell_of(rules, call.kind, placement)
        answer = (probed or {}).get((cell, call.kind.m))
        key = (
            (cell, answer.ran, answer.verdict, answer.why)
            if answer
            else (cell, *_outcome(cell.rule, call.kind, is_seen))
        )
        groups.setdefault(key, []).append(call)
    served = [
        Served(
            cell, ran,
            sum(call.calls for call in group), longest(group),
            min(call.kind.m for call in group), max(call.kind.m for call in group), verdict, why,
        )
        for (cell, ran, verdict, why), group in groups.items()
    ]  # fmt: skip
    served.sort(key=lambda call: (call.cell.operation, call.cell.n, call.m_low))
    ruled = [_ruled(rule, served) for rule in rules if not rule.is_default]
    return served, ruled


def _ruled(rule: FileRule, served: Iterable[Served]) -> Ruled:
    group = tuple(call for call in served if call.cell.rule == rule)
    verdicts = {call.verdict for call in group}
    if not group:
        return Ruled(rule, Verdict.unused)
    if len(verdicts) == 1:
        return Ruled(rule, verdicts.pop() or Verdict.unknown, group)
    if Verdict.in_effect in verdicts or Verdict.in_part in verdicts:
        return Ruled(rule, Verdict.in_part, group)
    has_failed = Verdict.not_in_effect in verdicts
    return Ruled(rule, Verdict.not_in_effect if has_failed else Verdict.unknown, group)


def _outcome(rule: FileRule | None, kind: Kind, is_seen: bool) -> tuple[str, Verdict | None, str]:
    """What ran, the verdict of a call, and why it is not in effect."""
    ran = described(kind) if is_seen else "?"
    if rule is None or rule.is_default:
        return ran, None, ""
    if not is_seen:
        return ran, Verdict.unknown, "this library does not show what it runs"
    if kind.is_in_parts:
        return ran, Verdict.not_in_effect, "another component has put it together from parts"
    if kind.ran is None:
        return ran, Verdict.not_in_effect, "another component than the one with rules has served it"
    if kind.ran != rule.algorithm:
        if kind.asked == rule.algorithm:
            return (
                ran,
                Verdict.not_in_effect,
                f"{kind.asked} does not serve it: {kind.ran} {FALLBACK}",
            )
        return ran, Verdict.not_in_effect, f"the rule says {rule.algorithm}"
    for name in _NUMBERS:
        wanted = rule.options.get(name)
        actual = kind.segment if name == "segment" else kind.fanout
        if wanted is not None and actual is not None and actual != wanted:
            return ran, Verdict.not_in_effect, f"the rule says {name} {wanted}"
    return ran, Verdict.in_effect, ""


def described(kind: Kind) -> str:
    """Return the algorithm that ran and its options, as a table shows them."""
    if kind.is_in_parts:
        return "in parts"
    if kind.ran is None:
        return "not seen"
    options = [
        f"{name} {value}"
        for name, value in (("segment", kind.segment), ("fanout", kind.fanout))
        if value
    ]
    return " ".join([kind.ran, *options])
