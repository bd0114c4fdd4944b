"""A page of HTML that works offline: the picture, and what is behind each shape of it.

It holds the picture twice, drawn for a wide and for a narrow window.
"""

from html import escape
from importlib.resources import files
from string import Template

from numpy.typing import ArrayLike

from contend.draw.compose import WIDTH, parts, stacked
from contend.draw.messages import messages
from contend.draw.style import sheet
from contend.draw.svg import svg
from contend.flows.engine import Solution

NARROW = 400.0  # pixels


def page(solution: Solution, title: str, note: str = "", measured: ArrayLike | None = None) -> str:
    """The page, whole and in need of nothing else; arguments and errors as of `drawing`."""
    found = messages(solution, measured)
    wide, narrow = (
        svg(stacked(title, width, parts(found, width)), has_style=False)
        for width in (WIDTH, NARROW)
    )
    text = files(__package__).joinpath("page.html").read_text(encoding="utf-8")
    return Template(text).substitute(
        title=escape(title), note=escape(note), style=sheet(), wide=wide, narrow=narrow
    )
