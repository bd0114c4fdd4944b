"""Pictures of solved contention graphs: the graph, and what its messages do over time.

>>> from contend.sharing import solve
>>> flows = {"src": ["a", "b"], "dst": ["c", "c"], "bytes": [8, 8]}
>>> solution = solve(flows, bandwidth=8.0, is_recorded=True)
>>> svg(drawing(solution, "two into one")).startswith("<svg ")
True
"""

from contend.sharing.picture.compose import drawing
from contend.sharing.picture.page import page
from contend.sharing.picture.raster import figure
from contend.sharing.picture.svg import svg

__all__ = ["drawing", "figure", "page", "svg"]
