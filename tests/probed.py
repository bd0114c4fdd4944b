"""The program of ours that calls what it is told to, launched as a user's program would be."""

from contend.measure.build import probe_program
from contend.measure.command import LaunchOptions, settings
from contend.measure.launcher import LaunchCommand, parse_launch
from contend.measure.mpi import MPI


def probe_launch(
    mpi: MPI, *calls: str, ranks: int = 4, options: tuple[str, ...] = ()
) -> LaunchCommand:
    """Its launch; `options` are of the launcher."""
    program = str(probe_program(mpi))
    return parse_launch([*mpi.launcher, *options, "-n", str(ranks), program, *calls])


def launch_settings(mpi: MPI, ranks: int = 4) -> dict[str, str]:
    """Environment variables by which so many ranks start on a small machine, and as root."""
    return settings(mpi, ranks, LaunchOptions())
