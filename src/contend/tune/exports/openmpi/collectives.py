"""How coll/tuned of Open MPI looks a call up, and which calls coll/han takes before it.

Source: ompi/mca/coll/base/coll_base_functions.h and
ompi/mca/coll/tuned/coll_tuned_decision_dynamic.c. What coll/han takes from 5.0 on was seen with
5.0.11 by looking which functions ranks enter, on one host and on emulated ones.
"""

import re
from collections.abc import Iterable

from contend.schedules.libraries import Version
from contend.tune.exports.finding import Faults, Finding

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


_FAULT = Faults(__file__)
HAN_OFF = {"OMPI_MCA_coll_han_priority": "0"}


def han_takes(operation: str, version: tuple[int, ...]) -> bool:
    return version >= (5,) and operation in (HAN_6 if version >= JSON else HAN)


ALL_CALLS = frozenset(("allreduce", "barrier"))  # that it keeps on nodes of unequal ranks
OFF = re.compile(r"coll_han_|\^han\b|,han\b|coll/han")
# Words of a file of rules of its own, and what its rules begin with: a size and a component.
_OWN_RULES = re.compile(
    r"\b(?:global_communicator|intra_node|inter_node)\b|"
    r"^\s*\d+\s+(?:self|basic|libnbc|tuned|sm|adapt|han)\b",
    re.MULTILINE,
)


def han_finding(
    operation: str, version: Version, is_single: bool, line: int | None, has_comments: bool
) -> Iterable[Finding]:
    """A finding where it takes an operation; `is_single`: of communicators of one rank a node."""
    if not han_takes(operation, version):
        return
    unequal = "all" if operation in ALL_CALLS else "only the first"
    code = "han:single" if is_single else "han"
    yield _FAULT(code if has_comments else f"{code}:json", line, of=operation, unequal=unequal)


def is_of_han(text: str) -> bool:
    """Whether a text is a file of rules of coll/han itself."""
    is_ours = text.startswith("# Rules for coll/han ")
    return is_ours or bool(_OWN_RULES.search(re.sub("#.*", "", text)))


def of_han() -> Finding:
    """A file of coll/han in the place of one of coll/tuned."""
    return _FAULT("han-file", None)
