"""Times above the interval of what the network file expects: something has changed since.

Idea: other operations, launches and sizes of the same network show what to expect. Where times
are above that by more than its interval at several sizes, something has changed since.
Restrictions: nothing where the prediction extrapolates, or has no interval.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from contend.models.explanation.case import Case
from contend.models.explanation.commands import measure, size_range
from contend.models.explanation.finding import Finding, Kind, Try

FEWEST, CLEAR = 2, 1.15  # sizes, and times the upper end


class UnlikeTheNetwork(Kind):
    name, order = "slower than this network was", 110

    def causes(self, case: Case, before: Sequence[Finding]) -> Iterator[Finding]:
        rows = case.rows
        is_above = (rows["seconds"] > CLEAR * rows["high"]) & (rows["extrapolates"] == "")
        above = rows[is_above]
        if len(above) < FEWEST:
            return
        factors = above["lost_to_expected"].to_numpy(dtype=np.float64)
        where = int(above["m"].iloc[0]), int(above["m"].iloc[-1])
        yield case.finding(
            self.name,
            where,
            f"{size_range(where)}, at {len(above)} of {len(rows)} sizes, times are above what the "
            f"network file expects with its interval, up to {factors.max():.1f} times. The "
            "network, the placement of the processes, other jobs or the library's settings differ "
            "from when it was measured.",
            float(factors.max()),
            Try(measure(case, above["m"], alone=True), "measures both again in one job"),
            Try("contend validate network.json samples.jsonl", "compares with the file"),
        )
