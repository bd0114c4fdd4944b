"""Section of the page: which algorithm of each collective operation is predicted to be fastest."""

from collections.abc import Iterator, Sequence

from contend.canvas.drawing import Drawing
from contend.canvas.inline import on_page
from contend.canvas.markup import Html, element, raw
from contend.figures.figure import Findings, drawings_of
from contend.report.section import Part, Section

LEAD = (
    "Predicted from the pLogP parameters of this network for messages that do not meet, each "
    "algorithm with its best segment and degree: what was measured of the library counts more. "
    "Point at a cell for its options, its time and what comes second. "
    "Hatched: the intervals of the best and the second overlap, so that there is no significant "
    "difference between them."
)


class Decisions(Section):
    """Maps of the fastest algorithm."""

    name = "decisions"
    order = 60

    def parts(self, findings: Findings) -> Iterator[Part]:
        """Where the network has parameters for any of the operations shown."""
        if maps := drawings_of(findings, self.name):
            yield Part(self.name, "Without contention", section(maps))


def section(maps: Sequence[Drawing]) -> Html:
    """Maps beside each other."""
    return element(
        "section",
        element("h2", "Which algorithm is the fastest without contention"),
        element("p", LEAD, class_="remark"),
        element("div", *(_map(drawing) for drawing in maps), class_="beside"),
        id="decisions",
    )


def _map(drawing: Drawing) -> Html:
    title = element("p", element("strong", drawing.title), " ", element("small", drawing.remark))
    return element("div", raw(title, on_page(drawing)))
