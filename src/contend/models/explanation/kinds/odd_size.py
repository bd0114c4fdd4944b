"""A single size that takes longer, or less long, than its neighbours lead to expect."""

from collections.abc import Iterator
from typing import ClassVar

import numpy as np

from contend.base.number_text import listed
from contend.base.units import format_bytes
from contend.models.explanation.case import Case
from contend.models.explanation.commands import measure
from contend.models.explanation.finding import Analysis, Finding, Kind, Try
from contend.models.explanation.words import evidence, times

_LEAST = np.log(1.15)
_CLEAR = 3.0  # standard deviations that an n is off by which the size is odd for


class OddSize(Kind):
    name, order = "odd_size", 20
    slow: ClassVar = {"odd size": "factor"}

    def findings(self, seen: Analysis) -> Iterator[Finding]:
        """One for each, with the n that it is odd at."""
        for place in () if seen.totals else seen.partition.odd:
            size = int(seen.exchange.sizes[place])
            regime = next(each for each in seen.regimes if each.start <= place < each.end)
            line, variance = regime.line(size)
            off = seen.exchange.logarithms[:, place] - line
            variance = variance + (regime.noise / seen.exchange.trust) ** 2
            is_odd = np.abs(off) > _CLEAR * np.sqrt(variance)
            if not is_odd.any() or np.ptp(np.sign(off[is_odd])) > 0:
                continue  # no size that is slow for some n and fast for others is odd by itself
            weights = 1 / variance[is_odd]
            mean = float(np.average(off[is_odd], weights=weights))
            excess = (weights * (off[is_odd] - mean) ** 2).sum() / max(is_odd.sum() - 1, 1)
            deviation = float(np.sqrt(max(1.0, excess) / weights.sum()))
            if abs(mean) < max(_LEAST, 2.5 * deviation):
                continue
            factor = seen.factor(mean, deviation)
            counts = tuple(int(n) for n in seen.exchange.counts[is_odd])
            everywhere = is_odd.sum() == np.isfinite(off).sum()
            where = "" if everywhere else f" at n = {listed(counts)}, and not at other n"
            error, without = seen.partition.noise(0.0), float(np.sqrt(np.nanmean(off**2)))
            yield Finding(
                "odd size", (size, size), counts,
                f"{format_bytes(size)} alone is odd: it takes {times(factor)} times what its "
                f"neighbours lead to expect{where} {evidence(error, without)}.",
                {"factor": factor}, error, without,
            )  # fmt: skip

    def tries(self, case: Case, finding: Finding) -> Iterator[Try]:
        m = finding.sizes[0]
        again = measure(case, [m - m // 4, m, m + m // 4])
        yield Try(again, "tells whether this size alone is slow, or was once")
