"""Intel MPI: presets of its operations, by number.

Source: impi_info -v I_MPI_ADJUST_<OPERATION> of 2021.18, which says how many presets there are,
and the Developer Reference, which numbers those of the all-to-all: 1 Bruck, 2 isend/irecv,
3 pairwise, 4 Plum. A preset is an algorithm with its options; the others are not documented, so
they have no name but their number, and nothing of the catalogue is claimed to be the same.
Forced by I_MPI_ADJUST_<OPERATION>=number.
"""

from collections.abc import Mapping
from typing import ClassVar

from contend.schedules.libraries.algorithm import UNEVEN_IN_PLACE, LibraryAlgorithm, Version
from contend.schedules.libraries.library import Library

PRESETS = {  # the largest number of each operation in 2021.18
    "bcast": 22, "scatter": 5, "scatterv": 4, "gather": 5, "gatherv": 4, "allgather": 6,
    "allgatherv": 5, "alltoall": 18, "alltoallv": 9, "reduce": 19, "allreduce": 32,
    "reduce_scatter": 6, "reduce_scatter_block": 4, "barrier": 11, "scan": 3, "exscan": 3,
}  # fmt: skip
NAMES = {("alltoall", 1): "bruck", ("alltoall", 2): "isend_irecv", ("alltoall", 3): "pairwise",
         ("alltoall", 4): "plum"}  # fmt: skip
WRONG = {("reduce_scatter", 2): UNEVEN_IN_PLACE}
REORDERING = frozenset({("reduce_scatter_block", 2)})  # on 2, 4 and 8 ranks, seen by running


class IntelMPI(Library):
    name = "intel"
    title = "Intel MPI"
    says = r"Intel(?:\(R\))?\s*MPI(?:\s*Library)?\s+v?(\d[\d.]*)"
    oldest = (2021, 18)
    one_for_all_sizes = frozenset(("gatherv", "scatterv", "alltoallv", "barrier"))
    table: ClassVar[tuple[LibraryAlgorithm, ...]] = tuple(
        LibraryAlgorithm(
            operation, NAMES.get((operation, number), f"preset_{number}"), number,
            reorders_operands=(operation, number) in REORDERING,
            wrong_where=WRONG.get((operation, number), ""),
        )
        for operation, most in PRESETS.items()
        for number in range(1, most + 1)
    )  # fmt: skip

    def forcing(
        self, algorithm: LibraryAlgorithm, options: Mapping[str, int], version: Version
    ) -> dict[str, str]:
        self.require_options(algorithm, options)
        return {f"I_MPI_ADJUST_{algorithm.operation.upper()}": str(algorithm.number)}
