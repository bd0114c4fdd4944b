"""Edge lists: a line per flow: source, destination, bytes, perhaps start and latency.

Source: the edge lists of networkx: words with spaces between, `#` begins a comment; instead of
numbers an edge may have its attributes in braces, as networkx.write_edgelist writes them.
Restrictions: names of hosts hold no space; all lines have as many words. A square matrix is no edge
list: `contend.simulate.flows.matrix` tells them apart.
"""

import pandas as pd

from contend.base.errors import FileFormatError
from contend.simulate.flows.networkx_graph import table_of
from contend.simulate.flows.reader import FlowReader

_NAMES = ("src", "dst", "bytes", "start", "latency")
_REMEDY = "write: source destination bytes, and perhaps start and latency"


class EdgeListReader(FlowReader):
    name = "edgelist"
    title = "edge list: source destination bytes"
    suffixes = (".edgelist", ".edges", ".txt")
    may_be_matrix = True

    def read(self, text: str) -> pd.DataFrame:
        bare = (line.partition("#")[0].strip() for line in text.splitlines())
        lines = [(number, line) for number, line in enumerate(bare, start=1) if line]
        if any("{" in line for _, line in lines):
            return _with_attributes(lines)
        rows = [line.split() for _, line in lines]
        count = len(rows[0]) if rows else len(_NAMES)
        for (number, line), row in zip(lines, rows, strict=True):
            if len(row) != count or not len(_NAMES[:3]) <= count <= len(_NAMES):
                raise FileFormatError(f"line {number} is {line[:60]!r}", _REMEDY)
        return pd.DataFrame(rows, columns=list(_NAMES[:count]), dtype=str)


def _with_attributes(lines: list[tuple[int, str]]) -> pd.DataFrame:
    import networkx as nx

    rows = []
    for number, line in lines:
        try:
            graph = nx.parse_edgelist([line], create_using=nx.MultiDiGraph, data=True)
            rows.append(table_of(graph).iloc[0].to_dict())
        except (TypeError, ValueError, SyntaxError, LookupError, RecursionError, MemoryError):
            raise FileFormatError(
                f"line {number} is {line[:60]!r}", "write: source destination {'bytes': 1024}"
            ) from None
    return pd.DataFrame(rows)
