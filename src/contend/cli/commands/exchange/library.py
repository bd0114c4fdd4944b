"""contend exchange library: where the library is that programs preload."""

from pathlib import Path

from contend.cli.options import Mpicc, option
from contend.cli.result import Line, Result
from contend.measure.build import exchange_library
from contend.measure.launcher import LaunchCommand
from contend.measure.mpi import find_mpi
from contend.measure.preload import fitting_library

ORDER = 1
EXAMPLE = "export LD_PRELOAD=$(contend exchange library)"


def command(
    mpicc: Mpicc = None,
    check_program: Path | None = option(
        "The library for the MPI that this program needs.", "--check-program"
    ),
) -> Result:
    """Print the path of the exchange library of an MPI, built if it is not there."""
    if check_program is None:
        mpi = find_mpi(mpicc)
        path = exchange_library(mpi)
    else:
        launch = LaunchCommand((str(check_program.absolute()),), None, "unknown", 0)
        path, mpi = fitting_library(launch, mpicc)
    return Result({"library": path, "mpi": mpi.title, "mpicc": mpi.mpicc}, [Line(str(path))])
