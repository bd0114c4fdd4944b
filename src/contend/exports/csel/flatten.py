"""The rules that a selection tree holds for plain calls: in order, the first that holds is used.

Plain is what is measured: not in place, a built-in commutative operation, blocks of one size, and
at least as many elements as ranks.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from contend.exports.csel.facts import OPTION_KEYS, SIZE
from contend.exports.csel.keys import COLLECTIVES, MOST, Key, key_of
from contend.exports.csel.narrow import Known, is_leaf, narrowed
from contend.exports.csel.shipped import Tree
from contend.exports.filerule import FileRule, Placement

PLAIN = Known(
    words={
        "comm_type": "intra", "is_sendbuf_inplace": "no", "is_commutative": "yes",
        "is_op_built_in": "yes", "is_block_regular": "yes", "is_multi_threaded": "no",
        "count": "many",
    },
    numbers={"comm_size": (1, None)},
)  # fmt: skip
NUMBERED = ("comm_size", "avg_msg_size", "total_msg_size")


@dataclass(frozen=True)
class _Path:
    known: Known
    placement: Placement = "any"
    when: tuple[str, ...] = ()


def flattened(tree: Tree) -> Iterator[FileRule]:
    """The rules of all blocking operations."""
    for operation in (name for name in COLLECTIVES if not name.startswith("i")):
        below = tree.get(f"collective={operation}")
        if below:
            yield from _rules(operation, narrowed(below, PLAIN), _Path(PLAIN))


def _rules(operation: str, tree: Tree, path: _Path) -> Iterator[FileRule]:
    if is_leaf(tree):
        yield _rule(operation, tree, path)
        return
    for text, below in tree.items():
        key = key_of(text)
        if (key.name, key.value) == ("comm_size", "pow2"):
            for n in _powers(path.known):
                known = path.known.after_range("comm_size", n, n)
                yield from _rules(operation, narrowed(below, known), replace(path, known=known))
            continue
        yield from _rules(operation, below, _followed(path, key))
        path = replace(path, known=path.known.after(key, key.bound, False))


def _followed(path: _Path, key: Key) -> _Path:
    if key.name in NUMBERED or key.is_any:
        return replace(path, known=path.known.after(key, key.bound, True))
    return _Path(path.known, "single-node", (*path.when, f"{key.name}{key.relation}{key.value}"))


def _powers(known: Known) -> Iterator[int]:
    least, most = known.numbers["comm_size"]
    for exponent in range(21):  # to a million ranks
        if least <= 1 << exponent <= (MOST if most is None else most):
            yield 1 << exponent


def _rule(operation: str, tree: Tree, path: _Path) -> FileRule:
    leaf = next(text for text in tree if key_of(text).is_leaf)
    size = next((name for name in path.known.numbers if name.endswith("msg_size")), "")
    n, most = path.known.numbers["comm_size"]
    least, largest = path.known.numbers.get(size, (0, None))
    name, options = _named(operation, key_of(leaf).value, tree[leaf])
    return FileRule(
        operation, n, None if most is None else most + 1,
        least, None if largest is None else largest + 1, name, options,
        (size or SIZE.get(operation, "")) == "total_msg_size", path.placement, path.when,
    )  # fmt: skip


def _named(operation: str, name: str, parameters: Tree) -> tuple[str, dict[str, int]]:
    """The name and options as `contend.libraries` has them."""
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
