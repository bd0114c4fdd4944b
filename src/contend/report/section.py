"""What a section of a page is, and what all sections are made from."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from contend.report.canvas.drawing import Drawing
from contend.report.canvas.inline import on_page
from contend.report.canvas.markup import Html, Part, element, raw

Parts = Callable[[Any], Iterable[Part]]  # of `Findings` for a report, of an `Account` for a replay


def part(
    name: str, title: str, content: Callable[[Any], Iterable[Html]], heading: str | None = None
) -> Parts:
    """A section of one part, which is left out where it has no content.

    `title` stands in the contents, and above the section where there is no heading.
    """

    def parts(subject: Any) -> Iterator[Part]:
        if shown := list(content(subject)):
            yield Part(name, title, raw(*shown), heading)

    return parts


def parts_of(subject: Any, sections: Iterable[Parts]) -> list[Part]:
    return [part for section in sections for part in section(subject)]


def shown(drawings: Iterable[Drawing]) -> Html:
    """Drawings of a section, each with its title and its remark."""
    titled = (
        (element("h3", drawing.title), remark(drawing.remark), on_page(drawing))
        for drawing in drawings
    )
    return raw(*(raw(*parts) for parts in titled))


def remark(text: object) -> Html:
    """A paragraph that explains, in a lighter colour; nothing where there is no text."""
    return element("p", text, class_="remark") if text else raw()


def lead(*content: object) -> Html:
    return element("div", *content, class_="lead")
