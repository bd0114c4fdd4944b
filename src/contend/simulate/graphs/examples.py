"""Measured contention graphs for the page: errors by number of messages, and a few to look at."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from contend.samples.messages import MessageSample
from contend.samples.quality import undisturbed
from contend.simulate.flows.engine import Solution
from contend.simulate.graphs.measurements import MeasuredGraph, measured_graphs
from contend.simulate.graphs.record import FittedSharing

MOST_EDGES = 12  # of a graph to look at


@dataclass(frozen=True, eq=False)
class Example:
    """A measured graph as a model of the network predicts it; `error` is its messages' average."""

    graph: MeasuredGraph
    solution: Solution
    error: float


def errors_by_edges(sharing: FittedSharing) -> pd.DataFrame | None:
    """Errors on graphs that a model has not seen, a row per model and number of edges.

    Columns: model, edges, graphs, average, worst_graph, worst. None where the network file does
    not hold them.
    """
    if sharing.by_edges is None:
        return None
    return pd.DataFrame([row.model_dump() for row in sharing.by_edges])


def examples(sharing: FittedSharing, samples: Sequence[MessageSample]) -> list[Example]:
    """The graphs that the network's model predicts best, like the middle one, and worst.

    Of those with up to `MOST_EDGES` messages, two of which meet; fewer where there are no three.
    """
    graphs = [
        graph for graph in measured_graphs(undisturbed(samples, "graphs")) if _is_shown(graph)
    ]
    ranked = sorted(
        (_example(sharing, graph) for graph in graphs), key=lambda example: example.error
    )
    chosen = sorted({0, len(ranked) // 2, len(ranked) - 1}) if ranked else []
    return [ranked[number] for number in chosen]


def _is_shown(graph: MeasuredGraph) -> bool:
    hosts = {host for edge in graph.edges for host in edge}
    return len(graph.edges) <= MOST_EDGES and len(hosts) < 2 * len(graph.edges)


def _example(sharing: FittedSharing, graph: MeasuredGraph) -> Example:
    src, dst = zip(*graph.edges, strict=True)
    flows = {"src": np.array(src), "dst": np.array(dst), "bytes": np.full(len(src), graph.m)}
    solution, _ = sharing.solve(flows, is_recorded=True)
    error = float(np.mean(np.abs(solution.end / graph.seconds - 1.0)))
    return Example(graph, solution, error)
