"""Names as users write them: the nearest that there is, and MPI's own for operations."""

import re
from collections.abc import Iterable
from difflib import get_close_matches

_CALL = re.compile(r"(?<![^,\s])MPI_([A-Z][A-Za-z_]*)")


def nearest_name(name: str, choices: Iterable[str]) -> str:
    """Return the known name that is spelt most like another; empty where none is.

    >>> nearest_name("Alltoal", ["alltoall", "bcast"]), nearest_name("x", ["bcast"])
    ('alltoall', '')
    """
    names = {choice.lower(): choice for choice in choices}
    near = get_close_matches(name[:80].lower(), names, 1)
    return names[near[0]] if near else ""


def choose_from(name: str, choices: Iterable[str]) -> str:
    """Return what to do about a name that is not known.

    >>> choose_from("alltoal", ["alltoall", "bcast"])
    "did you mean 'alltoall'? choose from alltoall, bcast"
    """
    names = list(choices)
    near = nearest_name(name, names)
    return f"did you mean {near!r}? " * bool(near) + f"choose from {', '.join(names)}"


def operation_of(name: str) -> str:
    """Return a text in which operations that are named by their calls have contend's names.

    >>> operation_of("MPI_Reduce_scatter"), operation_of("bcast"), operation_of("MPI_Bcast=ring")
    ('reduce_scatter', 'bcast', 'bcast=ring')
    """
    return _CALL.sub(lambda call: call[1].lower(), name)
