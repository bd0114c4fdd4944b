"""Rules of coll/tuned of Open MPI 5.0: a classic file, from 5.0.7 on with a version line.

Restrictions: algorithms that are forced by MCA parameters beat the file. coll/han, whose priority
is higher, has to be taken out for the collectives that it has; it has no all-to-all.
"""

from contend.exports.openmpi.classic_format import Classic


class OpenMPI5(Classic):
    """The classic file of 5.0."""

    name = "openmpi-5"
    title = "classic rules file of Open MPI 5.0"
    first = (5,)
    end = (6,)

    def recognises(self, text: str) -> bool:
        """Numbers and comments, or a version line."""
        head = text.lstrip()
        return head[:1].isdigit() or head[:1] == "#" or head.startswith("rule-file-version-")
