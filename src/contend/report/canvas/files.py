"""Drawings as files: SVG, PNG and PDF, and HTML to point at."""

import warnings
from collections.abc import Sequence
from pathlib import Path

from contend.base.errors import InvalidInputError
from contend.base.wholefile import replacing, write_whole
from contend.report.canvas.drawing import Drawing, settle
from contend.report.canvas.inline import NO_METADATA, on_page
from contend.report.canvas.markup import element, raw, whole
from contend.report.canvas.palette import look

SUFFIXES = (".svg", ".png", ".pdf", ".html")
RESOLUTION = 200  # dots per inch


def check_picture(path: Path) -> Path:
    """The path, if a drawing can be written as such a file."""
    if path.suffix not in SUFFIXES:
        raise InvalidInputError(
            f"a picture as {path.suffix or path.name!r}", f"use {', '.join(SUFFIXES)}"
        )
    return path


def write_picture(drawing: Drawing, path: Path) -> None:
    """Write a drawing with its title and its remark, as the ending of the path says.

    Raises InvalidInputError for another ending, StorageError when the file cannot be written.
    """
    check_picture(path)
    if path.suffix != ".html":
        _write(drawing, [path], drawing.title)
        return
    remark = element("p", drawing.remark, class_="remark") if drawing.remark else ""
    write_whole(path, whole(drawing.title, raw(remark, on_page(drawing))))


def write_for_paper(drawing: Drawing, paths: Sequence[Path]) -> None:
    """Write a drawing as files of any kind but HTML, without title and remark: captions have them.

    Raises StorageError when a file cannot be written.
    """
    _write(drawing, paths, "")


def _write(drawing: Drawing, paths: Sequence[Path], title: str) -> None:
    figure = drawing.figure(title)
    # What would differ from run to run is left out.
    kept = {".svg": {**NO_METADATA, "Title": drawing.title}, ".pdf": {"CreationDate": None}}
    with look(), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph")  # a box stands for the letter
        settle(figure)
        for path in paths:
            with replacing(path) as new:
                figure.savefig(new, dpi=RESOLUTION, metadata=kept.get(path.suffix))
