"""A topology by a short word or from a file.

Words: `switch`, or `fat-tree:LEAVESxHOSTS`, `fat-tree:LEAVESxHOSTSxSPINES` and, with the factor of
oversubscription, `fat-tree:4x8x2:2`. Files: JSON (topology_file), SimGrid platforms (simgrid).
"""

import re
from pathlib import Path

from contend.document import read_document
from contend.errors import ContendError, FileFormatError, InvalidInputError
from contend.kinds import mistaken
from contend.sharing.reader import read_text
from contend.sharing.topology import FatTree, Topology

_TREE = re.compile(r"fat-tree:(\d{1,6})x(\d{1,6})(?:x(\d{1,6}))?(?::(\d+(?:\.\d+)?))?")
WORDS = "switch, fat-tree:LEAVESxHOSTS[xSPINES][:OVERSUBSCRIPTION], FILE.json or FILE.xml"


def topology_of(word: str, bandwidth: float | None = None) -> Topology | None:
    """The topology of a word or file; None for one switch of the hosts that occur.

    Parameters
    ----------
    bandwidth
        Bytes per second of the links of hosts; a fat tree by its word needs it.
    """
    if word == "switch":
        return None
    if word.startswith("fat-tree"):
        return _tree(word, bandwidth)
    return read_topology(word)


def read_topology(path: str | Path) -> Topology:
    """Topology of a file; FileFormatError names what is wrong with it."""
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix not in (".json", ".xml"):
        raise InvalidInputError(f"{str(path)!r} is no topology", f"give {WORDS}")
    text = read_text(path)
    if suffix == ".json":
        from contend.sharing.topology_file import TopologyFile

        try:
            return read_document(TopologyFile, text, str(path)).topology()
        except FileFormatError as error:
            raise mistaken(str(path), text, TopologyFile.schema_name) or error from None
    from contend.sharing.simgrid import read_platform

    try:
        return read_platform(text)
    except ContendError as error:
        raise FileFormatError(f"{path}: {error.message}", error.remedy) from None


def _tree(word: str, bandwidth: float | None) -> FatTree:
    match = _TREE.fullmatch(word)
    if match is None:
        raise InvalidInputError(
            f"{word!r} is no fat tree", "write fat-tree:4x8x2 or fat-tree:4x8x2:2"
        )
    if bandwidth is None:
        raise InvalidInputError(f"{word!r} has no bandwidth", "give --bandwidth")
    leaves, hosts, spines, oversubscription = match.groups()
    return FatTree(
        int(leaves), int(hosts), int(spines or 1), bandwidth, float(oversubscription or 1)
    )
