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
from typing import ClassVar

from contend.schedules.libraries.algorithm import LibraryAlgorithm, Version, table_of
from contend.schedules.libraries.library import Library

PREFIX = "OMPI_MCA_"
DYNAMIC = "coll_tuned_use_dynamic_rules"
_PARAMETERS = {
    "segment": "coll_tuned_{operation}_algorithm_segmentsize",
    "fanout": "coll_tuned_{operation}_algorithm_chain_fanout",
    "k": "coll_tuned_{operation}_algorithm_knomial_radix",
    "requests": "coll_tuned_{operation}_algorithm_max_requests",
}


class OpenMPI(Library):
    name = "openmpi"
    title = "Open MPI"
    says = r"(?:Open\s*MPI|OMPI)\s+v?(\d[\d.]*)"  # PICO says OMPI
    oldest = (4, 1)
    table: ClassVar[tuple[LibraryAlgorithm, ...]] = table_of("openmpi")
    # That of TCP, and that of its own (opal/mca/btl/tcp/btl_tcp_endpoint.c of 4.1.4); as
    # benchmarks/first_message.c has it: 22 ms where a round trip takes 10.2 ms.
    first_trips: ClassVar[int] = 2
    # btl_tcp_eager_limit less a header, as the writes to its sockets have it: a request of 40 B and
    # an answer of 64 B before larger ones by 5.0.11, above 65 480 B by 4.1.4.
    eager_by_tcp: ClassVar[float] = 65_456
    # nbc_ialltoall.c, nbc_ialltoallv.c and coll_basic_alltoallw.c of 4.1.4: peers in order of rank.
    beside_table: ClassVar[Mapping[str, tuple[str, str]]] = {
        "ialltoall": ("direct", "libnbc linear"),
        "ialltoallv": ("linear", "libnbc linear"),
        "ialltoallw": ("linear", "libnbc linear"),
        "alltoallw": ("linear", "basic linear"),
    }
    # Rules are looked up by arguments of the root alone, without a size, or by that of an element.
    one_for_all_sizes = frozenset(("gather", "scatter", "alltoallv", "barrier", "scan", "exscan"))

    def forcing(
        self, algorithm: LibraryAlgorithm, options: Mapping[str, int], version: Version
    ) -> dict[str, str]:
        self.require_options(algorithm, options)
        chosen = {f"coll_tuned_{algorithm.operation}_algorithm": str(algorithm.number)}
        chosen |= {
            _PARAMETERS[name].format(operation=algorithm.operation): str(value)
            for name, value in options.items()
        }
        return {PREFIX + name: value for name, value in (tuned_alone(version) | chosen).items()}


def tuned_alone(version: Version) -> dict[str, str]:
    """MCA parameters under which coll/tuned takes every call and obeys its rules."""
    ahead = {"coll_han_priority": "0"} if version >= (5,) else {}
    ahead |= {"coll_xhc_priority": "0"} if version >= (6,) else {}
    return rule_parameters() | ahead


def rule_parameters() -> dict[str, str]:
    """MCA parameters under which coll/tuned looks at rules, and coll/hcoll leaves it calls."""
    return {DYNAMIC: "1", "coll_hcoll_enable": "0"}
