"""GraphML: a node per host, a directed edge per flow with the attribute bytes.

Source: Brandes, Eiglsperger, Herman, Himsolt, Marshall, "GraphML progress report", 2001; read by
networkx.
Idea: attributes of an edge have the names of the columns; all others are left alone.
Restrictions: directed graphs, no hyperedges; edges between the same hosts have different ids, or
none. Entities are refused, as they can grow without end.
"""

import io
from xml.etree.ElementTree import ParseError

import pandas as pd

from contend.base.errors import FileFormatError
from contend.base.xml_text import parse_xml
from contend.simulate.flows.networkx_graph import table_of
from contend.simulate.flows.reader import FlowReader


class GraphmlReader(FlowReader):
    name = "graphml"
    title = "GraphML, directed, edges with the attribute bytes"
    suffixes = (".graphml",)

    def read(self, text: str) -> pd.DataFrame:
        import networkx as nx

        edges = sum(1 for element in parse_xml(text).iter() if element.tag.endswith("edge"))
        try:
            graph = nx.read_graphml(io.BytesIO(text.encode()), force_multigraph=True)
        except (nx.NetworkXException, ParseError, LookupError, TypeError, ValueError) as error:
            problem = " ".join(str(error).split()) or type(error).__name__
            raise FileFormatError(
                f"is no GraphML: {problem}", "write it as networkx.write_graphml does"
            ) from None
        if graph.number_of_edges() != edges:
            raise FileFormatError(
                f"{edges} edges are {graph.number_of_edges()} flows",
                "give parallel edges different ids, and every edge a source and a target",
            )
        return table_of(graph)
