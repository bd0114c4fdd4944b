"""Section of the page: one operation by one algorithm."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from contend.models.explanation.table import sentences
from contend.models.network import Operation
from contend.models.prediction.validate import summary
from contend.models.prediction.verdict import verdict
from contend.report import tables, text
from contend.report.canvas.drawing import Drawing
from contend.report.canvas.markup import Html, Part, element, paragraphs, raw
from contend.report.figures.figure import Findings, drawings_of
from contend.report.section import lead, remark, shown

COMPARED = (
    "Forms are compared on the points that none of them has seen, where the lowest median is in "
    "bold; on points of its own a form that was given more to fit is judged on fewer."
)


def operations(findings: Findings) -> Iterator[Part]:
    drawings = defaultdict(list)
    for drawing in drawings_of(findings, "operation"):
        drawings[drawing.subject].append(drawing)
    for number, operation in enumerate(findings.operations, start=1):
        structure = sentences(findings.network, operation)
        content = section(operation, drawings[operation.title], structure)
        yield Part(f"operation-{number}", operation.title, content)


def section(
    operation: Operation, drawings: Sequence[Drawing], structure: Sequence[str] = ()
) -> Html:
    which = [text.sentence(verdict(operation).reason)] if operation.forms else []
    words = [*text.signature(operation), *which, text.accuracy(operation)]
    parts = [lead(paragraphs([*words, *text.between_launches(operation)]))]
    if structure:
        items = (element("li", each) for each in structure)
        parts += [element("h3", "What changes with n and m"), element("ul", *items)]
    if operation.forms:
        parts += [shown(drawings), _missing(operation), _comparison(operation)]
        parts += [element("h3", "Fitted parameters"), tables.parameters(operation)]
    return raw(*parts)


def _missing(operation: Operation) -> Html:
    """What could be drawn of a file that holds more."""
    missing = [text.NO_POINTS] if operation.measured is None else []
    missing += [text.NO_SIGNATURES] if operation.signatures is None else []
    return raw(*map(remark, missing))


def _comparison(operation: Operation) -> Html:
    heading, errors = element("h3", "Every form on unseen points"), summary(operation)
    if errors.empty:
        return raw(heading, element("p", text.NOT_VALIDATED))
    return raw(heading, remark(COMPARED), tables.errors(operation, errors))
