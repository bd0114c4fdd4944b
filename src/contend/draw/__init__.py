"""Pictures of solved contention graphs: the graph, and what its messages do over time.

>>> from contend.flows.engine import solve
>>> flows = {"src": ["a", "b"], "dst": ["c", "c"], "bytes": [8, 8]}
>>> solution = solve(flows, bandwidth=8.0, is_recorded=True)
>>> svg(drawing(solution, "two into one")).startswith("<svg ")
True
"""

from contend.draw.compose import drawing
from contend.draw.page import page
from contend.draw.raster import figure
from contend.draw.svg import svg

__all__ = ["drawing", "figure", "page", "svg"]
