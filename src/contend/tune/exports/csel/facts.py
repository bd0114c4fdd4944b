"""What MPICH's algorithms need, and how trees name them: "MPIR_<Operation>_<kind>_<algorithm>".

Parameters must be written, and calls that an algorithm does not serve go elsewhere. Kinds are intra
(one communicator), inter (two groups) and allcomm (both). Source: facts.toml beside it.
"""

import re
import tomllib
from pathlib import Path

from contend.schedules.libraries import Library, LibraryAlgorithm, Version, version_text
from contend.tune.exports.csel.keys import COLLECTIVES
from contend.tune.exports.finding import meant

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
