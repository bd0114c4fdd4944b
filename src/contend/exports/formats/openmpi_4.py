"""Rules of coll/tuned of Open MPI 4.1: a classic file without version line.

Restrictions: four numbers a rule; the most requests of "linear_sync" are one MCA parameter for all
calls. The file beats algorithms that are forced by MCA parameters.
"""

from contend.exports.openmpi.classic_format import Classic


class OpenMPI4(Classic):
    """The classic file of 4.1."""

    name = "openmpi-4"
    title = "classic rules file of Open MPI 4.1"
    first = (4, 1)
    end = (5,)
