"""What MPICH is said to run by itself is what its trees say, followed call by call."""

import re
from itertools import product

import pytest

from contend.measure.mpi import MPI
from contend.schedules.libraries import Version, library_named, library_of
from contend.schedules.libraries.default import Call
from contend.tune.exports.csel.compose import WHOLE
from contend.tune.exports.csel.facts import SEVERAL_A_NODE, key_of
from contend.tune.exports.csel.flatten import PLAIN, POWER
from contend.tune.exports.csel.library_trees import Shipped, Tree, shipped
from contend.tune.exports.csel.narrow import Known, are_powers, narrowed
from support.mpis import any_mpi, library_with_trees

pytestmark = pytest.mark.mpi
mpi = any_mpi

MPICH = library_named("mpich")[0]
REDUCTIONS = ("reduce", "allreduce", "reduce_scatter", "reduce_scatter_block")
OPERATIONS = (*REDUCTIONS, "bcast", "alltoall", "alltoallv", "allgather", "allgatherv", "gather",
              "scatter", "gatherv", "scatterv", "barrier")  # fmt: skip
COUNTS = (2, 3, 4, 6, 7, 8, 9, 12, 16, 24, 31, 32, 48, 64, 100, 128, 1000)
SIZES = (1, 8, 9, 64, 255, 256, 257, 2048, 2049, 12287, 12288, 12289, 32768, 32769, 65536, 524287,
         524288, 524289, 2**22)  # fmt: skip
ELEMENT = 8


def facts(call: Call) -> Known:
    """All that trees ask of a call."""
    is_several = call.ppn is not None and 1 < call.ppn < call.n
    few = call.operation in REDUCTIONS and call.m // ELEMENT < 1 << call.n.bit_length() - 1
    numbers = {"comm_size": call.n, "avg_msg_size": call.m, "total_msg_size": call.n * call.m}
    return Known(
        numbers={name: (value, value) for name, value in numbers.items()},
        words=PLAIN.words | {
            "is_sendbuf_inplace": "yes" if call.is_in_place else "no",
            "is_commutative": "yes" if call.commutes else "no",
            "is_op_built_in": "yes" if call.is_built_in else "no",
            "comm_hierarchy": "parent" if is_several else "flat",
        },
        answers={
            POWER: bool(are_powers(call.n, call.n)),
            key_of("count<pow2"): few,
            key_of("comm_size=node_comm_size"): not is_several,
            key_of(SEVERAL_A_NODE[0]): is_several,
        },
    )  # fmt: skip


def leaf(tree: Tree, call: Call) -> str:
    """What a tree names for a call, without library, operation and kind of communicator."""
    (key,) = narrowed(tree[f"collective={call.operation}"], facts(call))
    return bare(key_of(key).value, call.operation)


def bare(name: str, operation: str) -> str:
    """As a table has it."""
    return re.sub(rf"MPI[RD]I?_{operation.capitalize()}_(intra|allcomm)_", "", name)


def followed(trees: Shipped, call: Call) -> str:
    """What the device puts together, or else what the tree of algorithms has."""
    composed = leaf(trees.trees["composition"], call)
    whole = bare(key_of(WHOLE.get(call.operation, "=")).value, call.operation)
    has_parts = call.operation in WHOLE and composed != whole
    is_several = facts(call).words["comm_hierarchy"] == "parent"
    return composed if has_parts and is_several else leaf(trees.tree, call)


def assert_as_in_the_trees(trees: Shipped, version: Version, operation: str) -> None:
    wrong = {}
    reduces = operation in REDUCTIONS
    kinds = [(True, True), (True, False), (False, False)] if reduces else [(True, True)]
    for n, m, ppn, in_place, (commutes, built_in) in product(
        COUNTS, SIZES, (None, 1, 2), (False, True), kinds
    ):
        default = MPICH.default(
            operation, n, m, version, ppn=ppn, is_in_place=in_place, commutes=commutes,
            is_built_in=built_in, element=ELEMENT,
        )  # fmt: skip
        call = Call(operation, n, m, m // ELEMENT, ppn, in_place, commutes, built_in)
        tree = followed(trees, call)
        if default.algorithm is None or default.algorithm.own_name != tree:
            wrong[call] = str(default), tree
    assert not wrong, list(wrong.items())[:5]


@pytest.mark.parametrize("operation", OPERATIONS)
def test_each_call_takes_what_the_trees_of_the_library_say(mpi: MPI, operation: str) -> None:
    trees = shipped(library_with_trees(mpi))
    assert_as_in_the_trees(trees, library_of(mpi.title)[1], operation)
