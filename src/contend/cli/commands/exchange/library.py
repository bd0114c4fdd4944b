"""contend exchange library: where the library is that programs preload."""

from contend.cli import output
from contend.cli.options import AsJson, Mpicc

ORDER = 1
EXAMPLE = "export LD_PRELOAD=$(contend exchange library)"


def command(mpicc: Mpicc = None, as_json: AsJson = False) -> None:
    """Print the path of the exchange library of an MPI, built if it is not there."""
    from contend.measure.build import exchange_library
    from contend.measure.mpi import find_mpi

    mpi = find_mpi(mpicc)
    path = exchange_library(mpi)
    if as_json:
        output.show_json({"library": str(path), "mpi": mpi.title, "mpicc": mpi.mpicc})
    else:
        print(path)
