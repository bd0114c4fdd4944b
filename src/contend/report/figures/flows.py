"""Drawing of solved messages: the contention graph, and what happens over time.

>>> from contend.simulate.flows.engine import solve
>>> flows = {"src": ["a", "b"], "dst": ["c", "c"], "bytes": [8, 8]}
>>> solution = solve(flows, bandwidth=8.0, is_recorded=True)
>>> [panel.title for panel in flow_drawing(solution, "two into one").panels]
['Messages', 'Rates over time']
"""

from numpy.typing import ArrayLike

from contend.report.canvas.drawing import Drawing
from contend.report.canvas.palette import SERIES
from contend.report.figures.contention_graph import contention_graph, too_large
from contend.report.figures.gantt import MOST_MESSAGES, MOST_WITH_PENALTIES, gantt
from contend.report.figures.link_load import host_load
from contend.simulate.flows.engine import Solution
from contend.simulate.flows.messages import Messages, messages

WIDTH, BESIDE, ABOVE = 7.5, 3.2, 5.4  # inches, of all, of a graph beside and above its chart
FEW_HOSTS, FEW_MESSAGES = 12, 12  # whose graph has room beside the chart
LEAST_HEIGHT, MOST_HEIGHT = 2.0, 6.8  # inches, of a graph
ROOM = 1.5  # square inches of a graph for each host


def flow_drawing(
    solution: Solution,
    title: str,
    note: str = "",
    measured: ArrayLike | None = None,
    subject: str = "",
) -> Drawing:
    """Graph and chart of a solution, side by side where both have room.

    Parameters
    ----------
    solution
        Of `solve` with `is_recorded=True`.
    title, note
        What this is; under which model, bandwidth and sizes.
    measured
        End of each message in seconds, (n_flows,), to be marked beside the predicted ones.

    Raises InvalidInputError when the solution has no rates over time, or `measured` not one end per
    message.
    """
    graph = messages(solution, measured)
    is_small = len(graph) <= FEW_MESSAGES and len(graph.hosts) <= FEW_HOSTS
    width = WIDTH - BESIDE if is_small else WIDTH
    is_charted = len(graph) <= MOST_MESSAGES
    panels = [gantt(graph, width)] if is_charted else host_load(graph, width)
    if is_small:
        height = max(panels[0].height, LEAST_HEIGHT)
        panels.insert(0, contention_graph(graph, BESIDE, height))
    elif not too_large(graph):
        height = min(MOST_HEIGHT, max(LEAST_HEIGHT, ROOM * len(graph.hosts) / ABOVE))
        panels.insert(0, contention_graph(graph, ABOVE, height))
    remark = " ".join(filter(None, [f"{note}." * bool(note), *_explanation(graph)]))
    return Drawing(title, panels, remark, subject, columns=1 + is_small)


def _explanation(graph: Messages) -> list[str]:
    sentences = [too_large(graph)]
    if len(graph) <= MOST_MESSAGES:
        sentences.append("The height of a bar is the rate, its area what is moved.")
        if graph.source.any() and graph.source.max() < len(SERIES):
            sentences.append("Colours are sources.")
    if len(graph) <= MOST_WITH_PENALTIES:
        sentences.append(
            "×5 is a penalty: five times slower than alone; on an arrow the first one."
        )
    if len(graph) <= MOST_MESSAGES and graph.measured is not None:
        sentences.append("Per cent: predicted against measured.")
    return sentences
