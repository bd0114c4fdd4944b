"""A rule's algorithm as the end of a path: its name, all its parameters, and what it needs."""

from contend.errors import InvalidInputError
from contend.exports.csel.facts import NEEDS, OPTION_KEYS, PARAMETERS
from contend.exports.csel.shipped import Shipped, Tree
from contend.libraries import LibraryAlgorithm

KINDS = ("intra", "allcomm")


def leaf_name(algorithm: LibraryAlgorithm, own: Shipped) -> str:
    """The key "algorithm=NAME" as the library reads it; an error where it has no such name."""
    operation = algorithm.operation.capitalize()
    spelled = [f"algorithm=MPIR_{operation}_{kind}_{algorithm.own_name}" for kind in KINDS]
    if not own.names:
        return spelled[algorithm.operation in ("gatherv", "scatterv")]
    for name in spelled:
        if name in own.names:
            return name
    raise InvalidInputError(
        f"the MPICH at hand, {own.path}, has no {algorithm.operation} algorithm "
        f"{algorithm.own_name!r}",
        "name the library that shall obey with --default, or measure with the one at hand",
    )


def parameters(algorithm: LibraryAlgorithm, options: dict[str, int]) -> Tree:
    """All that the algorithm reads, as it was measured: one left out is an error at the call."""
    known = PARAMETERS.get((algorithm.operation, algorithm.own_name), {})
    given = {
        OPTION_KEYS[name]: str(value)
        for name, value in options.items()
        if OPTION_KEYS.get(name) in known
    }
    return {
        f"{name}={value}": {} for name, value in (known | dict(algorithm.fixed) | given).items()
    }


def guarded(algorithm: LibraryAlgorithm, leaf: Tree, otherwise: Tree) -> Tree:
    """The leaf for calls that the algorithm serves, `otherwise` for the others."""
    tree = leaf
    for serves, other in reversed(NEEDS.get((algorithm.operation, algorithm.own_name), ())):
        # What serves every remaining call stands last, for a level ends at its "=any".
        ordered = (serves, tree), (other, otherwise)
        tree = dict(reversed(ordered) if serves.endswith("=any") else ordered)
    return tree
