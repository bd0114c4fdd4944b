"""What a section of the page is, and what all sections are made from."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from contend.graphs.sample import GraphSample
from contend.lab.utilisation import Utilisation
from contend.network import Network
from contend.registry import Registry
from contend.report.markup import Html
from contend.samples import Sample


@dataclass(frozen=True)
class Findings:
    """A network and what it was learnt from.

    `utilisation` is what the links of an emulated network carried meanwhile, `graphs` are measured
    contention graphs, `schedules` samples of algorithms of the catalogue.
    """

    network: Network
    samples: Sequence[Sample]
    utilisation: Sequence[Utilisation] = ()
    graphs: Sequence[GraphSample] = ()
    schedules: Sequence[Sample] = ()


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
