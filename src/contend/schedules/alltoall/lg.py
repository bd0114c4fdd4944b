"""LG, the exchange of local groups.

Source: Jeannot, Steffenel, "Fast and efficient total exchange on two clusters", Euro-Par 2007,
algorithm 1. Its loop bounds are misprints of i = 0..n1-1 and j = i + s n1.
Idea: of two groups with n1 <= n2 ranks every block first goes to a rank of its own group, which
packs what it got for a rank beyond the slow link: what is bound for the larger group goes to the
position j mod n1, what comes from its position p to floor(p/n1) n1 + j. In step s of ceil(n2/n1)
position i of the smaller group and i + (s-1) n1 of the larger exchange one packed message.
Cost: at most, with q = n2/n1, for q > 1 (n1-1) (g((q+1) m) + g(2 m)) + (n2-2 n1+1) g(m) + q g(n1 m)
+ L((q+1) m) + L(n1 m); (n1-1) g(2 m) + g(n1 m) + L(2 m) + L(n1 m) for equal groups, which is the
time itself. 2 n2 messages cross the slow link, and each byte once.
Restrictions: two groups, of which the size of one divides that of the other: else the rank
floor(p/n1) n1 + j need not exist. lg_balanced has other carriers for these blocks.
"""

import numpy as np

from contend.base.errors import InvalidInputError
from contend.schedules.alltoall import lg_balanced
from contend.schedules.groups import Layout


class LocalGroups(lg_balanced.BalancedLocalGroups):
    title = "LG, local groups"
    source = "Jeannot, Steffenel 2007"

    def refusal(self, layout: Layout) -> InvalidInputError | None:
        """Two groups, one a multiple of the other."""
        sizes = np.sort(layout.size)
        if sizes.size != 2:
            return InvalidInputError(
                f"{self.collective} lg needs two groups, got {layout.n} ranks in {sizes.size}",
                "try 'lg_balanced'",
            )
        if sizes[1] % sizes[0]:
            return InvalidInputError(
                f"{self.collective} lg needs groups of which one is a multiple of the other, got "
                f"{layout.n} ranks as {sizes[0]} and {sizes[1]}",
                "try 'lg_balanced'",
            )
        return None
