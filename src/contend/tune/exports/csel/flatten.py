"""The rules that a selection tree holds for plain calls: in order, the first that holds is used.

Plain is what is measured: not in place, a built-in commutative operation, blocks of one size, and
at least as many elements as ranks.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from contend.tune.exports.csel.facts import (
    COLLECTIVES,
    MOST,
    OPTION_KEYS,
    POWER_OF_TWO,
    SIZE,
    Key,
    key_of,
)
from contend.tune.exports.csel.library_trees import Tree
from contend.tune.exports.csel.narrow import Known, is_leaf, narrowed
from contend.tune.exports.filerule import FileRule

PLAIN = Known(
    words={
        "comm_type": "intra", "is_sendbuf_inplace": "no", "is_commutative": "yes",
        "is_op_built_in": "yes", "is_block_regular": "yes", "is_multi_threaded": "no",
        "count": "many",
    },
    numbers={"comm_size": (1, None)},
)  # fmt: skip
POWER = key_of(POWER_OF_TWO[0])
NUMBERED = ("comm_size", "avg_msg_size", "total_msg_size")


ORDERED = replace(PLAIN, words={**PLAIN.words, "is_commutative": "no", "is_op_built_in": "no"})


def flattened(tree: Tree, facts: Known = PLAIN) -> Iterator[FileRule]:
    """The rules of all blocking operations, for calls of which this is known."""
    for operation in (name for name in COLLECTIVES if not name.startswith("i")):
        below = tree.get(f"collective={operation}")
        if below:
            yield from _rules(operation, narrowed(below, facts), facts)


def _rules(operation: str, tree: Tree, facts: Known) -> Iterator[FileRule]:
    if is_leaf(tree):
        yield _rule(operation, tree, facts)
        return
    branches = []
    for text, below in tree.items():
        key = key_of(text)
        branches.append((key, list(_below(operation, key, below, facts))))
        facts = facts.after(key, key.bound, False)
    yield from _level(branches)


def _below(operation: str, key: Key, tree: Tree, facts: Known) -> Iterator[FileRule]:
    """The rules of a branch, for all that reach it."""
    if key == POWER:
        for n in _powers(facts):
            here = facts.after_range("comm_size", n, n)
            yield from _rules(operation, narrowed(tree, here), here)
    else:
        yield from _rules(operation, tree, facts.after(key, key.bound, True))


def _level(branches: Sequence[tuple[Key, Sequence[FileRule]]]) -> Iterator[FileRule]:
    """The rules of all branches; those that all have alike once, and for every communicator."""
    is_for_all = bool(branches) and branches[-1][0].is_any
    alike = _alike([rules for _, rules in branches]) if is_for_all else set()
    seen: set[FileRule] = set()
    for key, rules in branches:
        for rule in rules:
            if rule not in alike:
                yield rule if _is_expressible(key) else _only_where(key, rule)
            elif rule not in seen:
                seen.add(rule)
                yield rule


def _is_expressible(key: Key) -> bool:
    """Whether the rules below an answer say it by their numbers of processes and sizes."""
    return key.is_any or key == POWER or (key.name in NUMBERED and key.bound is not None)


def _alike(branches: Sequence[Sequence[FileRule]]) -> set[FileRule]:
    """Rules of every branch that can stand where the first has them.

    What meets them and comes before them in another branch does so there too.
    """
    first, *others = branches
    shared = set(first).intersection(*others)

    def is_late(rule: FileRule) -> bool:
        earlier = shared.intersection(first[: first.index(rule)])
        return any(
            other.meets(rule) and other not in earlier
            for rules in others
            for other in rules[: rules.index(rule)]
        )

    while late := {rule for rule in shared if is_late(rule)}:
        shared -= late
    return shared


def _only_where(key: Key, rule: FileRule) -> FileRule:
    """The rule for those communicators that a question is answered with yes for."""
    asked = f"{key.name}{key.relation}{key.value}"
    return replace(rule, placement="single-node", when=(asked, *rule.when))


def _powers(facts: Known) -> Iterator[int]:
    least, most = facts.numbers["comm_size"]
    for exponent in range(21):  # to a million ranks
        if least <= 1 << exponent <= (MOST if most is None else most):
            yield 1 << exponent


def _rule(operation: str, tree: Tree, facts: Known) -> FileRule:
    leaf = next(text for text in tree if key_of(text).is_leaf)
    size = next((name for name in facts.numbers if name.endswith("msg_size")), "")
    n, most = facts.numbers["comm_size"]
    least, largest = facts.numbers.get(size, (0, None))
    name, options = _named(operation, key_of(leaf).value, tree[leaf])
    return FileRule(
        operation, n, None if most is None else most + 1,
        least, None if largest is None else largest + 1, name, options,
        (size or SIZE.get(operation, "")) == "total_msg_size",
    )  # fmt: skip


def _named(operation: str, name: str, parameters: Tree) -> tuple[str, dict[str, int]]:
    """The name and options as `contend.schedules.libraries` has them."""
    for kind in ("intra", "inter", "allcomm"):
        name = name.removeprefix(f"MPIR_{operation.capitalize()}_{kind}_")
    back = {key: option for option, key in OPTION_KEYS.items() if option != "fanout"}
    options = {}
    for text in parameters:
        key = key_of(text)
        if key.name == "tree_type":
            name = f"{name}_{key.value}"
        elif key.name in back and key.value.isdecimal():
            options[back[key.name]] = int(key.value)
    return name, options
