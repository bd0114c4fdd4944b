"""Figure: measured contention graphs, those predicted best, like the middle one, and worst."""

from collections.abc import Iterator

from contend.base.number_text import percent
from contend.base.units import format_bytes
from contend.report.canvas.drawing import Drawing
from contend.report.figures.figure import Findings
from contend.report.figures.flows import flow_drawing
from contend.simulate.graphs.examples import Example, examples

PLACES = {1: ("best",), 2: ("best", "worst"), 3: ("best", "like the middle one", "worst")}


def graph_examples(findings: Findings) -> Iterator[Drawing]:
    """Draw graphs that were measured and that the network's sharing model was fitted to."""
    sharing = findings.network.sharing
    if sharing and findings.graphs and (shown := examples(sharing, findings.graphs)):
        for place, example in zip(PLACES[len(shown)], shown, strict=True):
            yield _drawing(example, f"Predicted {place} by {sharing.model}, fitted to all graphs")


def _drawing(example: Example, place: str) -> Drawing:
    graph = example.graph
    note = (
        f"{place}: {len(graph.edges)} messages of {format_bytes(graph.m)}, {len(graph.ends)} "
        f"repetitions; off by {percent(example.error)} on average"
    )
    return flow_drawing(example.solution, graph.name, note, graph.seconds, subject=graph.name)
