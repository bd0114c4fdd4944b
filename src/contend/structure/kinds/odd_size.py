"""A single size that takes longer, or less long, than its neighbours lead to expect."""

from collections.abc import Iterator

import numpy as np

from contend.document import Floats
from contend.number_text import listed
from contend.structure.finding import Analysis, Finding, Kind
from contend.structure.words import evidence, times
from contend.units import format_bytes

_LEAST = np.log(1.15)
_CLEAR = 3.0  # standard deviations that an n is off by which the size is odd for


class OddSize(Kind):
    """Sizes that lie on no line."""

    name = "odd_size"
    order = 20

    def findings(self, seen: Analysis) -> Iterator[Finding]:
        """One for each, with the n that it is odd at."""
        for place in seen.partition.odd:
            off, deviation = _off(seen, place)
            known = np.isfinite(off)
            is_odd = known & (np.abs(off) > _CLEAR * deviation)
            if not is_odd.any() or np.ptp(np.sign(off[is_odd])) > 0:
                continue  # no size that is slow for some n and fast for others is odd by itself
            counts = tuple(int(n) for n in seen.exchange.counts[is_odd])
            weights = 1 / deviation[is_odd] ** 2
            mean = float((weights * off[is_odd]).sum() / weights.sum())
            spread = float(np.sqrt(max(1.0, (weights * (off[is_odd] - mean) ** 2).sum()
                                       / max(is_odd.sum() - 1, 1)) / weights.sum()))  # fmt: skip
            if abs(mean) < max(_LEAST, 2.5 * spread):
                continue
            factor = seen.factor(mean, spread)
            size = int(seen.exchange.sizes[place])
            everywhere = is_odd.sum() == known.sum()
            at = "" if everywhere else f" at n = {listed(counts)}, and not at other n"
            error = seen.partition.noise(0.0)
            without = float(np.sqrt(np.mean(off[known] ** 2)))
            said = (
                f"{format_bytes(size)} alone is odd: it takes {times(factor)} times what its "
                f"neighbours lead to expect{at}"
            )
            yield Finding(
                "odd size", (size, size), counts, f"{said} {evidence(error, without)}.",
                {"factor": factor}, error, without,
            )  # fmt: skip


def _off(seen: Analysis, place: int) -> tuple[Floats, Floats]:
    """Logarithm of the times over the line of their regime at each n, with its deviation."""
    regime = next(one for one in seen.regimes if one.start <= place < one.end)
    m = float(seen.exchange.sizes[place])
    off = seen.exchange.logarithms[:, place] - regime.line(m)
    noise = regime.noise / seen.exchange.trust
    return off, np.sqrt(regime.variance(m) + noise**2)
