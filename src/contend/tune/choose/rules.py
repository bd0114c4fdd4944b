"""Decisions in a file: which algorithm an MPI library is to take, over n and m, and why.

A rule holds for a range of n and a range of m. The rules of an operation do not overlap, and tile
what was decided on; of what lies outside nothing was decided: the library is left to itself there.
m is that of samples (see docs/samples.md): a block per rank or pair in an all-gather, all-to-all,
gather, scatter and reduce-scatter, else the whole message.
"""

from collections.abc import Iterable
from itertools import combinations
from pathlib import Path
from typing import Any, ClassVar

from pydantic import Field, model_validator

from contend.base.document import Document, Record, read_document_file
from contend.schedules.libraries import LIBRARIES, Version, version_of
from contend.schedules.libraries.span import default_words

DEFAULT = "default"  # the library left to itself
OPERANDS = "by operations that do not commute"  # calls of reductions, where order is lost
Range = tuple[int, int | None]  # the first and the end, which is not in it; None: no end


class Rule(Record):
    """An algorithm for n <= processes < n_to and m <= bytes < m_to."""

    operation: str
    n: int = Field(ge=1, description="processes, the least")
    n_to: int | None = Field(None, description="the first that it does not hold for; absent: none")
    processes_per_node: int | None = Field(
        None, ge=1, description="absent: any that no other rule names; as measured on one node"
    )
    m: int = Field(ge=0, description="bytes, the least")
    m_to: int | None = Field(None, description="the first that it does not hold for; absent: none")
    algorithm: str = Field(description="'default', or the library's own name")
    options: dict[str, int] = Field(default_factory=dict, description="as the library names them")
    seconds: float | None = Field(None, description="predicted, in the middle of the points")
    default_seconds: float | None = Field(None, description="of the default, there")
    gain: float | None = Field(
        None, description="time of the default over that of the algorithm: the least of the points"
    )
    gain_low: float | None = Field(None, description="lower end of its interval of 90 %")
    gain_high: float | None = Field(None, description="upper end, of the same point")
    points: int = Field(0, ge=0, description="measured points that it stands on")
    extrapolates: bool = Field(False, description="to n or m outside what was measured")
    why: str = Field(description="in words")

    @model_validator(mode="after")
    def _has_a_range(self) -> "Rule":
        for name, first, end in (("n", self.n, self.n_to), ("m", self.m, self.m_to)):
            if end is not None and end <= first:
                raise ValueError(f"{name}_to = {end} is not above {name} = {first}")
        return self

    @property
    def is_default(self) -> bool:
        return self.algorithm == DEFAULT

    def holds(self, operation: str, n: int, m: int, processes_per_node: int | None = None) -> bool:
        return (
            operation == self.operation
            and self.n <= n < (self.n_to or n + 1)
            and self.m <= m < (self.m_to or m + 1)
            and (
                None in (processes_per_node, self.processes_per_node)
                or processes_per_node == self.processes_per_node
            )
        )


class LeftOut(Record):
    """Algorithms of an operation that were not chosen from, as valid programs would be wrong."""

    operation: str
    algorithms: tuple[str, ...] = Field(min_length=1, description="the library's own names")
    where: str = Field(OPERANDS, description="calls that are wrong, in words")

    @property
    def words(self) -> str:
        """Say what was left out, why, and how it is taken in."""
        unless = "; if all of the programs commute: contend choose --all-commute"
        give = "gives" if len(self.algorithms) == 1 else "give"
        return (
            f"not chosen for {self.operation}: {', '.join(self.algorithms)}, which {give} wrong "
            f"results in calls {self.where}{unless if self.where == OPERANDS else ''}"
        )


