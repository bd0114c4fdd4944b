"""Section of the page: which algorithm of each collective operation is predicted to be fastest."""

from collections.abc import Iterator

from contend.canvas.drawing import Drawing
from contend.canvas.inline import on_page
from contend.canvas.markup import Html, element
from contend.figures.figure import Findings, drawings_of
from contend.report.section import Section, remark

LEAD = (
    "Predicted from the pLogP parameters of this network for messages that do not meet, each "
    "algorithm with its best segment and degree: what was measured of the library counts more. "
    "Point at a cell for its options, its time and what comes second. "
    "Hatched: the intervals of the best and the second overlap, so that there is no significant "
    "difference between them."
)


class Decisions(Section):
    """Maps of the fastest algorithm, beside each other."""

    name = "decisions"
    title = "Without contention"
    heading = "Which algorithm is the fastest without contention"
    order = 60

    def content(self, findings: Findings) -> Iterator[Html]:
        """Where the network has parameters for any of the operations shown."""
        if maps := drawings_of(findings, self.name):
            yield remark(LEAD)
            yield element("div", *map(_map, maps), class_="beside")


def _map(drawing: Drawing) -> Html:
    title = element("p", element("strong", drawing.title), " ", element("small", drawing.remark))
    return element("div", title, on_page(drawing))
