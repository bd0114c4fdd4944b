"""Rules of coll/tuned of Open MPI 4.1: a classic file without version line.

Restrictions: four numbers a rule; the most requests of "linear_sync" are one MCA parameter for all
calls. The file beats algorithms that are forced by MCA parameters.
"""

from contend.tune.exports.formats.openmpi_5 import OpenMPI5
from contend.tune.exports.openmpi.format import OpenMPIFormat


class OpenMPI4(OpenMPI5):
    name = "openmpi-4"
    title = "classic rules file of Open MPI 4.1"
    first = (4, 1)
    end = (5,)

    def version_in(self, text: str) -> str:
        """The version of a file of contend's; a version line is of 5.0."""
        return OpenMPIFormat.version_in(self, text)
