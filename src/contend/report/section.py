"""What a section of the page is, and what all sections are made from."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from contend.canvas.drawing import Drawing
from contend.canvas.inline import on_page
from contend.canvas.markup import Html, element, raw
from contend.figures.figure import Findings
from contend.registry import Registry


@dataclass(frozen=True)
class Part:
    """A piece of the page that has an entry in its contents."""

    anchor: str
    title: str
    html: Html


class Section(ABC):
    """Base of the sections; a module in `report/sections` that defines a subclass is one."""

    name: ClassVar[str]
    order: ClassVar[int]  # on the page, from the top

    @abstractmethod
    def parts(self, findings: Findings) -> Iterable[Part]:
        """What it shows of the findings: nothing where there is nothing to say."""


SECTIONS: Registry[Section] = Registry("section of the page", Section, "contend.report.sections")


def parts_of(findings: Findings) -> list[Part]:
    """All parts of the page, from the top."""
    ordered = sorted(SECTIONS.all(), key=lambda section: (section.order, section.name))
    return [part for section in ordered for part in section.parts(findings)]


def shown(drawings: Iterable[Drawing]) -> Html:
    """Drawings of a section, each with its title and its remark."""
    return raw(
        *(
            raw(
                element("h3", drawing.title),
                element("p", drawing.remark, class_="remark") if drawing.remark else "",
                on_page(drawing),
            )
            for drawing in drawings
        )
    )
