"""Trees of MPICH whose leaves are poisoned: they name an algorithm of another operation.

Run with 4.0.2 and 5.0.2: the library aborts at a call that comes to such a leaf, and only then.
The library itself makes small calls when it starts; those of another size are spared.
"""

import json
import re
from collections.abc import Collection

from contend.schedules.libraries import Version
from contend.tune.exports.csel.facts import MOST, SIZE
from contend.tune.exports.csel.library_trees import Tree
from contend.tune.exports.format import Poison

MEAN = "avg_msg_size"
NUMBER = 4  # bytes of each number that the program of a probe reduces
_OTHER = {"bcast": "MPIR_Scatter_intra_binomial"}
_ANY_OTHER = "MPIR_Bcast_intra_binomial"


def leaf_of(operation: str, algorithm: str) -> str:
    """How files of rules name the algorithm of an operation.

    >>> leaf_of("reduce_scatter", "pairwise")
    'algorithm=MPIR_Reduce_scatter_intra_pairwise'
    """
    return f"algorithm=MPIR_{operation.capitalize()}_intra_{algorithm}"


class TreePoison(Poison):
    def leaves(self, text: str, operation: str, version: Version) -> tuple[str, ...]:
        tree = json.dumps(json.loads(text).get(f"collective={operation}", {}))
        return tuple(dict.fromkeys(re.findall(rf'"{leaf_of(operation, "")}([^"]*)"', tree)))

    def poisoned(
        self, text: str, operation: str, algorithms: Collection[str], n: int, m: int
    ) -> str:
        """The file with all leaves of some algorithms of an operation poisoned.

        Where the library asks for a size, calls of `m` bytes alone die: of messages of that mean
        size, or of n ranks that have so many each. Of more bytes than a key can hold all calls do.
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
