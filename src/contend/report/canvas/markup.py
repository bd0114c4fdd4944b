"""HTML in which text from data cannot become markup, and whole pages in need of nothing else.

Only `element`, `raw` and templates make `Html`; every other text is escaped when it becomes a child
or an attribute of an element.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

if TYPE_CHECKING:
    from jinja2 import Environment


Html = Markup  # text that is markup already


def raw(*parts: object) -> Html:
    """Parts one after the other; those that are not `Html` are escaped.

    >>> print(raw("1 < 2", Html("<br>")))
    1 &lt; 2<br>
    """
    return Html("").join(map(escape, parts))


def element(name: str, *children: object, **attributes: object) -> Html:
    """Element with its children; `class_` stands for class, `aria_label` for aria-label.

    >>> print(element("p", "a & b", class_="lead"))
    <p class="lead">a &amp; b</p>
    """
    written = "".join(
        f' {key.strip("_").replace("_", "-")}="{escape(value)}"'
        for key, value in attributes.items()
    )
    return Html(f"<{name}{written}>{raw(*children)}</{name}>")


def paragraphs(sentences: Iterable[object], **attributes: object) -> Html:
    return raw(*(element("p", sentence, **attributes) for sentence in sentences))


def table(
    head: Html | Sequence[object], rows: Iterable[Html | Sequence[object]], class_: str = "numbers"
) -> Html:
    """Table in a box of its own that scrolls when the page is narrow; a row's first cell heads it.

    What is `Html` in the place of cells is rows as they are.
    """
    return Html(rendered("table.html", head=head, rows=list(rows), class_=class_))


def facts(terms: Iterable[tuple[str, object]], class_: str = "facts") -> Html:
    """List of names and what is known of each."""
    pairs = (raw(element("dt", name), element("dd", value)) for name, value in terms)
    return element("dl", *pairs, class_=class_)


def details(summary: object, *children: object) -> Html:
    """Content that is folded until it is asked for."""
    return element("details", element("summary", summary), *children)


def rendered(template: str, **values: object) -> str:
    """A template of `assets` with its values, which are escaped where they are no `Html`."""
    return str(_templates().get_template(template).render(values))


@cache
def _templates() -> "Environment":
    from jinja2 import Environment, FunctionLoader

    return Environment(autoescape=True, loader=FunctionLoader(asset))


def asset(name: str) -> str:
    return files(__package__).joinpath("assets").joinpath(name).read_text(encoding="utf-8")


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
