"""Rules as a selection tree of MPICH, with the library's own tree wherever none holds.

A tree takes the first answer of a level and never goes back, so that "default" cannot fall
through: the library's own tree is written below each place where it shall hold, without the
questions that are answered there. Communicators are distinguished first, by what rules ask and by
the hierarchy that the library's own tree asks for; then sizes, then what an algorithm needs.

A size is what `facts.SIZE` says: m itself, or its total over all ranks (`exports.bands`).
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from contend.base.errors import InvalidInputError
from contend.schedules.libraries import Library, LibraryAlgorithm, Version
from contend.tune.choose.rules import Rule, without_shadowed
from contend.tune.exports.bands import Band, Unit, by_operation, pieces
from contend.tune.exports.csel.facts import (
    IN_PLACE,
    MOST,
    NEEDS,
    OPTION_KEYS,
    PARAMETERS,
    SEVERAL_A_NODE,
    SIZE,
    key_of,
)
from contend.tune.exports.csel.library_trees import Shipped, Tree
from contend.tune.exports.csel.narrow import Known, narrowed

UNITS: Mapping[str, Unit] = {"avg_msg_size": "m", "total_msg_size": "total", "": "none"}
SENT_IN_PLACE, HIERARCHY = "is_sendbuf_inplace", "comm_hierarchy"
PARENT, OTHERS = SEVERAL_A_NODE
Leaf = Callable[[Rule, Tree], Tree]  # what a rule runs, and the tree for calls it cannot serve


@dataclass(frozen=True)
class Sources:
    """What a tree is made of.

    `default` and `kept` are the library's own trees: for rules that leave it to itself, and for
    calls that nothing was decided on. `size` is the question on sizes ("": none is asked).
    """

    default: Tree
    kept: Tree
    leaf: Leaf
    size: str = ""


@dataclass(frozen=True)
class Calls:
    """The calls that reach a place in a tree: what is known of them, and the rules for them."""

    facts: Known
    rules: Sequence[Rule] = ()
    bands: Sequence[Band] = ()  # of sizes, once the number of processes is known


Level = Callable[[Sources, Calls], dict[str, Calls]]  # a question's answers, in their order


def _by_parent(_: Sources, calls: Calls) -> dict[str, Calls]:
    """Distinguish one process per node from several, where rules do."""
    if all(rule.processes_per_node != 1 for rule in calls.rules):
        return {OTHERS: calls}
    parents, others = _split(calls.facts, (PARENT,))
    several = [rule for rule in calls.rules if rule.processes_per_node != 1]
    single = [rule for rule in calls.rules if rule.processes_per_node in (None, 1)]
    return {PARENT: Calls(parents, several), OTHERS: Calls(others, single)}


def _by_placement(_: Sources, calls: Calls) -> dict[str, Calls]:
    """Distinguish processes per node; 4.0 knows no "comm_avg_ppn=any"."""
    counts = {rule.processes_per_node for rule in calls.rules}
    level: dict[str, Calls] = {}
    rules = {
        count: without_shadowed([r for r in calls.rules if r.processes_per_node in (None, count)])
        for count in (None, *sorted(count for count in counts if count is not None))
    }
    if counts <= {None, 1}:
        return {"comm_size=any": Calls(calls.facts, rules.popitem()[1])}
    rest = Calls(calls.facts, rules.pop(None))
    for count, those in rules.items():
        assert count is not None
        level.setdefault(f"comm_avg_ppn<={count - 1}", rest)
        level[f"comm_avg_ppn<={count}"] = Calls(calls.facts, those)
    return {**level, "comm_size=any": rest}


def _by_processes(sources: Sources, calls: Calls) -> dict[str, Calls]:
    """Distinguish numbers of processes, each with the sizes that its rules distinguish."""
    return {
        "comm_size=any" if piece.last is None else f"comm_size<={piece.last}": Calls(
            calls.facts.after_range("comm_size", piece.first, piece.last), bands=piece.bands
        )
        for piece in pieces(calls.rules, UNITS[sources.size], MOST)
    }


def _by_hierarchy(sources: Sources, calls: Calls) -> dict[str, Calls]:
    """What the library's own tree asks of the communicator's hierarchy, above the sizes.

    It follows questions on a communicator once, when that is made, as far as the first on a call;
    what stands below is asked at every call. On two local ranks this one, below sizes, made calls
    of half a microsecond 4 % slower (MPICH 4.0.2, bcast of 256 B).
    """
    trees = [narrowed(tree, calls.facts) for tree in (sources.default, sources.kept)]
    asked = tuple(dict.fromkeys(text for tree in trees for text in _hierarchies(tree)))
    answers = zip((*asked, OTHERS), _split(calls.facts, asked), strict=True)
    return {text: replace(calls, facts=facts) for text, facts in answers}


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


def _by_call(_: Sources, calls: Calls) -> dict[str, Calls]:
    """Distinguish calls in place, where counts would mean nothing: no rule is for these."""
    if SENT_IN_PLACE not in calls.facts.words:
        return {"": calls}
    in_place = Calls(calls.facts.answered(SENT_IN_PLACE, "yes"), bands=(Band(0, None, None),))
    return {f"{SENT_IN_PLACE}=yes": in_place, f"{SENT_IN_PLACE}=no": calls}


LEVELS: tuple[Level, ...] = (_by_parent, _by_placement, _by_processes, _by_hierarchy, _by_call)


def composed(operation: str, rules: Sequence[Rule], sources: Sources) -> Tree:
    """The tree of an operation on one communicator; the library's own if all rules leave it.

    The questions of each level are asked in turn, but none whose answers all lead to the same.
    """
    if all(rule.is_default for rule in rules) and _is_same(sources.default, sources.kept):
        return sources.default
    facts = Known(words={SENT_IN_PLACE: "no"} if operation in IN_PLACE else {})
    sources = replace(sources, size=SIZE.get(operation, ""))
    paths: dict[tuple[str, ...], Calls] = {(): Calls(facts, rules)}
    for level in LEVELS:
        paths = {
            (*path, text): below
            for path, calls in paths.items()
            for text, below in level(sources, calls).items()
        }
    trees = {path: _by_size(sources, calls) for path, calls in paths.items()}
    for _ in LEVELS:  # from the innermost outwards
        parents: dict[tuple[str, ...], Tree] = {}
        for (*path, text), tree in trees.items():
            parents.setdefault(tuple(path), {})[text] = tree
        trees = {
            path: tree if len({json.dumps(below) for below in tree.values()}) > 1 else below
            for path, tree in parents.items()
            for below in [tree[next(reversed(tree))]]
        }
    return trees[()]


def with_rules(present: Tree, default: Tree, rules: Sequence[Rule], leaf: Leaf) -> Tree:
    """The tree of an operation with rules in front; `default` is the library's own."""
    by_default, kept = (tree.get("comm_type=intra", tree) for tree in (default, present))
    within = composed(rules[0].operation, rules, Sources(by_default, kept, leaf))
    return {**present, "comm_type=intra": within} if kept is not present else within


