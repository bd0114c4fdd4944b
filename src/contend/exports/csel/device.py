"""The device's tree: which operations it puts together of a part per node, and which not.

Source: src/mpid/ch4/src/ch4_coll.h and ch4_coll_impl.h of MPICH 4.0. Of these operations a call
on several nodes, with several ranks on some, is by default one among the ranks of each node and one
among the nodes, and the tree of algorithms is asked for each part with its own number of ranks. A
rule for whole communicators needs the composition that has no parts; where none holds the library's
own composition stays.
"""

from collections.abc import Sequence

from contend.choose.rules import Rule
from contend.exports.bands import by_operation
from contend.exports.csel.compose import Sources, composed
from contend.exports.csel.rule_leaf import guarded
from contend.exports.csel.shipped import Shipped, Tree
from contend.libraries import Library, Version

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