class Decisions(Document):
    """What to take of an MPI library on a measured network."""

    schema_name: ClassVar[str] = "contend.decisions"
    schema_version: ClassVar[int] = 1

    network: str = Field(description="its name")
    date: str = Field(description="when it was decided, ISO 8601")
    contend: str = Field(description="version of contend")
    library: str = Field("", description="as 'openmpi'; empty: unknown")
    library_version: str = Field("", description="as '5.0.11'; empty: unknown")
    rules: tuple[Rule, ...] = ()
    aliases: tuple[dict[str, Any], ...] = Field(
        (), exclude=True, description="in files of earlier versions; not used"
    )
    all_commute: bool = Field(
        False, description="all reduction operations of the programs commute, as the user states"
    )
    left_out: tuple[LeftOut, ...] = Field(
        (), description="with which some valid programs compute wrong numbers"
    )

    @model_validator(mode="after")
    def _has_one_rule_for_a_call(self) -> "Decisions":
        for rule, other in combinations(self.rules, 2):
            if _overlap(rule, other):
                raise ValueError(
                    f"two rules of {rule.operation} for n = {max(rule.n, other.n)}, "
                    f"m = {max(rule.m, other.m)}"
                )
        return self

    def rule(
        self, operation: str, n: int, m: int, processes_per_node: int | None = None
    ) -> Rule | None:
        """The rule for a call, one of its placement before one of any; None where there is none."""
        holding = [r for r in self.rules if r.holds(operation, n, m, processes_per_node)]
        return min(holding, key=lambda rule: rule.processes_per_node is None, default=None)

    @classmethod
    def load(cls, path: str | Path) -> "Decisions":
        """Decisions of a file; FileFormatError says what is wrong with it."""
        return read_document_file(cls, path, "name decisions, made by contend choose -o")


def _overlap(rule: Rule, other: Rule) -> bool:
    """Whether there is a call that both are for."""
    return (
        rule.operation == other.operation
        and rule.processes_per_node == other.processes_per_node
        and meet((rule.n, rule.n_to), (other.n, other.n_to))
        and meet((rule.m, rule.m_to), (other.m, other.m_to))
    )


def without_shadowed(rules: Iterable[Rule]) -> list[Rule]:
    """Rules for any placement as far as none of a placement of its own holds, and these."""
    every = list(rules)
    rest = [rule for rule in every if rule.processes_per_node is None]
    of_placements = [rule for rule in every if rule.processes_per_node is not None]
    for nearer in of_placements:
        rest = [part for rule in rest for part in _beside(rule, nearer)]
    return [*rest, *of_placements]


def _beside(rule: Rule, nearer: Rule) -> list[Rule]:
    """The parts of a rule that another of the same operation does not hold for."""
    n, m = (rule.n, rule.n_to), (rule.m, rule.m_to)
    by_n, by_m = (nearer.n, nearer.n_to), (nearer.m, nearer.m_to)
    if rule.operation != nearer.operation or not (meet(n, by_n) and meet(m, by_m)):
        return [rule]
    ends = [end for end in (rule.n_to, nearer.n_to) if end is not None]
    both = max(rule.n, nearer.n), min(ends, default=None)
    parts = [(each, m) for each in _outside(n, by_n)] + [(both, each) for each in _outside(m, by_m)]
    return [
        rule.model_copy(update={"n": first, "n_to": end, "m": least, "m_to": most})
        for (first, end), (least, most) in parts
    ]


def _outside(span: Range, other: Range) -> list[Range]:
    """What of a range lies before another and behind it."""
    parts: list[Range] = [(span[0], other[0])] if span[0] < other[0] else []
    if other[1] is not None and (span[1] is None or other[1] < span[1]):
        parts.append((other[1], span[1]))
    return parts


def meet(span: Range, other: Range) -> bool:
    """Whether two ranges have a number in common.

    >>> meet((2, 5), (4, None)), meet((2, 4), (4, None))
    (True, False)
    """
    first = max(span[0], other[0])
    return all(end is None or first < end for end in (span[1], other[1]))


def default_of_rule(rule: Rule, decisions: Decisions, version: Version = ()) -> str:
    """In words, with the next n at which it is another; empty where it is not known.

    `version` is that of the library, () for the one of the decisions.
    """
    name = decisions.library
    if name not in LIBRARIES.names() or not (version or decisions.library_version):
        return ""
    version = version or version_of(decisions.library_version)
    return default_words(LIBRARIES.get(name), rule.operation, rule.n, rule.m, rule.m_to, version,
                         rule.processes_per_node)  # fmt: skip
