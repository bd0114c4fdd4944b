"""Open MPI: algorithms of its component coll/tuned, from 4.1 on.

Source: ompi_info --all --param coll tuned --level 9 of 4.1.4 and 5.0.11, and
ompi/mca/coll/{tuned,base} of these versions and of the branch that becomes 6.0 (`since` 6).
Forced by MCA parameters: coll_tuned_use_dynamic_rules and coll_tuned_<operation>_algorithm with
its _segmentsize, _chain_fanout (chains of the algorithm "chain"), _max_requests; the radix of
"knomial" is coll_tuned_bcast_algorithm_knomial_radix, for all calls.
Restrictions: components of a higher priority than coll/tuned (30) take the call before it does:
coll/hcoll, from 5.0 on coll/han, from 6.0 on coll/xhc. Forcing takes them out.
Which of them reorder operands was seen by running 4.1.4 and 5.0.11; what only 6.0 has is taken for
one that does, as it has not been run. An MPI_Reduce by such an algorithm is also inside of others:
MPI_Reduce_scatter and MPI_Reduce_scatter_block reduce to one rank where the operation does not
commute, as "nonoverlapping" of an all-reduce always does.
"""

from collections.abc import Mapping
from typing import Any, ClassVar

from contend.libraries.algorithm import ERROR, TWO_LAYOUTS, LibraryAlgorithm
from contend.libraries.library import Library
from contend.libraries.version import Version

FANOUT = 4  # coll_tuned_init_chain_fanout
RADIX = 4  # coll_tuned_bcast_algorithm_knomial_radix
PREFIX = "OMPI_MCA_"
DYNAMIC = "coll_tuned_use_dynamic_rules"

_one = LibraryAlgorithm
_SEGMENTED: dict[str, Any] = {"options": ("segment",), "defaults": {"segment": 0}}
_WHOLE = {"segment": 0}
_CHAIN = {"segment": 0, "fanout": FANOUT}
_NOT_IN_PLACE: dict[str, Any] = {"in_place": "basic_inplace"}
_REDUCTION: dict[str, Any] = {
    "options": ("segment", "requests"),
    "defaults": {"segment": 0, "requests": 0},
}

