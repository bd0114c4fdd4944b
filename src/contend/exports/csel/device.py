"""The ends of paths in MPICH's trees, and the device's tree, which composes operations by node.

A rule's algorithm is a name, all its parameters and what it needs. Source of the device's tree:
src/mpid/ch4/src/ch4_coll.h and ch4_coll_impl.h of MPICH 4.0. Of some operations a call
on several nodes, with several ranks on some, is by default one among the ranks of each node and one
among the nodes, and the tree of algorithms is asked for each part with its own number of ranks. A
rule for whole communicators needs the composition that has no parts; where none holds the library's
own composition stays.
"""

from collections.abc import Sequence

from contend.choose.rules import Rule
from contend.errors import InvalidInputError
from contend.exports.bands import by_operation
from contend.exports.csel.compose import Sources, composed
from contend.exports.csel.facts import NEEDS, OPTION_KEYS, PARAMETERS
from contend.exports.csel.shipped import Shipped, Tree
from contend.libraries import Library, LibraryAlgorithm, Version

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


VARIABLE = "MPIR_CVAR_CH4_COLL_SELECTION_TUNING_JSON_FILE"
BEHIND = ".device.json"  # the name of a file of rules, for the device's tree that belongs to it
WHOLE = {
    "bcast": "composition=MPIDI_Bcast_intra_composition_gamma",
    "reduce": "composition=MPIDI_Reduce_intra_composition_gamma",
    "allreduce": "composition=MPIDI_Allreduce_intra_composition_beta",
    "barrier": "composition=MPIDI_Barrier_intra_composition_beta",
}


def has_parts(own: Shipped, operation: str) -> bool:
    """Whether the library's device has a composition without parts for an operation of parts."""
    tree = own.trees.get("composition", {})
    return f"collective={operation}" in tree and WHOLE.get(operation) in own.names


def device_tree(own: Shipped, rules: Sequence[Rule], library: Library, version: Version) -> Tree:
    """The device's tree in which the calls of rules are made without parts."""
    tree = dict(own.trees["composition"])
    for operation, of in by_operation(rules).items():
        if not has_parts(own, operation):
            continue
        present = tree[f"collective={operation}"]
        within = present.get("comm_type=intra", present)

        def leaf(rule: Rule, otherwise: Tree, operation: str = operation) -> Tree:
            algorithm = library.algorithm(operation, rule.algorithm, version)
            return guarded(algorithm, {WHOLE[operation]: {}}, otherwise)

        made = composed(operation, of, leaf, Sources(within, within))
        tree[f"collective={operation}"] = {**present, "comm_type=intra": made}
    return tree
