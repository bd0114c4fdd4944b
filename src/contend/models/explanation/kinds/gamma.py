"""gamma of a regime: how many times more a byte costs than in a message that has the network alone.

Restrictions: needs alpha and beta of a single message, and sizes whose time is mostly bytes. Bytes
that are forwarded are not n-1 times m; of these there is no gamma, nor of the smaller sizes of an
exchange measured at one n, which may be forwarded.
"""

from collections.abc import Iterator

import numpy as np

from contend.base.document import Quantity
from contend.models.explanation.finding import Analysis, Finding, Kind
from contend.models.explanation.words import at_sizes, times

_BYTES = 0.5  # share of the time at the largest size of the regime
_NONE = 0.1  # contention that is called none


class Gamma(Kind):
    """gamma at the n where it is least and where it is greatest."""

    name, order = "gamma", 40

    def findings(self, seen: Analysis) -> Iterator[Finding]:
        line = seen.exchange.message.hockney
        if line is None:
            return
        beta, doubt = float(line.beta), 0.0
        if isinstance(line.beta.low, float) and isinstance(line.beta.high, float):
            doubt = (line.beta.high - line.beta.low) / beta / 4
        several = seen.exchange.counts.size > 1
        for regime in seen.regimes if several else seen.regimes[-1:]:
            best, counts = regime.explanation.best, regime.points.counts
            if best.is_forwarded or best.bytes_share.max() < _BYTES or best.per_byte <= 0:
                continue
            factors = np.broadcast_to(best.byte_factors(), counts.shape)
            logs = np.log(best.per_byte / beta * factors)
            deviation = float(np.hypot(best.byte_deviation, doubt))
            if deviation > 1:
                continue
            grows = bool(np.ptp(logs) > 1e-9)
            ends = sorted({int(np.argmin(logs)), logs.size - 1 - int(np.argmax(logs[::-1]))})
            values = {
                int(counts[at]): seen.factor(float(logs[at]), deviation)
                for at in ends[0 if grows else -1 :]
            }
            yield Finding(
                "gamma", regime.ends, seen.counts,
                f"{at_sizes(seen.exchange, regime.ends)} {_statement(values, grows)}.",
                {f"gamma at n = {n}": value for n, value in values.items()},
            )  # fmt: skip


def _statement(values: dict[int, Quantity], grows: bool) -> str:
    (first, low), (last, high) = next(iter(values.items())), list(values.items())[-1]
    alone = "times what it costs in a single message"
    if grows:
        return (
            f"a byte costs {times(low)} {alone} for {first} processes, and {times(high)} times for "
            f"{last} (gamma of all n)"
        )
    text = f"a byte costs {times(low)} {alone} (gamma of all n)"
    if not isinstance(low.low, float) or not isinstance(low.high, float):
        return text
    is_none = low.low <= 1 <= low.high <= 1 + 2 * _NONE
    return text + ": no contention is seen" * is_none
