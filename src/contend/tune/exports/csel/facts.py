"""What keys of MPICH's selection trees (CSEL) ask, what its algorithms need, and their names.

Source of keys: src/mpi/coll/src/csel.c of MPICH 4.0 to 5.0. A tree is nested objects of JSON; a key
is a question, the first of a level that is answered with yes is followed, and "algorithm=NAME" ends
the path. Blanks in keys are left out. Numbers are read with atoi: what follows the digits is
dropped, and what no int holds is another number.
Names are "MPIR_<Operation>_<kind>_<algorithm>", of kinds intra (one communicator), inter (two
groups) and allcomm (both). Parameters must be written, and calls that an algorithm does not serve
go elsewhere. Source: facts.toml beside it.
"""

import re
import tomllib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from contend.schedules.libraries import Library, LibraryAlgorithm, Version, version_text
from contend.tune.exports.finding import meant

MOST = 2**31 - 1  # the largest number that a key can hold
YES_NO = ("yes", "no")
LEAVES = ("algorithm", "composition")
_SPLIT = re.compile(r"([A-Za-z_]+)(<=|<|=)(.*)", re.DOTALL)
_DIGITS = re.compile(r"\d+")

_REDUCING = ("reduce", "allreduce", "reduce_scatter", "reduce_scatter_block")
_AVERAGE = ("bcast", "reduce", "allreduce", "alltoall")
_TOTAL = (*_AVERAGE, "alltoallv", "alltoallw", "allgather", "allgatherv", "gather", "scatter",
          "reduce_scatter", "reduce_scatter_block")  # fmt: skip
_COUNT = ("bcast", "allgather", "allgatherv", *_REDUCING)
_BOTH = (*_TOTAL, "gatherv", "scatterv", "barrier", "scan", "exscan", "neighbor_allgather",
         "neighbor_allgatherv", "neighbor_alltoall", "neighbor_alltoallv",
         "neighbor_alltoallw")  # fmt: skip
COLLECTIVES = tuple(prefix + name for name in _BOTH for prefix in ("", "i"))
# Those that exist between two groups too, and need a branch for them.
BETWEEN_GROUPS = tuple(
    prefix + name
    for name in (*_TOTAL, "barrier")
    for prefix in ("", "i")
)  # fmt: skip


def _with_nonblocking(names: tuple[str, ...]) -> frozenset[str]:
    return frozenset(names) | {f"i{name}" for name in names}


@dataclass(frozen=True)
class Question:
    """What a key asks: relations to a number, and words that it may be equal to."""

    words: tuple[str, ...] = ()
    relations: tuple[str, ...] = ()
    of: frozenset[str] | None = None  # collectives that it exists for; None: all
    is_of_call: bool = False  # answered at each call, else once for a communicator


_SIZES = ("<=", "<")
QUESTIONS = {
    "comm_type": Question(("intra", "inter")),
    "comm_size": Question(("pow2", "node_comm_size"), _SIZES),
    "comm_hierarchy": Question(("parent", "node_roots", "node", "flat")),
    "comm_avg_ppn": Question((), _SIZES),
    "is_node_consecutive": Question(YES_NO),
    "is_multi_threaded": Question(YES_NO, is_of_call=True),
    "avg_msg_size": Question((), _SIZES, _with_nonblocking(_AVERAGE), True),
    "total_msg_size": Question((), _SIZES, _with_nonblocking(_TOTAL), True),
    "count": Question((), ("<=",), _with_nonblocking(_COUNT) - {"ibcast"}, True),
    "is_commutative": Question(YES_NO, (), _with_nonblocking(_REDUCING), True),
    "is_op_built_in": Question(YES_NO, (), _with_nonblocking(("reduce", "allreduce")), True),
    "is_sendbuf_inplace": Question(
        YES_NO, (), _with_nonblocking(("alltoall", "alltoallv", "alltoallw")), True
    ),
    "is_block_regular": Question(YES_NO, (), _with_nonblocking(("reduce_scatter",)), True),
}


@dataclass(frozen=True)
class Key:
    """A key in its parts; `relation` is "" where it has none."""

    name: str
    relation: str
    value: str

    @property
    def is_leaf(self) -> bool:
        """Whether it names what runs."""
        return self.relation == "=" and self.name in LEAVES

    @property
    def is_any(self) -> bool:
        return self.relation == "=" and self.value == "any"

    @property
    def bound(self) -> int | None:
        """The largest number that it is true of, read as the library does; None for words.

        >>> key_of("comm_size<8").bound, key_of("avg_msg_size<=64").bound
        (7, 64)
        """
        digits = _DIGITS.match(self.value)
        if self.relation not in _SIZES or digits is None:
            return None
        return int(digits[0][:20]) - (self.relation == "<")

    @property
    def is_of_call(self) -> bool:
        question = QUESTIONS.get(self.name)
        return question is not None and question.is_of_call


@lru_cache(maxsize=4096)
def key_of(text: str) -> Key:
    """The parts of a key.

    >>> key_of("comm_size <= 8")
    Key(name='comm_size', relation='<=', value='8')
    """
    bare = re.sub(r"\s", "", text)
    match = _SPLIT.fullmatch(bare)
    return Key(match[1], match[2], match[3]) if match else Key(bare, "", "")


