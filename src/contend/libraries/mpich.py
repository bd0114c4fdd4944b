"""MPICH: algorithms on one communicator, from 4.0 on.

Source: the control variables MPIR_CVAR_<OPERATION>_INTRA_ALGORITHM and those of parameters, as
MPI_T lists them in 4.0.3, 4.1.3, 4.2.3, 4.3.2 and 5.0.2; restrictions from
src/mpi/coll/coll_algorithms.txt. 4.0 has neither trees, pipelines nor radices.
Forced by these variables; MPIR_CVAR_<OPERATION>_DEVICE_COLLECTIVE=0 keeps the device from putting
one together of a part per node, each of which would use the algorithm; with
MPIR_CVAR_COLLECTIVE_FALLBACK=error a call that an algorithm cannot serve ends the program, where
the default silently runs another. Not so for `LENIENT`, under which MPI_Init itself would end: of
"smp" the parts cannot be "smp" again, and MPICH reduces single elements.
A file of rules that is read moves the end of the heap, so that glibc gives memory back after more
of the large calls and fetches it for the next. With the variables `alongside` it keeps what it
keeps by itself once a block of 32 MiB was freed, and calls are alike with a file and without.
What it runs by itself: defaults/mpich.toml.
Restrictions: without "nb", which is what the nonblocking operation does, and "ccl", of GPUs.
"""

from collections.abc import Mapping
from typing import Any, ClassVar

from contend.libraries.algorithm import ERROR, OWN_CHOICE, TWO_LAYOUTS, LibraryAlgorithm
from contend.libraries.library import Library
from contend.libraries.version import Version

THROTTLE = 32  # MPIR_CVAR_ALLTOALL_THROTTLE
LENIENT = frozenset(("smp", "reduce_scatter_allgather"))
LARGEST_BLOCK = 2**25  # bytes; glibc adapts its thresholds to blocks up to this size
CHUNK = 8192  # MPIR_CVAR_BCAST_TREE_PIPELINE_CHUNK_SIZE, bytes

_one = LibraryAlgorithm
_RADIX: dict[str, Any] = {"options": ("k",), "defaults": {"k": 2}}
_POWERS: dict[str, Any] = {"ranks": "power of two", "other_ranks": ERROR}
_TREES = ("kary", "knomial_1", "knomial_2")
# Longest chains of messages by n: how many, and blocks in them. Trees of 1, 2, 4, ... ranks
# exchange in pairs all blocks but those of the sender's own tree; where the other has fewer ranks,
# those with a partner there pass on what they received, as it is, which no schedule can say.
# Source: src/mpi/coll/reduce_scatter/reduce_scatter_intra_recursive_doubling.c of 4.0 to 5.0.
DOUBLING = {6: (4, 17), 8: (3, 17), 12: (5, 45), 24: (6, 113), 32: (5, 129), 48: (7, 273),
            128: (7, 769)}  # fmt: skip


def _trees(
    operation: str, own: str, catalogue: Mapping[str, str], **facts: Any
) -> tuple[LibraryAlgorithm, ...]:
    """An algorithm on trees, once for each type of tree that needs no knowledge of the network."""
    return tuple(
        LibraryAlgorithm(
            operation, f"{own}_{tree}", own=own, fixed={"tree_type": tree},
            catalogue=catalogue.get(tree), since=(4, 1), **facts,
        )
        for tree in _TREES
    )  # fmt: skip


