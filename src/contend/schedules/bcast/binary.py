"""Binary tree, segmented.

Source: Barchet-Estefanel, Mounie, RenPar 2005, table 1.
Idea: every rank sends to two others; a segment follows as soon as both have the one before.
Cost: 2 (k-1) g(s) + T(s) with k segments of s bytes, T(s) the time down a tree of degree 2; the
paper bounds T(s) by ceil(log2 P) (2 g(s) + L), which holds for every P. An upper bound where s
does not divide m.
Restrictions: none.
"""

from dataclasses import replace
from typing import ClassVar

from contend.schedules.algorithm import Call, Floats, Messages, PLogP
from contend.schedules.bcast import degree_tree


class Binary(degree_tree.DegreeTree):
    title = "binary tree"
    source = "Barchet-Estefanel, Mounie 2005, table 1"
    options = ("segment",)
    openmpi = 5
    mpich: ClassVar[str | None] = "pipelined_tree tree_type=kary k=2 chunk_size={segment}"

    def messages(self, call: Call) -> Messages:
        """The children of rank r are 2 r + 1 and 2 r + 2."""
        return super().messages(replace(call, degree=2))

    def cost(self, net: PLogP, call: Call) -> Floats:
        return super().cost(net, replace(call, degree=2))