def wrong_with(key: Key) -> str:
    """What the library cannot read in a question; empty where it can."""
    question = QUESTIONS.get(key.name)
    if question is None:
        return f"{key.name} is no question of the library"
    if key.is_any or (key.relation == "=" and key.value in question.words):
        return ""
    if key.name == "count" and (key.relation, key.value) == ("<", "pow2"):
        return ""
    if key.relation not in question.relations:
        return f"{key.name}{key.relation}{key.value} asks nothing that the library knows"
    if not key.value.isdecimal() or not key.value.isascii():
        read = key.bound
        return f"{key.value!r} is no number of digits, and is read as {read or 0}"
    return f"{key.value} is above {MOST}" if int(key.value[:20]) > MOST else ""


# What a tree asks for the calls that an algorithm serves, and for all others.
POWER_OF_TWO = ("comm_size=pow2", "comm_size=any")
SEVERAL_A_NODE = ("comm_hierarchy=parent", "comm_hierarchy=any")
COMMUTATIVE = ("is_commutative=yes", "is_commutative=no")
_ASKED = {
    "power of two": POWER_OF_TWO,
    "several a node": SEVERAL_A_NODE,
    "commutative": COMMUTATIVE,
    "built in": ("is_op_built_in=yes", "is_op_built_in=no"),
    "regular": ("is_block_regular=yes", "is_block_regular=no"),
    "consecutive": ("is_node_consecutive=yes", "is_node_consecutive=no"),
    "few elements": ("count=any", "count<pow2"),  # fewer elements than ranks go elsewhere
}
_TABLE = tomllib.loads(Path(__file__).with_suffix(".toml").read_text())
SIZE: dict[str, str] = {name: row["size"] for name, row in _TABLE.items() if "size" in row}
NAMES: dict[tuple[str, str], tuple[str, ...]] = {
    (operation, kind): tuple(row[kind])
    for operation, row in _TABLE.items()
    for kind in ("intra", "inter", "allcomm")
    if kind in row
}
PARAMETERS: dict[tuple[str, str], dict[str, str]] = {
    (operation, name): given
    for operation, row in _TABLE.items()
    for name, given in row.get("parameters", {}).items()
}
NEEDS: dict[tuple[str, str], tuple[tuple[str, str], ...]] = {
    (operation, name): tuple(_ASKED[need] for need in needs)
    for operation, row in _TABLE.items()
    for name, needs in row.get("needs", {}).items()
}
OPTIONAL = frozenset(
    ("topo_overhead", "topo_diff_groups", "topo_diff_switches", "topo_same_switches")
)  # of trees that know the network
TREE_TYPES = ("kary", "knomial_1", "knomial_2", "topology_aware", "topology_aware_k",
              "topology_wave")  # fmt: skip
OPTION_KEYS = {"k": "k", "fanout": "k", "segment": "chunk_size"}  # contend's word: the key
IN_PLACE = ("alltoall", "alltoallv", "alltoallw")  # asked first: without it counts mean nothing
# A total of these is not the same on all ranks: of the own counts, or of a count that the root
# need not give in place. Ranks that disagree run different algorithms, and wait for ever.
UNSAFE_TOTAL = ("gather", "scatter", "alltoallv", "alltoallw")


_PATTERN = re.compile(r"MPIR_([A-Z][a-z_]*?)_(intra|inter|allcomm)_(\w+)")


def parts_of(name: str) -> tuple[str, str, str] | None:
    """Operation, kind and algorithm of a name; None for one of another make.

    >>> parts_of("MPIR_Reduce_scatter_block_intra_pairwise")
    ('reduce_scatter_block', 'intra', 'pairwise')
    """
    match = _PATTERN.fullmatch(name)
    return (match[1].lower(), match[2], match[3]) if match else None


def in_some_version(name: str, operation: str, library: Library) -> list[LibraryAlgorithm]:
    """Return the algorithms of that name that an operation has on one communicator."""
    return [
        algorithm
        for algorithm in library.table
        if algorithm.operation == operation
        and name == _spelled(operation, "intra", algorithm.own_name)
    ]


def wrong_name(name: str, operation: str, library: Library, version: Version) -> tuple[str, str]:
    """What is wrong with a name in the tree of an operation, and a remedy; empty for nothing."""
    offered = _offered(operation, library, version)
    if name in offered:
        return "", ""
    parts = parts_of(name)
    if parts and parts[0] != operation and parts[0] in COLLECTIVES:
        return f"{name} is an algorithm of {parts[0]}, not of {operation}", "move it, or rename it"
    if of_another := in_some_version(name, operation, library):
        since = of_another[0].since
        later = f", it came with {version_text(since)}" if since > version else ""
        return (
            f"MPICH {version_text(version)} has no {name}{later}",
            "name the version that reads the file (--library mpich-VERSION), or another algorithm",
        )
    return f"{name} is no algorithm of MPICH", meant(name, offered)


def _offered(operation: str, library: Library, version: Version) -> list[str]:
    names = [
        _spelled(operation, "intra", algorithm.own_name)
        for algorithm in library.algorithms(operation, version)
        if operation not in ("gatherv", "scatterv")
    ]
    for (named, kind), algorithms in NAMES.items():
        if named == operation:
            names += [_spelled(operation, kind, algorithm) for algorithm in algorithms]
    if not operation.startswith("i"):
        names.append(_spelled(operation, "allcomm", "nb"))
    return names


def _spelled(operation: str, kind: str, algorithm: str) -> str:
    return f"MPIR_{operation.capitalize()}_{kind}_{algorithm}"