def _by_size(sources: Sources, calls: Calls) -> Tree:
    """Distinguish sizes as the library's own tree does, and where a rule departs from that.

    Neighbours that run the same need no question, unless one of them is what the library does by
    itself and the other is not.
    """
    size, facts = sources.size, calls.facts
    sizes: list[tuple[int | None, Tree, bool]] = []  # the last, its tree, whether it is the own
    for band in calls.bands:
        rule, least = band.rule, band.least
        here = facts.after_range(size, least, band.last) if size else facts
        tree = narrowed(sources.kept if rule is None else sources.default, here)
        if rule is not None and not rule.is_default:
            tree = narrowed(sources.leaf(rule, tree), here)
        for last, part in _parts(size, band.last, tree):
            of_part = facts.after_range(size, least, last) if size else facts
            is_own = _is_same(part, narrowed(sources.default, of_part))
            if sizes and sizes[-1][2] == is_own and _is_same(sizes[-1][1], part):
                sizes.pop()
            sizes.append((last, part, is_own))
            least = 0 if last is None else last + 1
    if len(sizes) == 1:
        return sizes[0][1]
    return {f"{size}=any" if last is None else f"{size}<={last}": part for last, part, _ in sizes}


def _parts(size: str, last: int | None, tree: Tree) -> list[tuple[int | None, Tree]]:
    """Sizes that a tree tells apart at its top, up to `last`, and what it has for them."""
    keys = [key_of(text) for text in tree]
    if keys and keys[-1].is_any and all(key.name == size for key in keys):
        lasts = (last if key.is_any else key.bound for key in keys)
        return list(zip(lasts, tree.values(), strict=True))
    return [(last, tree)]


def _is_same(first: Tree, second: Tree) -> bool:
    """Whether two trees ask the same in the same order, and run the same."""
    return json.dumps(first) == json.dumps(second)


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
    for operation, its_rules in by_operation(rules).items():
        if not has_parts(installation, operation):
            continue

        def leaf(rule: Rule, otherwise: Tree, operation: str = operation) -> Tree:
            algorithm = library.algorithm(operation, rule.algorithm, version)
            return guarded(algorithm, {WHOLE[operation]: {}}, otherwise)

        present = tree[f"collective={operation}"]
        tree[f"collective={operation}"] = with_rules(present, present, its_rules, leaf)
    return tree