TABLE = (
    _one("bcast", "binomial", catalogue="binomial"),
    _one("bcast", "smp"),
    _one("bcast", "scatter_recursive_doubling_allgather",
         catalogue="scatter_doubling_allgather", **_POWERS),
    _one("bcast", "scatter_ring_allgather", catalogue="scatter_ring_allgather"),
    *_trees("bcast", "tree", {"knomial_1": "knomial"}, **_RADIX),
    *_trees("bcast", "pipelined_tree", {"kary": "degree_tree"}, options=("segment", "k"),
            defaults={"segment": CHUNK, "k": 2}),
    _one("scatter", "binomial", catalogue="binomial"),
    _one("gather", "binomial", catalogue="binomial"),
    _one("scatterv", "linear"),
    _one("gatherv", "linear"),
    _one("alltoall", "brucks", catalogue="bruck"),
    _one("alltoall", "k_brucks", catalogue="kary_bruck", since=(4, 1), **_RADIX),
    _one("alltoall", "pairwise", catalogue="pairwise", catalogue_otherwise="ring"),
    _one("alltoall", "scattered", None, ("requests",), "throttled",
         defaults={"requests": THROTTLE}),
    _one("alltoallv", "scattered", None, ("requests",), defaults={"requests": THROTTLE},
         nearest="direct"),
    _one("allgather", "brucks", catalogue="bruck"),
    _one("allgather", "k_brucks", since=(4, 1), **_RADIX),
    _one("allgather", "recursive_doubling", catalogue="recursive_doubling", **_POWERS),
    _one("allgather", "ring", catalogue="ring"),
    _one("allgather", "recexch_doubling", since=(4, 2), wrong_where=TWO_LAYOUTS, **_RADIX),
    _one("allgather", "recexch_halving", since=(4, 2), wrong_where=TWO_LAYOUTS, **_RADIX),
    _one("allgatherv", "brucks", nearest="bruck"),
    _one("allgatherv", "recursive_doubling", nearest="recursive_doubling", **_POWERS),
    _one("allgatherv", "ring", nearest="ring"),
    _one("reduce", "binomial", catalogue="binomial"),
    _one("reduce", "smp"),
    _one("reduce", "reduce_scatter_gather", catalogue="rabenseifner", few_elements=ERROR,
         few_below_power=True),
    _one("allreduce", "smp"),
    _one("allreduce", "recursive_doubling", catalogue="recursive_doubling"),
    _one("allreduce", "recursive_multiplying", since=(4, 3), **_RADIX),
    _one("allreduce", "reduce_scatter_allgather", catalogue="rabenseifner",
         few_elements=OWN_CHOICE, few_below_power=True),
    *_trees("allreduce", "tree", {}, options=("segment", "k"), defaults={"segment": 0, "k": 2}),
    _one("allreduce", "recexch", since=(4, 1), **_RADIX),
    _one("allreduce", "ring", catalogue="ring", since=(4, 1)),
    _one("allreduce", "k_reduce_scatter_allgather", few_elements=ERROR, since=(4, 1), **_RADIX),
    _one("reduce_scatter", "noncommutative", **_POWERS),
    _one("reduce_scatter", "pairwise", catalogue="pairwise"),
    _one("reduce_scatter", "recursive_doubling", chain=DOUBLING),
    _one("reduce_scatter", "recursive_halving", catalogue="recursive_halving"),
    _one("reduce_scatter_block", "noncommutative", **_POWERS),
    _one("reduce_scatter_block", "recursive_doubling", chain=DOUBLING),
    _one("reduce_scatter_block", "pairwise", nearest="pairwise"),
    _one("reduce_scatter_block", "recursive_halving", nearest="recursive_halving"),
    _one("barrier", "dissemination", catalogue="dissemination"),  # up to 4.0, see `has`
    _one("barrier", "k_dissemination", catalogue="dissemination", catalogue_where={"k": 2},
         since=(4, 1), **_RADIX),
    _one("barrier", "recexch", since=(4, 1), **_RADIX),
    _one("barrier", "smp"),
    _one("scan", "recursive_doubling"),
    _one("scan", "smp"),
    _one("exscan", "recursive_doubling"),
)  # fmt: skip
_VARIABLES = {
    ("bcast", "k"): "BCAST_TREE_KVAL",
    ("bcast", "segment"): "BCAST_TREE_PIPELINE_CHUNK_SIZE",
    ("allreduce", "segment"): "ALLREDUCE_TREE_PIPELINE_CHUNK_SIZE",
    ("alltoall", "requests"): "ALLTOALL_THROTTLE",
    ("alltoallv", "requests"): "ALLTOALL_THROTTLE",
}  # of an operation; those of a single algorithm:
_RADICES = {
    "k_brucks": "{operation}_BRUCKS_KVAL",
    "recexch_doubling": "{operation}_RECEXCH_KVAL",
    "recexch_halving": "{operation}_RECEXCH_KVAL",
    "recexch": "{operation}_RECEXCH_KVAL",
    "k_reduce_scatter_allgather": "{operation}_RECEXCH_KVAL",
    "recursive_multiplying": "{operation}_RECURSIVE_MULTIPLYING_KVAL",
    "k_dissemination": "{operation}_DISSEM_KVAL",
    "tree": "{operation}_TREE_KVAL",
}


class MPICH(Library):
    """MPICH."""

    name = "mpich"
    title = "MPICH"
    says = r"(?<!V)\bMPICH\s+(?:Version:\s*)?v?(\d[\d.]*)"
    oldest = (4, 0)
    one_for_all_sizes = frozenset(
        ("gather", "scatter", "gatherv", "scatterv", "alltoallv", "barrier", "scan", "exscan")
    )
    table: ClassVar[tuple[LibraryAlgorithm, ...]] = TABLE
    alongside: ClassVar[Mapping[str, str]] = {
        "MALLOC_MMAP_THRESHOLD_": str(LARGEST_BLOCK),
        "MALLOC_TRIM_THRESHOLD_": str(2 * LARGEST_BLOCK),
    }

    def has(self, algorithm: LibraryAlgorithm, version: Version) -> bool:
        """As said, but for what 4.1 renamed."""
        gone = (algorithm.operation, algorithm.name) == ("barrier", "dissemination")
        return version >= algorithm.since and not (gone and version >= (4, 1))

    def forcing(
        self, algorithm: LibraryAlgorithm, options: Mapping[str, int], version: Version
    ) -> dict[str, str]:
        """Control variables as environment variables."""
        self.require_options(algorithm, options)
        operation = algorithm.operation.upper()
        chosen = {
            f"{operation}_INTRA_ALGORITHM": algorithm.own_name,
            f"{operation}_DEVICE_COLLECTIVE": "0",
            "COLLECTIVE_FALLBACK": "silent" if algorithm.own_name in LENIENT else "error",
        }
        chosen |= {f"{operation}_{name.upper()}": text for name, text in algorithm.fixed.items()}
        chosen |= {_variable(algorithm, name): str(value) for name, value in options.items()}
        return {f"MPIR_CVAR_{name}": value for name, value in chosen.items()}


def _variable(algorithm: LibraryAlgorithm, option: str) -> str:
    """The control variable of an option, without its prefix."""
    known = _VARIABLES.get((algorithm.operation, option)) or _RADICES[algorithm.own_name]
    return known.format(operation=algorithm.operation.upper())
