"""contend exchange library: where the library is that programs preload."""

from pathlib import Path

from contend.cli.options import Mpicc, option
from contend.cli.result import Line, Result
from contend.measure.launcher import LaunchCommand
from contend.measure.preload import fitting_library, library_by_wrapper

ORDER = 1
EXAMPLE = "export CONTEND_EXCHANGE=1 LD_PRELOAD=$(contend exchange library)"


def command(
    mpicc: Mpicc = None,
    check_program: Path | None = option(
        "The library for the MPI that this program needs.", "--check-program"
    ),
) -> Result:
    """Print the path of the library that programs preload, built if it is not there.

    It does nothing but what variables say: CONTEND_EXCHANGE=1 serves all-to-all exchanges.

    Programs of the MPI-5 ABI (mpicc_abi) have one that is built with contend.
    """
    if check_program is None:
        library = library_by_wrapper(mpicc)
    else:
        launch = LaunchCommand((str(check_program.absolute()),), None, "unknown", 0)
        library = fitting_library(launch, mpicc)
    path, mpi = library.path, library.mpi
    return Result({"library": path, "mpi": mpi.title, "mpicc": mpi.mpicc}, [Line(str(path))])
