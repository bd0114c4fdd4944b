"""How coll/tuned of Open MPI looks a call up: numbers of operations, and which bytes it counts.

Source: ompi/mca/coll/base/coll_base_functions.h and
ompi/mca/coll/tuned/coll_tuned_decision_dynamic.c.
"""

IDS = (
    "allgather", "allgatherv", "allreduce", "alltoall", "alltoallv", "alltoallw", "barrier",
    "bcast", "exscan", "gather", "gatherv", "reduce", "reduce_scatter", "reduce_scatter_block",
    "scan", "scatter", "scatterv", "neighbor_allgather", "neighbor_allgatherv",
    "neighbor_alltoall", "neighbor_alltoallv", "neighbor_alltoallw",
)  # fmt: skip
# Bytes are those of one block times the number of processes; of all others, the whole message (of
# allgatherv the mean block).
PER_COMMUNICATOR = frozenset(
    ("allgather", "alltoall", "gather", "reduce_scatter", "reduce_scatter_block", "scatter")
)
# Looked up by arguments that count at the root alone, so that ranks find different rules and wait
# for each other for ever where a block names more than one algorithm.
BY_ROOT = frozenset(("gather", "scatter"))
# Always looked up with 0 bytes: only the first rule of a block is used.
WITHOUT_SIZE = frozenset(("alltoallv", "barrier"))
# Looked up with the bytes of one element times the number of processes, however many there are.
BY_ELEMENT = frozenset(("exscan", "scan"))
ONE_FOR_ALL_SIZES = BY_ROOT | WITHOUT_SIZE | BY_ELEMENT
# Taken by coll/han, whose priority is 35 from 5.0 on and that of coll/tuned 30.
HAN = frozenset(("allgather", "allreduce", "barrier", "bcast", "gather", "reduce", "scatter"))
HAN_6 = HAN | {"alltoall"}
VERSION_WORD = "rule-file-version-"
VERSION_LINE = (5, 0, 7)  # the first that knows "rule-file-version-2"
JSON = (6,)  # the first that reads JSON, and the classic file in another way
BRUCK_RADIX = 2  # what "bruck" of 6.0 takes from the fanout; with less it never ends


def counted_in(operation: str) -> str:
    """The bytes of a rule of an operation, in words."""
    if operation in WITHOUT_SIZE:
        return "0 bytes"
    if operation in BY_ELEMENT:
        return "bytes of one element times the number of processes"
    if operation in PER_COMMUNICATOR:
        return "bytes of one block times the number of processes"
    return "bytes of a mean block" if operation == "allgatherv" else "bytes of the message"


HAN_OFF = {"OMPI_MCA_coll_han_priority": "0"}


def han_takes(operation: str, version: tuple[int, ...]) -> bool:
    """Whether coll/han takes the operation before coll/tuned is asked."""
    return version >= (5,) and operation in (HAN_6 if version >= JSON else HAN)
