"""What a section of a page is, and what all sections are made from."""

from collections.abc import Iterable, Iterator
from typing import Any, ClassVar

from contend.canvas.drawing import Drawing
from contend.canvas.inline import on_page
from contend.canvas.markup import Html, Part, element, raw
from contend.registry import Registry


class Section:
    """Base of the sections; a module in `report/sections` that defines a subclass is one.

    What a page is about is `Findings` for a report, an `Account` for a replay.
    """

    name: ClassVar[str]
    title: ClassVar[str]  # in the contents, and above the section where there is no heading
    heading: ClassVar[str | None] = None
    page: ClassVar[str] = "report"
    order: ClassVar[int]  # on its page, from the top

    def content(self, subject: Any) -> Iterator[Html]:
        """What it shows below its heading: nothing where there is nothing to say."""
        yield from ()

    def parts(self, subject: Any) -> Iterator[Part]:
        """Itself; sections of several things yield a part for each."""
        if content := list(self.content(subject)):
            yield Part(self.name, self.title, raw(*content), self.heading)


SECTIONS: Registry[Section] = Registry("section of a page", Section, "contend.report.sections")


def parts_of(subject: Any, page: str = "report") -> list[Part]:
    """All parts of a page, from the top."""
    own = [section for section in SECTIONS.all() if section.page == page]
    ordered = sorted(own, key=lambda section: (section.order, section.name))
    return [part for section in ordered for part in section.parts(subject)]


def shown(drawings: Iterable[Drawing]) -> Html:
    """Drawings of a section, each with its title and its remark."""
    titled = ((element("h3", one.title), remark(one.remark), on_page(one)) for one in drawings)
    return raw(*(raw(*parts) for parts in titled))


def remark(text: object) -> Html:
    """A paragraph that explains, in a lighter colour; nothing where there is no text."""
    return element("p", text, class_="remark") if text else raw()


def lead(*content: object) -> Html:
    """What a section says first."""
    return element("div", *content, class_="lead")
