"""Rules of coll/tuned of Open MPI 5.0: a classic file, from 5.0.7 on with a version line.

Restrictions: algorithms that are forced by MCA parameters beat the file. coll/han, whose priority
is higher, has to be taken out for the collectives that it has; it has no all-to-all.
"""

from contend.exports.openmpi.classic_format import Classic
from contend.exports.openmpi.collectives import VERSION_LINE, VERSION_WORD
from contend.libraries import version_text


class OpenMPI5(Classic):
    """The classic file of 5.0."""

    name = "openmpi-5"
    title = "classic rules file of Open MPI 5.0"
    first = (5,)
    end = (6,)

    def version_in(self, text: str) -> str:
        """The version of a file of contend's, or the first that knows the version line."""
        knows = version_text(VERSION_LINE) if text.startswith(VERSION_WORD) else ""
        return super().version_in(text) or knows
