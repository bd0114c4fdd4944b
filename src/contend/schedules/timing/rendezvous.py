"""A network as messages see it that ask before they send.

Source: Barchet-Estefanel, Mounie, RenPar 2005, table 1 (the lines "rendez-vous").
Idea: request and answer are two messages of a byte, so each message takes 2 g(1) + 3 L + g(m).
Cost: that of any algorithm with 2 g(1) + 3 L for L. For the flat tree, the chain and the binomial
tree on a power of two this is the formula of the paper.
Restrictions: the sender is free for others while it waits for the answer.
"""

from contend.base.document import Quantity
from contend.schedules.pointtopoint import PLogP


def rendezvous(plogp: PLogP) -> PLogP:
    """The parameters with the latency 2 g(1) + 3 L."""
    latency = 2 * float(plogp.seconds(1)) + float(plogp.latency)
    return plogp.model_copy(update={"latency": Quantity(value=latency, unit="s")})
