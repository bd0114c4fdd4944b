"""Chain.

Source: Barchet-Estefanel, Mounie, RenPar 2005, table 2.
Idea: every rank keeps its block and passes the others on to the next.
Cost: sum_{j=1}^{P-1} g(j m) + (P-1) L.
Restrictions: as many ranks as schedules have messages at most: its cost is a sum over them.
"""

import numpy as np

from contend.base.errors import InvalidInputError
from contend.schedules.algorithm import Algorithm, Call, Floats, PLogP, ints
from contend.schedules.messages import MOST_MESSAGES, Messages, Spans


class Chain(Algorithm):
    title = "chain"
    source = "Barchet-Estefanel, Mounie 2005, table 2"

    def restriction(self, n: int) -> InvalidInputError | None:
        """As many ranks as the terms of its cost can be summed for."""
        if n <= MOST_MESSAGES:
            return None
        return InvalidInputError(
            f"{self.collective} {self.name} of {n} ranks, where {MOST_MESSAGES} are the most",
            "try 'binomial'",
        )

    def messages(self, call: Call) -> Messages:
        """The blocks r to n - 1 go to rank r."""
        child = np.arange(1, call.n)
        carries = Spans(child, call.n - child, call.n)
        return Messages(call.n, child - 1, child, child, carries, ints([call.m] * call.n))

    def cost(self, net: PLogP, call: Call) -> Floats:
        sizes = np.multiply.outer(np.arange(1, call.n), call.m)
        return np.asarray(net.seconds(sizes).sum(axis=0))
