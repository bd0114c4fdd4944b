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
import re
from collections.abc import Collection

from contend.exports.csel.facts import SIZE
from contend.exports.csel.keys import MOST
from contend.exports.csel.shipped import Tree

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
    tree = json.dumps(json.loads(text).get(f"collective={operation}", {}))
    return tuple(dict.fromkeys(re.findall(rf'"{leaf_of(operation, "")}([^"]*)"', tree)))


def poisoned(text: str, operation: str, algorithms: Collection[str], n: int, m: int) -> str:
    """The file with all leaves of some algorithms of an operation poisoned.

    Where the library asks for a size, calls of `m` bytes alone die: of messages of that mean size,
    or of n ranks that have so many each. Of more bytes than a key can hold all calls do.
    """
    tree, name = json.loads(text), f"collective={operation}"
    wanted = {leaf_of(operation, algorithm) for algorithm in algorithms}
    poison: Tree = {f"algorithm={_OTHER.get(operation, _ANY_OTHER)}": {}}
    key = SIZE.get(operation)
    block = m - m % NUMBER if "reduce" in operation else m
    asked = block * (1 if key == MEAN else n)

    def replaced(tree: Tree) -> Tree:
        if not wanted & tree.keys():
            return {text: replaced(below) for text, below in tree.items()}
        if key is None or asked > MOST:
            return poison
        smaller = {f"{key}<{asked}": tree} if asked else {}
        return {**smaller, f"{key}<={asked}": poison, f"{key}=any": tree}

    tree[name] = replaced(tree.get(name, {}))
    return json.dumps(tree)
