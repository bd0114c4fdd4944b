"""Which algorithm MPICH takes from a file of rules, where none can be seen: a rule is poisoned.

Idea: MPICH (4.0.2 and 5.0.2) aborts at a call whose rule names an algorithm of another operation,
and only then. A program of ours stands in the place of the user's, under the same launcher and
with the same settings, and makes one such call. If it ends well with the file as it is, dies where
every leaf of the operation that names an algorithm is poisoned, and ends well where all others
are, then that algorithm, and no other, is what the file makes the library take.
Of an algorithm that is put together of parts (`OF_PARTS`) the tree is asked for each part too, and
nothing else asks for a part: there it is enough that the call dies of its poison.
The library itself makes small calls when it starts; those of another size are spared.
Restrictions: it tells of the call of that program, not of one of the user's; the communicator is
of the first n ranks.
"""

import json
from collections.abc import Callable, Collection, Iterator
from typing import Any

from contend.exports.csel.facts import SIZE
from contend.exports.csel.keys import MOST

MEAN = "avg_msg_size"
NUMBER = 4  # bytes of each number that the program of a probe reduces
OF_PARTS = frozenset(("smp",))  # own names of algorithms that ask the tree for what they call
_OTHER = {"bcast": "MPIR_Scatter_intra_binomial"}
_ANY_OTHER = "MPIR_Bcast_intra_binomial"


def leaf_of(operation: str, algorithm: str) -> str:
    """How files of rules name the algorithm of an operation.

    >>> leaf_of("reduce_scatter", "pairwise")
    'algorithm=MPIR_Reduce_scatter_intra_pairwise'
    """
    return f"algorithm=MPIR_{operation.capitalize()}_intra_{algorithm}"


def leaves(text: str, operation: str) -> tuple[str, ...]:
    """Names of the algorithms that a file has for an operation, without what comes before."""
    start = leaf_of(operation, "")
    found = _walk(_tree(text, operation), start)
    return tuple(dict.fromkeys(key.removeprefix(start) for key in found))


def poisoned(text: str, operation: str, algorithms: Collection[str], n: int, m: int) -> str:
    """The file with all leaves of some algorithms of an operation poisoned.

    Where the library asks for a size, calls of `m` bytes alone die: of messages of that mean size,
    or of n ranks that have so many each. Of more bytes than a key can hold all calls do.
    """
    tree = json.loads(text)
    wanted = {leaf_of(operation, algorithm) for algorithm in algorithms}
    name = f"collective={operation}"
    poison: dict[str, Any] = {f"algorithm={_other(operation)}": {}}

    def instead(leaf: dict[str, Any]) -> dict[str, Any]:
        key = SIZE.get(operation)
        asked = _block(operation, m) * (1 if key == MEAN else n)
        if key is None or asked > MOST:
            return poison
        below = {f"{key}<{asked}": leaf} if asked else {}
        return {**below, f"{key}<={asked}": poison, f"{key}=any": leaf}

    tree[name] = _replaced(tree.get(name, {}), wanted, instead)
    return json.dumps(tree)


def _tree(text: str, operation: str) -> dict[str, Any]:
    tree: dict[str, Any] = json.loads(text).get(f"collective={operation}", {})
    return tree


def _block(operation: str, m: int) -> int:
    """Bytes of a block of a call of `m` bytes, in whole numbers where it reduces."""
    return m - m % NUMBER if "reduce" in operation else m


def _other(operation: str) -> str:
    return _OTHER.get(operation, _ANY_OTHER)


def _walk(tree: dict[str, Any], start: str) -> Iterator[str]:
    for key, below in tree.items():
        if key.startswith(start):
            yield key
        elif isinstance(below, dict):
            yield from _walk(below, start)


def _replaced(
    tree: dict[str, Any], wanted: set[str], instead: Callable[[dict[str, Any]], dict[str, Any]]
) -> dict[str, Any]:
    if any(key in wanted for key in tree):  # a leaf stands alone
        return instead(tree)
    return {
        key: _replaced(below, wanted, instead) if isinstance(below, dict) else below
        for key, below in tree.items()
    }
