"""Flows of a networkx graph, and results back on its edges.

A node is a host, an edge a flow; edges of a MultiDiGraph may be parallel. Attributes of an edge
have the names of the columns, `bytes` above all; others are left alone.
"""

from typing import TYPE_CHECKING, Any

import pandas as pd

from contend.base.errors import InvalidInputError
from contend.simulate.flows.columns import ALIASES, COLUMNS

if TYPE_CHECKING:
    import networkx as nx


def is_graph(thing: Any) -> bool:
    return hasattr(thing, "is_directed") and hasattr(thing, "edges")


def hosts_of(graph: "nx.DiGraph") -> list[str]:
    names = [str(node) for node in graph.nodes]
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise InvalidInputError(f"two nodes are {twice!r} as text", "rename one")
    return names


def table_of(graph: "nx.DiGraph") -> pd.DataFrame:
    """A row per edge in the order of `graph.edges`, columns as the attributes name them."""
    if not graph.is_directed():
        raise InvalidInputError(
            "the edges of the graph have no direction",
            "give a MultiDiGraph, or edgedefault directed",
        )
    edges = list(graph.edges(data=True))
    attributes = {*COLUMNS, *ALIASES} - {"src", "dst", "source", "target", "destination"}
    names = dict.fromkeys(name for _, _, data in edges for name in data if name in attributes)
    columns: dict[str, list[Any]] = {
        "src": [str(src) for src, _, _ in edges],
        "dst": [str(dst) for _, dst, _ in edges],
    }
    for name in names:
        first = 0 if name in ("start", "latency") else None
        columns[name] = [data.get(name, first) for _, _, data in edges]
    return pd.DataFrame({name: pd.Series(values, dtype=object) for name, values in columns.items()})
