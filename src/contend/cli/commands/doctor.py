"""contend doctor: what this machine offers, and what to do about what is missing."""

from contend.api import examine
from contend.cli.options import Mpiexec
from contend.cli.result import Result

ORDER = 1
PANEL = "Start"
EXAMPLE = "contend doctor"


def command(mpiexec: Mpiexec = None) -> Result:
    """Say what this machine offers, and what to do about what is missing.

    Exit code 0 when contend can measure here.
    """
    return examine(mpiexec=mpiexec)
