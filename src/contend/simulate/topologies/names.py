"""A topology by a short word or from a file.

Words are those of the kinds, `switch`, `fat-tree:4x8x2:2`, and if wanted a routing, `@random:7`.
Files: JSON, SimGrid platforms.
"""

from pathlib import Path

from contend.base.document import read_document
from contend.base.errors import ContendError, FileFormatError, InvalidInputError
from contend.base.kinds import mistaken
from contend.base.textfile import read_text
from contend.simulate.topologies.kind import KINDS, NamedByWord
from contend.simulate.topologies.routing import routed
from contend.simulate.topologies.topology import Topology


def topology_of(word: str, bandwidth: float | None = None) -> Topology | None:
    """The topology of a word or file; None for one switch of the hosts that occur.

    Parameters
    ----------
    bandwidth
        Bytes per second of the links of hosts; words of several switches need it.
    """
    links, _, routing = word.partition("@")
    for kind in _named_by_word():
        if not kind.is_meant(links):
            continue
        network = kind.of_word(links, bandwidth)
        if routing and network is None:
            raise InvalidInputError(f"{word!r}: one switch has one path", f"leave out @{routing}")
        return network if network is None else routed(network, routing)
    return read_topology(word)


def read_topology(path: str | Path) -> Topology:
    path = Path(path)
    suffix = Path(path.name.lower().removesuffix(".gz")).suffix
    if suffix not in (".json", ".xml"):
        words = ", ".join(kind.syntax for kind in _named_by_word())
        raise InvalidInputError(
            f"{str(path)!r} is no topology", f"give {words}, FILE.json or FILE.xml"
        )
    text = read_text(path)
    if suffix == ".json":
        from contend.simulate.topologies.file import TopologyFile

        try:
            return read_document(TopologyFile, text, str(path)).topology()
        except FileFormatError as error:
            raise mistaken(str(path), text, TopologyFile.schema_name) or error from None
    from contend.simulate.topologies.simgrid.platform import read_platform

    try:
        return read_platform(text)
    except ContendError as error:
        raise FileFormatError(f"{path}: {error.message}", error.remedy) from None


def _named_by_word() -> list[NamedByWord]:
    return [kind for kind in KINDS.all() if isinstance(kind, NamedByWord)]
