"""UCC: algorithms of its transport layer over UCP, which Open MPI calls as coll/ucc.

Source: ucc_base_coll_alg_info_t tables of src/components/tl/ucp/<operation>/<operation>.c, as
ucc_info -A lists them. Names are given, not numbers. The radix of an algorithm is a variable of its
own, for all its calls, or in a section of ucc.conf for those of some teams.
Forced by UCC_TL_UCP_TUNE=<operation>:@name:inf, where Open MPI is set to call UCC first.
Restrictions: without the one-sided algorithms, which need memory mapped by the caller; without
those of GPUs and DPUs.
"""

from collections.abc import Mapping
from typing import ClassVar

from contend.schedules.libraries.algorithm import LibraryAlgorithm, Version
from contend.schedules.libraries.library import Library

_one = LibraryAlgorithm
# What makes Open MPI call it, before coll/han and coll/tuned.
CALLED = {"OMPI_MCA_coll_ucc_enable": "1", "OMPI_MCA_coll_ucc_priority": "100"}
# Behind UCC_TL_UCP_; those that ucc_info -caf of 1.9.0 shows with ranges of sizes.
RADICES = {
    ("bcast", "knomial"): "BCAST_KN_RADIX", ("bcast", "sag_knomial"): "BCAST_SAG_KN_RADIX",
    ("allgather", "knomial"): "ALLGATHER_KN_RADIX", ("reduce", "knomial"): "REDUCE_KN_RADIX",
    ("allreduce", "knomial"): "ALLREDUCE_KN_RADIX",
    ("allreduce", "sra_knomial"): "ALLREDUCE_SRA_KN_RADIX",
}  # fmt: skip
RANGED = frozenset(
    ("ALLREDUCE_KN_RADIX", "ALLREDUCE_SRA_KN_RADIX", "ALLGATHER_KN_RADIX", "BCAST_SAG_KN_RADIX",
     "REDUCE_SRG_KN_RADIX")
)  # fmt: skip
PREFIX = "UCC_TL_UCP_"
K = ("k",)


class UCC(Library):
    name = "ucc"
    title = "UCC"
    says = r"\bUCC\s+(?:version\s+)?v?(\d[\d.]*)"
    oldest = (1, 3)
    one_for_all_sizes = frozenset(("alltoallv",))
    table: ClassVar[tuple[LibraryAlgorithm, ...]] = (
        _one("bcast", "knomial", options=K),
        _one("bcast", "sag_knomial", options=K),
        _one("bcast", "dbt"),
        _one("alltoall", "pairwise"),
        _one("alltoall", "bruck", catalogue="bruck"),
        _one("alltoallv", "pairwise"),
        _one("alltoallv", "hybrid"),
        _one("allgather", "knomial", options=K),
        _one("allgather", "ring", catalogue="ring"),
        _one("allgather", "neighbor", catalogue="neighbour_exchange", ranks="even"),
        _one("allgather", "bruck"),
        _one("allgather", "sparbit"),
        _one("reduce", "knomial", options=K),
        _one("reduce", "dbt"),
        _one("allreduce", "knomial", options=K),
        _one("allreduce", "sra_knomial", options=K),
    )

    def forcing(
        self, algorithm: LibraryAlgorithm, options: Mapping[str, int], version: Version
    ) -> dict[str, str]:
        """UCC_TL_UCP_TUNE, the radix, and what makes Open MPI call UCC."""
        self.require_options(algorithm, options)
        return {
            "UCC_TL_UCP_TUNE": f"{algorithm.operation}:@{algorithm.name}:inf",
            **radix(algorithm, options),
            **CALLED,
        }


def radix(algorithm: LibraryAlgorithm, options: Mapping[str, int]) -> dict[str, str]:
    """The variable that sets the radix of an algorithm, where one is given."""
    name = RADICES.get((algorithm.operation, algorithm.name))
    return {PREFIX + name: str(options["k"])} if name and "k" in options else {}
