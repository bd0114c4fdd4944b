"""Section of the page: one operation by one algorithm."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from contend.canvas.drawing import Drawing
from contend.canvas.markup import Html, element, paragraphs, raw
from contend.explanation.table import sentences
from contend.figures.figure import Findings, drawings_of
from contend.network import Operation
from contend.prediction.validate import summary
from contend.report import tables, text
from contend.report.section import Part, Section, shown

COMPARED = (
    "Forms are compared on the points that none of them has seen, where the lowest median is in "
    "bold; on points of its own a form that was given more to fit is judged on fewer."
)


class Operations(Section):
    """A part for each operation of the network."""

    name = "operation"
    order = 30

    def parts(self, findings: Findings) -> Iterator[Part]:
        """In the order of the file."""
        drawings = defaultdict(list)
        for drawing in drawings_of(findings, self.name):
            drawings[drawing.subject].append(drawing)
        for number, known in enumerate(findings.operations, start=1):
            anchor = f"{self.name}-{number}"
            said = sentences(findings.network, known)
            yield Part(anchor, known.title, section(known, drawings[known.title], anchor, said))


def section(
    operation: Operation, drawings: Sequence[Drawing], anchor: str, structure: Sequence[str] = ()
) -> Html:
    """What was found in words, drawings, errors and parameters."""
    heading = element("h2", operation.title)
    which = [text.which_form(operation)] if operation.forms else []
    lead = [*text.signature(operation), *which, text.accuracy(operation)]
    lead += text.between_launches(operation)
    parts = [heading, element("div", paragraphs(lead), class_="lead")]
    if structure:
        items = raw(*(element("li", said) for said in structure))
        parts += [element("h3", "What changes with n and m"), element("ul", items)]
    if operation.forms:
        parts += [shown(drawings), _missing(operation)]
        parts += [_comparison(operation), _parameters(operation)]
    return element("section", *parts, id=anchor)


def _missing(operation: Operation) -> Html:
    """What could be drawn of a file that holds more."""
    missing = [text.NO_POINTS] if operation.measured is None else []
    missing += [text.NO_SIGNATURES] if operation.signatures is None else []
    return paragraphs(missing, class_="remark")


def _comparison(operation: Operation) -> Html:
    heading, found = element("h3", "Every form on unseen points"), summary(operation)
    if found.empty:
        return raw(heading, element("p", text.NOT_VALIDATED))
    return raw(heading, element("p", COMPARED, class_="remark"), tables.errors(operation, found))


def _parameters(operation: Operation) -> Html:
    return raw(element("h3", "Fitted parameters"), tables.parameters(operation))
