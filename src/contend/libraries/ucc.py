"""UCC: algorithms of its transport layer over UCP, which Open MPI calls as coll/ucc.

Source: ucc_base_coll_alg_info_t tables of src/components/tl/ucp/<operation>/<operation>.c, as
ucc_info -A lists them. Names are given, not numbers. Radices are set for the whole library
(UCC_TL_UCP_<OPERATION>_KN_RADIX) and are no options here.
Forced by UCC_TL_UCP_TUNE=<operation>:@name:inf, where Open MPI is told to call UCC first.
Restrictions: without the one-sided algorithms, which need memory mapped by the caller; without
those of GPUs and DPUs.
"""

from collections.abc import Mapping
from typing import ClassVar

from contend.libraries.algorithm import LibraryAlgorithm
from contend.libraries.library import Library
from contend.libraries.version import Version

_one = LibraryAlgorithm
PRIORITY = "100"  # above coll/han and coll/tuned


class UCC(Library):
    """Unified Collective Communication."""

    name = "ucc"
    title = "UCC"
    says = r"\bUCC\s+(?:version\s+)?v?(\d[\d.]*)"
    oldest = (1, 3)
    one_for_all_sizes = frozenset(("alltoallv",))
    table: ClassVar[tuple[LibraryAlgorithm, ...]] = (
        _one("bcast", "knomial"),
        _one("bcast", "sag_knomial"),
        _one("bcast", "dbt"),
        _one("alltoall", "pairwise"),
        _one("alltoall", "bruck", catalogue="bruck"),
        _one("alltoallv", "pairwise"),
        _one("alltoallv", "hybrid"),
        _one("allgather", "knomial"),
        _one("allgather", "ring", catalogue="ring"),
        _one("allgather", "neighbor", catalogue="neighbour_exchange", ranks="even"),
        _one("allgather", "bruck"),
        _one("allgather", "sparbit"),
        _one("reduce", "knomial"),
        _one("reduce", "dbt"),
        _one("allreduce", "knomial"),
        _one("allreduce", "sra_knomial"),
    )

    def forcing(
        self, algorithm: LibraryAlgorithm, options: Mapping[str, int], version: Version
    ) -> dict[str, str]:
        """UCC_TL_UCP_TUNE, and what makes Open MPI call UCC."""
        self.require_options(algorithm, options)
        return {
            "UCC_TL_UCP_TUNE": f"{algorithm.operation}:@{algorithm.name}:inf",
            "OMPI_MCA_coll_ucc_enable": "1",
            "OMPI_MCA_coll_ucc_priority": PRIORITY,
        }
