"""The all-to-all algorithms of MPI libraries, and the variables that force each.

Source: coll/tuned of Open MPI 4.1 and 5.0; the control variables of MPICH 4 and 5. The algorithm
for two processes of the one and that for exchanges in place of the other are left out.
"""

import re

from contend.errors import InvalidInputError
from contend.measure.mpi import MPI
from contend.samples.setting import NATIVE

PREFIX = f"{NATIVE}:"  # of the library's own algorithms by name; NATIVE alone is its own choice
_OPEN_MPI = {"linear": 1, "pairwise": 2, "modified_bruck": 3, "linear_sync": 4}
_MPICH = {"brucks": (0, 0), "k_brucks": (4, 3), "pairwise": (0, 0), "scattered": (0, 0)}  # since


def native_names(mpi: MPI) -> list[str]:
    """What an MPI library can be forced to, as it is called here; empty for an unknown library.

    >>> native_names(MPI("mpicc", ("mpiexec",), "MPICH", "4.0.2"))
    ['native:brucks', 'native:pairwise', 'native:scattered']
    """
    if mpi.family == "Open MPI":
        return [PREFIX + name for name in _OPEN_MPI]
    if mpi.family != "MPICH":
        return []
    version = tuple(int(part) for part in re.findall(r"\d+", mpi.version)[:2])
    return [PREFIX + name for name, since in _MPICH.items() if version >= since]


def native_variables(mpi: MPI, name: str) -> dict[str, str]:
    """Environment of ranks that use the algorithm of that name; nothing for the library's choice.

    >>> native_variables(MPI("mpicc", ("mpiexec",), "MPICH", "5.0.2"), "native:pairwise")
    {'MPIR_CVAR_ALLTOALL_INTRA_ALGORITHM': 'pairwise'}
    """
    if name == NATIVE:
        return {}
    if name not in native_names(mpi):
        raise InvalidInputError(
            f"{mpi.title} cannot be forced to {name!r}",
            f"choose from {', '.join([NATIVE, *native_names(mpi)])}",
        )
    own = name.removeprefix(PREFIX)
    if mpi.family == "MPICH":
        return {"MPIR_CVAR_ALLTOALL_INTRA_ALGORITHM": own}
    return {
        "OMPI_MCA_coll_tuned_use_dynamic_rules": "1",
        "OMPI_MCA_coll_tuned_alltoall_algorithm": str(_OPEN_MPI[own]),
    }
