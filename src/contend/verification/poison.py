"""Which algorithm MPICH takes from a file of rules, where none can be seen: a rule is poisoned.

Idea: MPICH (4.1 to 5.0) aborts at a call whose rule names an algorithm of another operation, and
only then. A program of ours stands in the place of the user's, under the same launcher and with
the same settings, and makes one such call. If it ends well with the file as it is, and dies once
every leaf of the operation that names an algorithm is poisoned, then that leaf decides the call.
Restrictions: it tells of the call of that program, not of one of the user's; the communicator is
of the first n ranks. A call that is put together from parts may meet the leaf in one of them only.
"""

import json
from pathlib import Path
from typing import Any

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
    found: list[str] = []
    _walk(_tree(text, operation), lambda key: found.append(key.removeprefix(start)), start)
    return tuple(dict.fromkeys(found))


def poisoned(text: str, operation: str, algorithm: str) -> str:
    """The file with all leaves of an algorithm of an operation poisoned."""
    tree = json.loads(text)
    wanted, poison = leaf_of(operation, algorithm), f"algorithm={_other(operation)}"
    name = f"collective={operation}"
    tree[name] = _replaced(tree.get(name, {}), wanted, poison)
    return json.dumps(tree)


def _tree(text: str, operation: str) -> dict[str, Any]:
    tree: dict[str, Any] = json.loads(text).get(f"collective={operation}", {})
    return tree


def _other(operation: str) -> str:
    return _OTHER.get(operation, _ANY_OTHER)


def _walk(tree: dict[str, Any], found: Any, start: str) -> None:
    for key, below in tree.items():
        if key.startswith(start):
            found(key)
        elif isinstance(below, dict):
            _walk(below, found, start)


def _replaced(tree: dict[str, Any], wanted: str, poison: str) -> dict[str, Any]:
    return {
        poison if key == wanted else key: {}
        if key == wanted
        else _replaced(below, wanted, poison)
        if isinstance(below, dict)
        else below
        for key, below in tree.items()
    }


def write_poisoned(folder: Path, text: str, operation: str, algorithm: str) -> Path:
    """A file in the folder with the algorithm poisoned."""
    path = folder / f"{operation}-{algorithm}.json"
    path.write_text(poisoned(text, operation, algorithm))
    return path
