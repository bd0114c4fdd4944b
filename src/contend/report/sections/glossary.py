"""Sections of the page: the words it uses, and what to cite."""

import tomllib
from collections.abc import Iterator
from importlib.resources import files

from contend import __version__
from contend.models.signature import FORMS
from contend.report.canvas.markup import Html, element, facts
from contend.report.figures.figure import Findings

CITATION = (
    "L. A. Steffenel, M. Martinasso, D. Trystram: Assessing Contention Effects on MPI_Alltoall "
    "Communications. Grid and Pervasive Computing (GPC 2007), LNCS 4459, pp. 424–435, 2007."
)


def glossary(findings: Findings) -> Iterator[Html]:
    terms = files(__package__).joinpath("glossary.toml").read_text(encoding="utf-8")
    yield facts(tomllib.loads(terms).items(), class_="terms")


def citation(findings: Findings) -> Iterator[Html]:
    names = {name for operation in findings.network.operations for name in operation.forms}
    sources = sorted({FORMS.get(name).source for name in names} - {"common practice"})
    forms = f"Forms of this page: {'; '.join(sources)}."
    yield element("p", f"contend {__version__}; for the signature: {CITATION} {forms}")
