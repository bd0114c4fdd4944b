"""Drawings as files: SVG, PNG and PDF, and HTML to point at."""

import warnings
from pathlib import Path

from contend.canvas.drawing import Drawing
from contend.canvas.inline import on_page, svg_file
from contend.canvas.markup import element, raw
from contend.canvas.page import whole
from contend.canvas.style import look
from contend.errors import InvalidInputError
from contend.wholefile import replacing, write_whole

SUFFIXES = (".svg", ".png", ".pdf", ".html")
RESOLUTION = 200  # dots per inch


def check_picture(path: Path) -> Path:
    """The path, if a drawing can be written as such a file."""
    if path.suffix not in SUFFIXES:
        raise InvalidInputError(
            f"a picture as {path.suffix or path.name!r}", f"use {', '.join(SUFFIXES)}"
        )
    return path


def write_picture(drawing: Drawing, path: Path, *, is_titled: bool = True) -> None:
    """Write a drawing as the ending of the path says, with its title unless a caption has it.

    Raises
    ------
    InvalidInputError
        For another ending.
    StorageError
        When the file cannot be written.
    """
    check_picture(path)
    if path.suffix == ".html":
        remark = element("p", drawing.remark, class_="remark") if drawing.remark else ""
        body = raw(element("h1", drawing.title), remark, on_page(drawing))
        write_whole(path, whole(drawing.title, body))
        return
    figure = drawing.figure(drawing.title if is_titled else "")
    if path.suffix == ".svg":
        with look():
            write_whole(path, svg_file(figure, drawing.title))
        return
    metadata = {"CreationDate": None} if path.suffix == ".pdf" else None
    with replacing(path) as new, look(), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph")  # a box stands for the letter
        figure.savefig(new, dpi=RESOLUTION, metadata=metadata)