TABLE = (
    _one("bcast", "basic_linear", 1, catalogue="flat"),
    _one("bcast", "chain", 2, ("segment", "fanout"), "segmented_chain", {"fanout": 1},
         defaults=_CHAIN),
    _one("bcast", "pipeline", 3, catalogue="segmented_chain", **_SEGMENTED),
    _one("bcast", "split_binary_tree", 4, catalogue="split_binary", pieces=2,
         catalogue_whole="segmented_chain", **_SEGMENTED),
    _one("bcast", "binary_tree", 5, catalogue="binary", **_SEGMENTED),
    _one("bcast", "binomial", 6, catalogue="segmented_binomial", **_SEGMENTED),
    _one("bcast", "knomial", 7, ("segment", "k"), "knomial", _WHOLE,
         defaults={"segment": 0, "k": RADIX}),
    _one("bcast", "scatter_allgather", 8, catalogue="scatter_doubling_allgather",
         few_elements="basic_linear", nearest="scatter_ring_allgather"),
    _one("bcast", "scatter_allgather_ring", 9, catalogue="scatter_ring_allgather",
         few_elements="basic_linear"),
    _one("scatter", "basic_linear", 1, catalogue="flat"),
    _one("scatter", "binomial", 2, catalogue="binomial"),
    _one("scatter", "linear_nb", 3, ("requests",), "flat", defaults={"requests": 0}),
    _one("gather", "basic_linear", 1, catalogue="flat"),
    _one("gather", "binomial", 2, catalogue="binomial"),
    _one("gather", "linear_sync", 3, catalogue="linear_sync", **_SEGMENTED),
    _one("alltoall", "linear", 1, catalogue="rotated", **_NOT_IN_PLACE),
    _one("alltoall", "pairwise", 2, catalogue="ring", **_NOT_IN_PLACE),
    _one("alltoall", "modified_bruck", 3, catalogue="bruck", wrong_where=TWO_LAYOUTS,
         wrong_before=(5,), **_NOT_IN_PLACE),
    _one("alltoall", "linear_sync", 4, ("requests",), "throttled", defaults={"requests": 0},
         **_NOT_IN_PLACE),
    _one("alltoall", "two_proc", 5, catalogue="ring", ranks="two", other_ranks=ERROR,
         **_NOT_IN_PLACE),
    _one("alltoallv", "basic_linear", 1, catalogue="direct", **_NOT_IN_PLACE),
    _one("alltoallv", "pairwise", 2, catalogue="pairwise", **_NOT_IN_PLACE),
    _one("allgather", "linear", 1, catalogue="flat"),
    _one("allgather", "bruck", 2, catalogue="bruck"),
    _one("allgather", "recursive_doubling", 3, catalogue="recursive_doubling",
         ranks="power of two", other_ranks="bruck"),
    _one("allgather", "ring", 4, catalogue="ring"),
    _one("allgather", "neighbor", 5, catalogue="neighbour_exchange", ranks="even",
         other_ranks="ring"),
    _one("allgather", "two_proc", 6, catalogue="ring", ranks="two", other_ranks=ERROR),
    _one("allgather", "sparbit", 7, since=(5,)),
    _one("allgather", "direct-messaging", 8, since=(6,)),
    _one("allgatherv", "default", 1, nearest="flat"),
    _one("allgatherv", "bruck", 2, nearest="bruck"),
    _one("allgatherv", "ring", 3, nearest="ring"),
    _one("allgatherv", "neighbor", 4, ranks="even", other_ranks="ring",
         nearest="neighbour_exchange"),
    _one("allgatherv", "two_proc", 5, ranks="two", other_ranks=ERROR, nearest="ring"),
    _one("allgatherv", "sparbit", 6, since=(5,)),
    _one("reduce", "linear", 1, catalogue="flat"),
    _one("reduce", "chain", 2, ("segment", "fanout", "requests"), "segmented_chain",
         {"fanout": 1}, defaults={**_CHAIN, "requests": 0}, reorders_operands=True),
    _one("reduce", "pipeline", 3, catalogue="segmented_chain", reorders_operands=True,
         **_REDUCTION),
    _one("reduce", "binary", 4, catalogue="binary", reorders_operands=True, **_REDUCTION),
    _one("reduce", "binomial", 5, catalogue="binomial", catalogue_where=_WHOLE,
         reorders_operands=True, **_REDUCTION),
    _one("reduce", "in-order_binary", 6, nearest="binary", **_REDUCTION),
    _one("reduce", "rabenseifner", 7, catalogue="rabenseifner", few_elements="linear",
         few_below_power=True),
    _one("reduce", "knomial", 8, since=(6,), reorders_operands=True),
    _one("allreduce", "basic_linear", 1, catalogue="flat"),
    _one("allreduce", "nonoverlapping", 2, nearest="recursive_doubling"),
    _one("allreduce", "recursive_doubling", 3, catalogue="recursive_doubling"),
    _one("allreduce", "ring", 4, catalogue="ring", few_elements="recursive_doubling",
         reorders_operands=True),
    _one("allreduce", "segmented_ring", 5, catalogue="segmented_ring",
         few_elements="recursive_doubling", unsegmented="ring", reorders_operands=True,
         **_SEGMENTED),
    _one("allreduce", "rabenseifner", 6, catalogue="rabenseifner", few_elements="basic_linear",
         few_below_power=True),
    _one("allreduce", "allgather_reduce", 7, since=(6,), reorders_operands=True),
    _one("reduce_scatter", "non-overlapping", 1, nearest="recursive_halving"),
    _one("reduce_scatter", "recursive_halving", 2, catalogue="recursive_halving",
         reorders_operands=True),
    _one("reduce_scatter", "ring", 3, catalogue="ring", reorders_operands=True),
    _one("reduce_scatter", "butterfly", 4, nearest="recursive_halving"),
    _one("reduce_scatter_block", "basic_linear", 1, nearest="recursive_halving"),
    _one("reduce_scatter_block", "recursive_doubling", 2, nearest="recursive_halving"),
    _one("reduce_scatter_block", "recursive_halving", 3, nearest="recursive_halving"),
    _one("reduce_scatter_block", "butterfly", 4, nearest="recursive_halving"),
    _one("barrier", "linear", 1, catalogue="flat"),
    _one("barrier", "double_ring", 2, catalogue="double_ring"),
    _one("barrier", "recursive_doubling", 3, catalogue="recursive_doubling"),
    _one("barrier", "bruck", 4, catalogue="dissemination"),
    _one("barrier", "two_proc", 5, catalogue="recursive_doubling", ranks="two",
         other_ranks=ERROR),
    _one("barrier", "tree", 6, catalogue="tree"),
    _one("exscan", "linear", 1),
    _one("exscan", "recursive_doubling", 2),
    _one("scan", "linear", 1),
    _one("scan", "recursive_doubling", 2),
)  # fmt: skip
_PARAMETERS = {
    "segment": "coll_tuned_{operation}_algorithm_segmentsize",
    "fanout": "coll_tuned_{operation}_algorithm_chain_fanout",
    "k": "coll_tuned_{operation}_algorithm_knomial_radix",
    "requests": "coll_tuned_{operation}_algorithm_max_requests",
}


class OpenMPI(Library):
    """Open MPI."""

    name = "openmpi"
    title = "Open MPI"
    says = r"(?:Open\s*MPI|OMPI)\s+v?(\d[\d.]*)"  # PICO says OMPI
    oldest = (4, 1)
    table: ClassVar[tuple[LibraryAlgorithm, ...]] = TABLE
    # That of TCP, and that of its own (opal/mca/btl/tcp/btl_tcp_endpoint.c of 4.1.4); as
    # benchmarks/first_message.c has it: 22 ms where a round trip takes 10.2 ms.
    first_trips: ClassVar[int] = 2
    # Rules are looked up by arguments of the root alone, without a size, or by that of an element.
    one_for_all_sizes = frozenset(("gather", "scatter", "alltoallv", "barrier", "scan", "exscan"))

    def forcing(
        self, algorithm: LibraryAlgorithm, options: Mapping[str, int], version: Version
    ) -> dict[str, str]:
        """MCA parameters as environment variables."""
        self.require_options(algorithm, options)
        chosen = {f"coll_tuned_{algorithm.operation}_algorithm": str(algorithm.number)}
        chosen |= {
            _PARAMETERS[name].format(operation=algorithm.operation): str(value)
            for name, value in options.items()
        }
        return {PREFIX + name: value for name, value in (tuned_alone(version) | chosen).items()}


def tuned_alone(version: Version) -> dict[str, str]:
    """MCA parameters under which coll/tuned takes every call and looks at what it is told."""
    ahead = {"coll_han_priority": "0"} if version >= (5,) else {}
    ahead |= {"coll_xhc_priority": "0"} if version >= (6,) else {}
    return told_rules() | ahead


def told_rules() -> dict[str, str]:
    """MCA parameters under which coll/tuned looks at rules, and coll/hcoll leaves it calls."""
    return {DYNAMIC: "1", "coll_hcoll_enable": "0"}
