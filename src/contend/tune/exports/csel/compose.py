"""Rules as a selection tree of MPICH, with the library's own tree wherever none holds.

A tree takes the first answer of a level and never goes back, so that "default" cannot fall
through: the library's own tree is written below each place where it shall hold, without the
questions that are answered there. Communicators are distinguished first, by what rules ask and by
the hierarchy that the library's own tree asks for; then sizes, then what an algorithm needs.

A size is what `facts.SIZE` says: m itself, or its total over all ranks (`exports.bands`).
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from contend.base.errors import InvalidInputError
from contend.schedules.libraries import Library, LibraryAlgorithm, Version
from contend.tune.choose.rules import Rule, without_shadowed
from contend.tune.exports.bands import Band, Unit, by_operation, pieces
from contend.tune.exports.csel.facts import (
    IN_PLACE,
    NEEDS,
    OPTION_KEYS,
    PARAMETERS,
    SEVERAL_A_NODE,
    SIZE,
)
from contend.tune.exports.csel.keys import MOST, key_of
from contend.tune.exports.csel.library_trees import Shipped, Tree
from contend.tune.exports.csel.narrow import Known, narrowed

UNITS: Mapping[str, Unit] = {"avg_msg_size": "m", "total_msg_size": "total", "": "none"}
SENT_IN_PLACE, HIERARCHY = "is_sendbuf_inplace", "comm_hierarchy"
PARENT, OTHERS = SEVERAL_A_NODE
Leaf = Callable[[Rule, Tree], Tree]  # what a rule runs, and the tree for calls it cannot serve


@dataclass(frozen=True)
class Sources:
    """Trees below a rule's: `default` where one says so, `kept` where none was decided."""

    default: Tree
    kept: Tree

    def below(self, rule: Rule | None, facts: Known) -> Tree:
        """The library's own tree for calls of which this is known."""
        return narrowed(self.kept if rule is None else self.default, facts)


def composed(operation: str, rules: Sequence[Rule], leaf: Leaf, sources: Sources) -> Tree:
    """The tree of an operation on one communicator; the library's own if all rules leave it."""
    if all(rule.is_default for rule in rules) and _is_same(sources.default, sources.kept):
        return sources.default
    facts = Known(words={SENT_IN_PLACE: "no"} if operation in IN_PLACE else {})
    return _placed(operation, rules, leaf, sources, facts)


def _placed(
    operation: str, rules: Sequence[Rule], leaf: Leaf, sources: Sources, facts: Known
) -> Tree:
    """Distinguish processes per node, where rules do."""
    counts = sorted({r.processes_per_node for r in rules if r.processes_per_node is not None})

    def those(count: int | None, facts: Known) -> Tree:
        placed = [rule for rule in rules if rule.processes_per_node in (None, count)]
        return _by_processes(operation, without_shadowed(placed), leaf, sources, facts)

    if 1 in counts:
        parents, others = _split(facts, (PARENT,))
        several = _several(counts, lambda count: those(count, parents))
        return {PARENT: several, OTHERS: those(1, others)}
    return _several(counts, lambda count: those(count, facts))


def _several(counts: Sequence[int], those: Callable[[int | None], Tree]) -> Tree:
    """Levels of several processes on a node."""
    rest, level = those(None), Tree()
    for count in (count for count in counts if count > 1):
        level.setdefault(f"comm_avg_ppn<={count - 1}", rest)
        level[f"comm_avg_ppn<={count}"] = those(count)
    return {**level, "comm_size=any": rest} if level else rest  # 4.0 knows no "comm_avg_ppn=any"


def _by_processes(
    operation: str, rules: Sequence[Rule], leaf: Leaf, sources: Sources, facts: Known
) -> Tree:
    size = SIZE.get(operation, "")
    trees: Tree = {}
    for piece in pieces(rules, UNITS[size], MOST):
        here = facts.after_range("comm_size", piece.first, piece.last)
        key = "comm_size=any" if piece.last is None else f"comm_size<={piece.last}"
        trees[key] = _by_hierarchy(size, piece.bands, leaf, sources, here)
    return trees["comm_size=any"] if len(trees) == 1 else trees


