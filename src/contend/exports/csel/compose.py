"""Rules as a selection tree of MPICH, with the library's own tree wherever none holds.

A tree takes the first answer of a level and never goes back, so that "default" cannot fall
through: the library's own tree is written below each place where it shall hold, without the
questions that are answered there. Communicators are told apart first, then sizes, then what an
algorithm needs.

A size is what `facts.SIZE` says: m itself, or its total over all ranks (`exports.bands`).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from contend.choose.rules import Rule
from contend.exports.bands import Band, Unit, pieces
from contend.exports.csel.facts import IN_PLACE, SIZE
from contend.exports.csel.keys import MOST
from contend.exports.csel.narrow import Known, narrowed
from contend.exports.csel.shipped import Tree

UNITS: Mapping[str, Unit] = {"avg_msg_size": "m", "total_msg_size": "total", "": "none"}
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
    size = SIZE.get(operation, "")
    trees: Tree = {}
    for piece in pieces(rules, UNITS[size], MOST):
        here = known.after_range("comm_size", piece.first, piece.last)
        key = "comm_size=any" if piece.last is None else f"comm_size<={piece.last}"
        trees[key] = _by_size(size, piece.bands, leaf, sources, here)
    return trees["comm_size=any"] if len(trees) == 1 else trees


def _by_size(size: str, bands: Sequence[Band], leaf: Leaf, sources: Sources, known: Known) -> Tree:
    trees: Tree = {}
    for band in bands:
        here = known.after_range(size, band.least, band.last) if size else known
        rule, own = band.rule, sources.below(band.rule, here)
        if rule is not None and not rule.is_default:
            own = narrowed(leaf(rule, own), here)
        trees[f"{size}=any" if band.last is None else f"{size}<={band.last}"] = own
    return next(iter(trees.values())) if len(trees) == 1 else trees
