"""contend exchange library: where the library is that programs preload."""

from pathlib import Path

from contend.cli.options import Mpicc, option
from contend.cli.result import Line, Result
from contend.measure.launcher import LaunchCommand
from contend.measure.preload import fitting_library, library_by_wrapper

ORDER = 1
EXAMPLE = "export LD_PRELOAD=$(contend exchange library)"


def command(
    mpicc: Mpicc = None,
    check_program: Path | None = option(
        "The library for the MPI that this program needs.", "--check-program"
    ),
) -> Result:
    """Print the path of the exchange library of an MPI, built if it is not there.

    Programs of the MPI-5 ABI (mpicc_abi) have one that is built with contend.
    """
    if check_program is None:
        library = library_by_wrapper(mpicc)
    else:
        launch = LaunchCommand((str(check_program.absolute()),), None, "unknown", 0)
        library = fitting_library(launch, mpicc)
    path, mpi = library.path, library.mpi
    return Result({"library": path, "mpi": mpi.title, "mpicc": mpi.mpicc}, [Line(str(path))])
