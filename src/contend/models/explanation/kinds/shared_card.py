"""Many processes of a node share its network card.

Idea: bytes that a node sends to others, s (n - s) m of an exchange, over the time, are what its
card carries. Where that is near what the card can carry, or what one process gets alone, no
algorithm that sends the same bytes is faster.
Restrictions: what the card carries has to be known, or what one message alone gets.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from contend.base.number_text import percent, rate
from contend.models.explanation.case import Case
from contend.models.explanation.commands import exchange, measure, size_range
from contend.models.explanation.finding import Finding, Kind, Try

NEAR = 0.7  # of the card's rate, or of what one process gets


class SharedCard(Kind):
    name, order = "shared network card", 2

    def causes(self, case: Case, before: Sequence[Finding]) -> Iterator[Finding]:
        """One, over the sizes at which the card is near its rate."""
        line = case.message.hockney
        if not case.is_shared or line is None or not np.isfinite(case.card_rate).all():
            return
        per_byte = case.message.card or float(line.beta)
        used = case.card_rate * per_byte
        full = np.flatnonzero(used >= NEAR)
        if not full.size:
            return
        where = int(case.sizes[full[0]]), int(case.sizes[full[-1]])
        most = int(full[np.argmax(used[full])])
        together = rate(1 / float(case.card_rate[most]))
        many = case.processes_per_node or 1
        if case.message.card is not None:
            of = f"{percent(min(1.0, float(used[most])))} of the {rate(per_byte)} of a card"
        else:
            of = f"{float(used[most]):.1f} times what one process gets alone"
        yield case.finding(
            self.name,
            where,
            f"{size_range(where)} the {many} processes of a node share its network card: together "
            f"they put {together} through it, {of}, {rate(many / float(case.card_rate[most]))} "
            "each. Algorithms that send the same bytes gain little here; fewer bytes for other "
            "nodes, or more cards, do.",
            None,
            Try(measure(case, case.sizes[full], per_node=max(1, many // 2)),
                "on twice the nodes: shorter times show that the card is the limit"),
            exchange(case),
        )  # fmt: skip
