"""The contention graphs of the literature whose penalties or times were printed.

Source: Martinasso, Méhaut, Euro-Par 2011, figures 2 to 4. The drawings are not in the
text: the edges are those that give every printed penalty.
"""

from contend.graphs.isomorphism import Edges

PUBLISHED: dict[str, Edges] = {
    "2.1": ((0, 1), (0, 2), (0, 3)),
    "2.2": ((1, 0), (1, 2), (3, 0), (3, 4)),
    "2.3": ((0, 1), (0, 2), (0, 3), (3, 1), (3, 2)),
    "2.4": ((0, 1), (0, 2), (3, 1), (4, 2)),
    "3": ((0, 1), (0, 2), (0, 3), (4, 1), (4, 5), (6, 5)),
    "A": ((0, 1), (0, 2), (3, 1), (4, 1), (5, 2)),
    "B": ((1, 0), (1, 2), (3, 0), (4, 0), (5, 0)),
}
