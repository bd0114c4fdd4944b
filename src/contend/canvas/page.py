"""A page of HTML in need of nothing else, by the template of all pages."""

from collections.abc import Sequence
from dataclasses import dataclass

from contend.canvas.markup import Html, asset, rendered


@dataclass(frozen=True)
class Part:
    """A section of a page that has an entry in its contents.

    The heading is the title; where another is given that one, and none where it is empty.
    """

    anchor: str
    title: str
    content: Html
    heading: str | None = None


def whole(
    title: str, lead: Html, parts: Sequence[Part] = (), heading: str = "", kind: str = ""
) -> str:
    """A page with its heading, what leads it, and its sections with their contents."""
    return rendered(
        "page.html", style=Html(asset("page.css")), title=title, heading=heading or title,
        kind=kind, lead=lead, parts=parts,
    )  # fmt: skip