def _by_hierarchy(
    size: str, bands: Sequence[Band], leaf: Leaf, sources: Sources, facts: Known
) -> Tree:
    """What the library's own tree asks of the communicator's hierarchy, above the sizes.

    It follows questions on a communicator once, when that is made, as far as the first on a call;
    what stands below is asked at every call. On two local ranks this one, below sizes, made calls
    of half a microsecond 4 % slower (MPICH 4.0.2, bcast of 256 B).
    """
    trees = (narrowed(tree, facts) for tree in (sources.default, sources.kept))
    asked = tuple(dict.fromkeys(text for tree in trees for text in _hierarchies(tree)))
    answers = zip((*asked, OTHERS), _split(facts, asked), strict=True)
    level = {text: _by_call(size, bands, leaf, sources, here) for text, here in answers}
    rest = level[OTHERS]
    return rest if all(_is_same(tree, rest) for tree in level.values()) else level


def _hierarchies(tree: Tree) -> Iterator[str]:
    """The questions on hierarchies that a tree asks before any on the call."""
    for text, below in tree.items():
        key = key_of(text)
        if key.is_of_call or key.is_leaf:
            return
        if key.name == HIERARCHY and not key.is_any:
            yield text
        yield from _hierarchies(below)


def _split(facts: Known, questions: Sequence[str]) -> Iterator[Known]:
    """What is known after a yes to each question in turn, and after a no to all."""
    for key in map(key_of, questions):
        yield facts.after(key, None, True)
        facts = facts.after(key, None, False)
    yield facts


def _by_call(size: str, bands: Sequence[Band], leaf: Leaf, sources: Sources, facts: Known) -> Tree:
    """Distinguish calls in place, where counts would mean nothing."""
    sizes = _by_size(size, bands, leaf, sources, facts)
    if SENT_IN_PLACE not in facts.words:
        return sizes
    in_place = sources.below(None, facts.answered(SENT_IN_PLACE, "yes"))
    return {f"{SENT_IN_PLACE}=yes": in_place, f"{SENT_IN_PLACE}=no": sizes}


class _Sizes(NamedTuple):
    """Sizes up to `last` (None: all that are left), and the tree for them."""

    last: int | None
    tree: Tree
    is_own: bool  # what the library does by itself

    def continues(self, other: "_Sizes") -> bool:
        """Whether they need no question that tells them from the others."""
        return self.is_own == other.is_own and _is_same(self.tree, other.tree)


def _by_size(size: str, bands: Sequence[Band], leaf: Leaf, sources: Sources, facts: Known) -> Tree:
    """Distinguish sizes as the library's own tree does, and where a rule departs from that."""
    merged: list[_Sizes] = []
    for span in _sizes(size, bands, leaf, sources, facts):
        if merged and span.continues(merged[-1]):
            merged.pop()
        merged.append(span)
    if len(merged) == 1:
        return merged[0].tree
    return {
        f"{size}=any" if span.last is None else f"{size}<={span.last}": span.tree for span in merged
    }


def _sizes(
    size: str, bands: Sequence[Band], leaf: Leaf, sources: Sources, facts: Known
) -> Iterator[_Sizes]:
    """The bands in turn, each in the parts that its tree has."""
    for band in bands:
        rule, least = band.rule, band.least
        here = facts.after_range(size, least, band.last) if size else facts
        tree = sources.below(rule, here)
        if rule is not None and not rule.is_default:
            tree = narrowed(leaf(rule, tree), here)
        for last, part in _parts(size, band.last, tree):
            part_facts = facts.after_range(size, least, last) if size else facts
            yield _Sizes(last, part, is_own=_is_same(part, narrowed(sources.default, part_facts)))
            least = 0 if last is None else last + 1


