"""A decision map as a file: a figure for papers, or a page to point at."""

from pathlib import Path

from contend.choose import DecisionMap
from contend.errors import InvalidInputError
from contend.report.figures.decision import decision_figure
from contend.report.figures.write import RESOLUTION
from contend.report.page import whole
from contend.report.sections import decisions
from contend.schedules import COLLECTIVES
from contend.wholefile import replacing, write_whole

SUFFIXES = (".svg", ".png", ".pdf", ".html")
_UNDATED = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}


def check_name(path: Path) -> Path:
    """The path, if a map can be written as such a file."""
    if path.suffix not in SUFFIXES:
        raise InvalidInputError(
            f"a picture as {path.suffix or path.name!r}", f"use {', '.join(SUFFIXES)}"
        )
    return path


def write_map(found: DecisionMap, network: str, path: Path) -> None:
    """Write a map of the network of that name.

    Raises
    ------
    InvalidInputError
        For a name with another ending, or a map with a size of 0 B.
    StorageError
        When the file cannot be written.
    """
    title = f"{COLLECTIVES[found.collective].title} on {network}: predicted fastest"
    if check_name(path).suffix == ".html":
        write_whole(path, whole(title, decisions.of_maps([found])))
        return
    with replacing(path) as new:
        metadata = _UNDATED.get(path.suffix)
        decision_figure(found, title).savefig(new, dpi=RESOLUTION, metadata=metadata)
