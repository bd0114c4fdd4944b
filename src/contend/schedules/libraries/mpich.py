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
from typing import ClassVar

from contend.schedules.libraries.algorithm import LibraryAlgorithm, Version, table_of
from contend.schedules.libraries.library import Library

LENIENT = frozenset(("smp", "reduce_scatter_allgather"))
LARGEST_BLOCK = 2**25  # bytes; glibc adapts its thresholds to blocks up to this size
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
    name = "mpich"
    title = "MPICH"
    says = r"(?<!V)\bMPICH\s+(?:Version:\s*)?v?(\d[\d.]*)"
    oldest = (4, 0)
    one_for_all_sizes = frozenset(
        ("gather", "scatter", "gatherv", "scatterv", "alltoallv", "barrier", "scan", "exscan")
    )
    table: ClassVar[tuple[LibraryAlgorithm, ...]] = table_of("mpich")
    alongside: ClassVar[Mapping[str, str]] = {
        "MALLOC_MMAP_THRESHOLD_": str(LARGEST_BLOCK),
        "MALLOC_TRIM_THRESHOLD_": str(2 * LARGEST_BLOCK),
    }

    def forcing(
        self, algorithm: LibraryAlgorithm, options: Mapping[str, int], version: Version
    ) -> dict[str, str]:
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
    variable = _VARIABLES.get((algorithm.operation, option)) or _RADICES[algorithm.own_name]
    return variable.format(operation=algorithm.operation.upper())