def _parts(size: str, last: int | None, tree: Tree) -> Iterator[tuple[int | None, Tree]]:
    """Sizes that a tree tells apart at its top, up to `last`, and what it has for them."""
    keys = [key_of(text) for text in tree]
    if keys and keys[-1].is_any and all(key.name == size for key in keys):
        for key, below in zip(keys, tree.values(), strict=True):
            yield last if key.is_any else key.bound, below
    else:
        yield last, tree


def _is_same(tree: Tree, other: Tree) -> bool:
    """Whether two trees ask the same in the same order, and run the same."""
    return json.dumps(tree) == json.dumps(other)


KINDS = ("intra", "allcomm")


def leaf_name(algorithm: LibraryAlgorithm, installation: Shipped) -> str:
    """The key "algorithm=NAME" as the library reads it; an error where it has no such name."""
    operation = algorithm.operation.capitalize()
    spelled = [f"algorithm=MPIR_{operation}_{kind}_{algorithm.own_name}" for kind in KINDS]
    if not installation.names:
        return spelled[algorithm.operation in ("gatherv", "scatterv")]
    for name in spelled:
        if name in installation.names:
            return name
    raise InvalidInputError(
        f"the MPICH at hand, {installation.path}, has no {algorithm.operation} algorithm "
        f"{algorithm.own_name!r}",
        "name the library that shall obey with --default, or measure with the one at hand",
    )


def parameters(algorithm: LibraryAlgorithm, options: dict[str, int]) -> Tree:
    """All that the algorithm reads, as it was measured: one left out is an error at the call."""
    defaults = PARAMETERS.get((algorithm.operation, algorithm.own_name), {})
    given = {
        OPTION_KEYS[name]: str(value)
        for name, value in options.items()
        if OPTION_KEYS.get(name) in defaults
    }
    return {
        f"{name}={value}": {} for name, value in (defaults | dict(algorithm.fixed) | given).items()
    }


def guarded(algorithm: LibraryAlgorithm, leaf: Tree, otherwise: Tree) -> Tree:
    """The leaf for calls that the algorithm serves, `otherwise` for the others."""
    tree = leaf
    for serves, other in reversed(NEEDS.get((algorithm.operation, algorithm.own_name), ())):
        # What serves every remaining call stands last, for a level ends at its "=any".
        ordered = (serves, tree), (other, otherwise)
        tree = dict(reversed(ordered) if serves.endswith("=any") else ordered)
    return tree


DEVICE_VARIABLE = "MPIR_CVAR_CH4_COLL_SELECTION_TUNING_JSON_FILE"
BEHIND = ".device.json"  # the name of a file of rules, for the device's tree that belongs to it
WHOLE = {
    "bcast": "composition=MPIDI_Bcast_intra_composition_gamma",
    "reduce": "composition=MPIDI_Reduce_intra_composition_gamma",
    "allreduce": "composition=MPIDI_Allreduce_intra_composition_beta",
    "barrier": "composition=MPIDI_Barrier_intra_composition_beta",
}


def has_parts(installation: Shipped, operation: str) -> bool:
    """Whether the library's device has a composition without parts for an operation of parts."""
    tree = installation.trees.get("composition", {})
    return f"collective={operation}" in tree and WHOLE.get(operation) in installation.names


def device_tree(
    installation: Shipped, rules: Sequence[Rule], library: Library, version: Version
) -> Tree:
    """The device's tree in which the calls of rules are made without parts."""
    tree = dict(installation.trees["composition"])
    for operation, of in by_operation(rules).items():
        if not has_parts(installation, operation):
            continue
        present = tree[f"collective={operation}"]
        within = present.get("comm_type=intra", present)

        def leaf(rule: Rule, otherwise: Tree, operation: str = operation) -> Tree:
            algorithm = library.algorithm(operation, rule.algorithm, version)
            return guarded(algorithm, {WHOLE[operation]: {}}, otherwise)

        made = composed(operation, of, leaf, Sources(within, within))
        tree[f"collective={operation}"] = {**present, "comm_type=intra": made}
    return tree
