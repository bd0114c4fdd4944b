"""Messages that stay on a node: a smaller share the larger n is, so that the mean costs more."""

from contend.base.number_text import percent
from contend.models.explanation.finding import Analysis
from contend.models.explanation.growth import COST_OF, Growth, GrowthKind, Statement
from contend.models.explanation.words import at_sizes, times, within


class LocalMessages(GrowthKind):
    """Where several processes share a node and growth over n is that of the remote share."""

    name, order = "local_messages", 50
    terms = ("local",)

    def statement(self, seen: Analysis, found: Growth) -> Statement:
        """The shares that stay on the node, and what they cost."""
        per_node = seen.exchange.processes_per_node or 1
        cost = seen.factor(found.parameter, found.deviation)
        counts = [n for n in found.counts if n > per_node]
        shares = [(n, percent((per_node - 1) / (n - 1))) for n in (counts[0], counts[-1])]
        ends = " and ".join(f"{share} for n = {n}" for n, share in dict.fromkeys(shares))
        where = within(at_sizes(seen.exchange, found.sizes))
        sentence = (
            f"{per_node} processes per node: {per_node - 1} of n-1 messages stay on the node "
            f"({ends}), where {COST_OF[found.term.on]} costs {times(cost)} times one to another "
            f"node ({where}); so the mean cost grows with n until nearly all peers are remote"
        )
        return "local messages", sentence, {"local over remote": cost}
