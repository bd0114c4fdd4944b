"""Messages that stay on a node: a smaller share the larger n is, so that the mean costs more."""

from collections.abc import Iterator

from contend.number_text import percent
from contend.structure.finding import Analysis, Finding, Kind
from contend.structure.grown import WHAT, grown
from contend.structure.words import at_sizes, evidence, times, within


class LocalMessages(Kind):
    """Where several processes share a node and growth over n is that of the remote share."""

    name = "local_messages"
    order = 50

    def findings(self, seen: Analysis) -> Iterator[Finding]:
        """One for each run of regimes that agree on it."""
        per_node = seen.exchange.processes_per_node or 1
        for own in grown(seen, ["local"]):
            cost = seen.factor(own.parameter, own.deviation)
            counts = [n for n in own.counts if n > per_node]
            shares = [(n, percent((per_node - 1) / (n - 1))) for n in (counts[0], counts[-1])]
            ends = " and ".join(f"{share} for n = {n}" for n, share in dict.fromkeys(shares))
            what = WHAT[own.term.on]
            error, without = own.errors()
            where = within(at_sizes(seen.exchange, own.sizes))
            yield Finding(
                "local messages", own.sizes, own.counts,
                f"{per_node} processes per node: {per_node - 1} of n-1 messages stay on the node "
                f"({ends}), where {what} costs {times(cost)} times one to another node ({where}); "
                f"so the mean cost grows with n until nearly all peers are remote"
                f"{own.otherwise()} {evidence(error, without)}.",
                {"local over remote": cost}, error, without,
            )  # fmt: skip
