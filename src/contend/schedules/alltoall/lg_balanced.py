"""LG for any groups, with balanced carriers.

Source: Jeannot, Steffenel, Euro-Par 2007, there for two groups; carriers of the blocks of partial
groups, and more than two groups, of this project.
Idea: as in LG the blocks for each other group are collected by ranks of the own group, and cross
the slow link in packed messages to those who want them. Between groups of a <= b ranks: to the
position j of the larger group, position j mod a carries all a blocks. Of the larger group every a
positions are a full group; in full group f its position f a + j carries its a blocks for j. The
r = b mod a ranks that are left carry a blocks each as well: the r a blocks of theirs, by
destination, are cut in r equal pieces. So every rank of the larger group sends and receives a
blocks. Groups send to the next group first, then to the one after, ...
Cost: the sum over the steps of g of their longest message, and L of both phases; for G groups of s
ranks (s-1) g(G m) + (G-1) g(s m) + L(G m) + L(s m), which is the time itself, else at most so much.
Between each two groups 2 b + a - gcd(a, b) messages cross, where a divides b 2 b; each byte once.
Restrictions: none.
"""

import numpy as np

from contend.schedules.algorithm import Call, Claim
from contend.schedules.group_algorithms import Relayed
from contend.schedules.groups import Layout
from contend.schedules.relay import Route


class BalancedLocalGroups(Relayed):
    title = "LG with balanced carriers"
    source = "Jeannot, Steffenel 2007; contend"

    def route(self, layout: Layout, call: Call) -> Route:
        """To the carrier, then over the slow link."""
        carrier, turn = _carriers(layout)
        width = int(turn.max(initial=0)) + 1  # inside a group it is 0
        turn = (layout.distance - 1) * width + turn
        return Route.through(layout, carrier, layout.position, turn)

    def claim(self, call: Call) -> Claim:
        return "exact" if Layout(call.groups).is_even else "upper bound"


def _carriers(layout: Layout) -> tuple[np.ndarray, np.ndarray]:
    """Position that carries each block out of its group, and its turn; arrays (n, n)."""
    src_size, dst_size = layout.size[layout.group][:, None], layout.size[layout.group][None, :]
    p, j = layout.position[:, None], layout.position[None, :]
    full, rest = src_size // dst_size * dst_size, np.maximum(src_size % dst_size, 1)
    # To a group that is as large or larger.
    carrier, turn = j % src_size, j // src_size
    # To a smaller one, from a full group, and from the ranks that are left.
    is_full = p < full
    piece = (j * rest + p - full) // dst_size
    from_full, from_rest = p // dst_size * dst_size + j, full + piece
    first = piece * dst_size // rest  # destination of its piece
    to_smaller = np.where(is_full, from_full, from_rest)
    later = np.where(is_full, p // dst_size, src_size // dst_size + j - first)
    return (
        np.where(src_size > dst_size, to_smaller, carrier),
        np.where(src_size > dst_size, later, turn),
    )
