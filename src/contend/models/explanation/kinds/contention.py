"""All processes exchange at once, and a byte costs more than in a message alone.

Source: gamma of Steffenel, Martinasso, Trystram 2007.
Idea: the ratio of time and bound at the largest sizes, where bytes take the time.
Restrictions: needs alpha and beta of a message, measured or given; says nothing of which link is
shared. Nothing where another cause explains these sizes (`_OTHERWISE`).
"""

from collections.abc import Iterator, Sequence

import numpy as np

from contend.base.units import format_bytes
from contend.models.explanation.case import Case
from contend.models.explanation.commands import exchange, measure
from contend.models.explanation.finding import Finding, Kind, Try, covers

CLEAR = 1.5  # times the bound
_OTHERWISE = (
    "time-outs", "shared network card", "poor algorithm", "saturation", "powers of two",
    "outlier n",
)  # fmt: skip


class Contention(Kind):
    name, order = "contention", 120

    def causes(self, case: Case, before: Sequence[Finding]) -> Iterator[Finding]:
        line, m = case.message.hockney, case.sizes[-1]
        if line is None or not case.is_exchange or not case.has_bound:
            return
        lost = float(case.rows["lost"].iloc[-1])
        is_bytes = float(line.beta) * m > float(line.alpha)
        where = (int(m), int(m))
        is_clear = np.isfinite(lost) and lost >= CLEAR and is_bytes
        if not is_clear or covers(before, where, *_OTHERWISE):
            return
        counts = sorted({2, 4, 8, *(n for n in (16, 32, case.n) if n <= case.n)})
        yield case.finding(
            self.name,
            where,
            f"At {format_bytes(m)} a byte costs {lost:.1f} times what it costs in a message that "
            "has the network alone: links or switches are shared by all processes.",
            lost,
            Try(measure(case, case.sizes[-3:], counts, alone=True),
                "shows from which n on it costs more"),
            exchange(case),
        )  # fmt: skip
