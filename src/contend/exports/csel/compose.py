"""Rules as a selection tree of MPICH, with the library's own tree wherever none holds.

A tree takes the first answer of a level and never goes back, so that "default" cannot fall
through: the library's own tree is written below each place where it shall hold, without the
questions that are answered there. Communicators are told apart first, then sizes, then what an
algorithm needs.

A size is what `facts.SIZE` says: m itself, or its total over all ranks, m times their number. A
rule of 8 to 31 processes and m < 1 KiB is then another total on each number of processes: they get
a branch each up to 2 `STEPS`, and beyond that steps of 1/`STEPS`, exact at the first number of
each.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from contend.choose.rules import Rule
from contend.exports.csel.facts import IN_PLACE, SIZE
from contend.exports.csel.keys import MOST
from contend.exports.csel.narrow import Known, narrowed
from contend.exports.csel.shipped import Tree

STEPS = 32
LAST = 65536  # processes from which on steps end
Identity = tuple[str, tuple[tuple[str, int], ...]] | None  # of what runs; None: nothing decided
Band = tuple[int | None, Rule | None]  # largest size in the library's unit, and its rule
Leaf = Callable[[Rule, Tree], Tree]  # what a rule runs, and the tree for calls it cannot serve


@dataclass(frozen=True)
class Sources:
    """Trees below a rule's: `default` where one says so, `kept` where none was decided."""

    default: Tree
    kept: Tree

    def below(self, rule: Rule | None, known: Known) -> Tree:
        """The library's own tree for calls of which this is known."""
        return narrowed(self.kept if rule is None else self.default, known)


def composed(operation: str, rules: Sequence[Rule], leaf: Leaf, sources: Sources) -> Tree:
    """The tree of an operation on one communicator."""
    if operation not in IN_PLACE:
        return _placed(operation, rules, leaf, sources, Known())
    in_place = sources.below(None, Known(words={"is_sendbuf_inplace": "yes"}))
    apart = Known(words={"is_sendbuf_inplace": "no"})
    return {
        "is_sendbuf_inplace=yes": in_place,
        "is_sendbuf_inplace=no": _placed(operation, rules, leaf, sources, apart),
    }


def _placed(
    operation: str, rules: Sequence[Rule], leaf: Leaf, sources: Sources, known: Known
) -> Tree:
    """Processes per node told apart, where rules do."""
    anywhere = [rule for rule in rules if rule.processes_per_node is None]
    counts = sorted({r.processes_per_node for r in rules if r.processes_per_node is not None})

    def those(count: int) -> Tree:
        placed = [rule for rule in rules if rule.processes_per_node in (None, count)]
        return _by_processes(operation, placed, leaf, sources, known)

    rest = _by_processes(operation, anywhere, leaf, sources, known)
    level: Tree = {}
    for count in (one for one in counts if one > 1):
        if f"comm_avg_ppn<={count - 1}" not in level:
            level[f"comm_avg_ppn<={count - 1}"] = rest
        level[f"comm_avg_ppn<={count}"] = those(count)
    if level:
        level["comm_size=any"] = rest  # "comm_avg_ppn=any" is unknown to 4.0
    if 1 not in counts:
        return level or rest
    return {"comm_hierarchy=parent": level or rest, "comm_hierarchy=any": those(1)}


def _by_processes(
    operation: str, rules: Sequence[Rule], leaf: Leaf, sources: Sources, known: Known
) -> Tree:
    size = SIZE.get(operation)
    plans: list[tuple[int, int | None, list[Band]]] = []
    for first, last in _pieces(rules, size == "total_msg_size"):
        plan = _plan(rules, first, first if size == "total_msg_size" else 1, size is not None)
        if plans and _same(plans[-1][2], plan):
            plans[-1] = (plans[-1][0], last, plan)
        else:
            plans.append((first, last, plan))
    trees: Tree = {}
    for first, last, plan in plans:
        here = known.after_range("comm_size", first, last)
        below = _by_size(size or "", plan, leaf, sources, here)
        trees["comm_size=any" if last is None else f"comm_size<={last}"] = below
    return trees["comm_size=any"] if len(trees) == 1 else trees


def _pieces(rules: Sequence[Rule], is_total: bool) -> Iterator[tuple[int, int | None]]:
    """First and last numbers of processes that are served alike."""
    starts = sorted({1, *(r.n for r in rules), *(r.n_to for r in rules if r.n_to is not None)})
    for first, end in pairwise([*starts, None]):
        assert first is not None
        n = first
        if is_total and len(_plan(rules, first, 1, True)) > 1:
            while n < LAST and (end is None or n + max(1, n // STEPS) < end):
                following = n + max(1, n // STEPS)
                yield n, following - 1
                n = following
        yield n, None if end is None else end - 1


def _plan(rules: Sequence[Rule], n: int, scale: int, is_sized: bool) -> list[Band]:
    """What holds for n processes by size, the last without end; default where sizes conflict."""
    here = sorted(
        (r for r in rules if r.n <= n and (r.n_to is None or n < r.n_to)), key=lambda r: r.m
    )
    bands: list[Band] = []
    reached = 0
    for rule in here:
        if rule.m > reached:
            _append(bands, rule.m * scale - 1, None)
        _append(bands, None if rule.m_to is None else rule.m_to * scale - 1, rule)
        reached = rule.m_to or rule.m
    if not bands or bands[-1][0] is not None:
        _append(bands, None, None)
    if not is_sized:
        return [(None, here[0] if len(bands) == 1 or _is_one(here) else None)] if here else bands
    within = [band for band in bands if band[0] is None or band[0] < MOST]
    return [*within, (None, bands[len(within)][1])] if len(within) < len(bands) else within


def _is_one(rules: Sequence[Rule]) -> bool:
    return len({_identity(rule) for rule in rules}) == 1


def _append(bands: list[Band], last: int | None, rule: Rule | None) -> None:
    if bands and _identity(bands[-1][1]) == _identity(rule):
        bands[-1] = (last, bands[-1][1])
    else:
        bands.append((last, rule))


def _identity(rule: Rule | None) -> Identity:
    return None if rule is None else (rule.algorithm, tuple(sorted(rule.options.items())))


def _same(one: list[Band], other: list[Band]) -> bool:
    return [(end, _identity(rule)) for end, rule in one] == [
        (end, _identity(rule)) for end, rule in other
    ]


def _by_size(size: str, plan: list[Band], leaf: Leaf, sources: Sources, known: Known) -> Tree:
    trees: Tree = {}
    least = 0
    for last, rule in plan:
        here = known.after_range(size, least, last) if size else known
        own = sources.below(rule, here)
        tree = own if rule is None or rule.is_default else narrowed(leaf(rule, own), here)
        trees[f"{size}=any" if last is None else f"{size}<={last}"] = tree
        least = 0 if last is None else last + 1
    return next(iter(trees.values())) if len(trees) == 1 else trees
