"""What a report is of, and the drawings of it, for the page and for papers."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from contend.base.errors import InvalidInputError
from contend.base.wholefile import make_folder
from contend.measure.lab.utilisation import Utilisation
from contend.models.network import Network, Operation
from contend.models.signature import EXCHANGES
from contend.report.canvas.drawing import Drawing
from contend.report.canvas.files import write_for_paper
from contend.report.canvas.palette import MEASURED, SERIES
from contend.samples import Sample
from contend.samples.messages import MessageSample
from contend.samples.setting import OF_LIBRARY
from contend.tune.choose.decide import decide
from contend.tune.choose.rules import Decisions

FILES = (".png", ".svg")
LONGEST_NAME = 80  # file systems allow 255 bytes with what is added


@dataclass(frozen=True)
class Findings:
    """A network and what it was learnt from.

    `utilisation` is what the links of an emulated network carried meanwhile, `graphs` are measured
    contention graphs, `schedules` samples of algorithms of the catalogue.
    """

    network: Network
    samples: Sequence[Sample]
    utilisation: Sequence[Utilisation] = ()
    graphs: Sequence[MessageSample] = ()
    schedules: Sequence[Sample] = ()

    @property
    def operations(self) -> list[Operation]:
        """All but the algorithms of a library, which are shown beside its own choice."""
        operations = [
            operation
            for operation in self.network.operations
            if OF_LIBRARY not in operation.algorithm
        ]
        return operations or list(self.network.operations)

    def colour_of(self, operation: Operation) -> str:
        """Return an algorithm's colour, the same in all figures; a default has that of points."""
        if operation.is_default:
            return MEASURED
        alike = {
            rival.algorithm for rival in self.network.operations
            if rival.operation == operation.operation and not rival.is_default
        }  # fmt: skip
        others = [colour for colour in SERIES if colour != MEASURED]
        return others[sorted(alike).index(operation.algorithm) % len(others)]

    @property
    def exchanges(self) -> list[Operation]:
        """Operations that signatures are for and that some form was fitted to."""
        return [operation for operation in self.fitted if operation.operation in EXCHANGES]

    @property
    def fitted(self) -> list[Operation]:
        return [operation for operation in self.operations if operation.forms]

    @cached_property
    def decisions(self) -> Decisions | None:
        """What to take in the place of the library's own choices; None where none was measured."""
        try:
            return decide(self.network)
        except InvalidInputError:
            return None

    @cached_property
    def drawings(self) -> "list[Drawn]":
        """All drawings, those of one figure after those of another."""
        from contend.report.figures.table import FIGURES

        return [(place, name, drawing) for place, name, draw in FIGURES for drawing in draw(self)]


Drawn = tuple[str, str, Drawing]  # section of the page, name of the figure


def drawings_of(findings: Findings, section: str) -> list[Drawing]:
    """All drawings of a section of the page."""
    return [drawing for place, _, drawing in findings.drawings if place == section]


def write_figures(findings: Findings, folder: Path) -> list[Path]:
    """Paths of all figures as files for papers, without titles: captions are the author's."""
    make_folder(folder)
    drawn = findings.drawings
    stems = file_names([f"{drawing.subject} {name}" for _, name, drawing in drawn])
    paths: list[Path] = []
    for (*_, drawing), stem in zip(drawn, stems, strict=True):
        files = [folder / f"{stem}{suffix}" for suffix in FILES]
        write_for_paper(drawing, files)
        paths += files
    return paths


def file_names(titles: Sequence[str]) -> list[str]:
    """Names without anything that a file system may refuse or a shell interpret, all different.

    >>> file_names(["alltoall/native, 4 per node", "../alltoall native 4 per node", "/"])
    ['alltoall-native-4-per-node', 'alltoall-native-4-per-node-2', 'figure']
    """
    names: list[str] = []
    for title in titles:
        stem = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:LONGEST_NAME] or "figure"
        name, count = stem, 1
        while name in names:
            count += 1
            name = f"{stem}-{count}"
        names.append(name)
    return names
