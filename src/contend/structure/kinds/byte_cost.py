"""gamma of a regime: how many times more a byte costs than in a message that has the network alone.

Restrictions: needs alpha and beta of a lone message, and sizes whose time is mostly bytes. Bytes
that are forwarded are not n-1 times m; of these there is no gamma, nor of the smaller sizes of an
exchange measured at one n, which may be forwarded.
"""

from collections.abc import Iterator

import numpy as np

from contend.document import Floats, Quantity
from contend.structure.finding import Analysis, Finding, Kind
from contend.structure.model import Fit
from contend.structure.regime import Regime
from contend.structure.words import at_sizes, times

_BYTES = 0.5  # share of the time at the largest size of the regime
_NONE = 0.1  # contention that is called none


class ByteCost(Kind):
    """gamma at the n where it is least and where it is greatest."""

    name = "gamma"
    order = 40

    def findings(self, seen: Analysis) -> Iterator[Finding]:
        """One for each regime that tells it."""
        line = seen.exchange.known.hockney
        if line is None:
            return
        beta, doubt = float(line.beta), 0.0
        if isinstance(line.beta.low, float) and isinstance(line.beta.high, float):
            doubt = (line.beta.high - line.beta.low) / beta / 4
        several = seen.exchange.counts.size > 1
        for regime in seen.regimes if several else seen.regimes[-1:]:
            best = regime.explanation.best
            if not best.family.is_direct or best.bytes_share.max() < _BYTES or best.per_byte <= 0:
                continue
            if best.is_forwarded and best.byte_exponent > _NONE:
                continue
            logs = np.log(best.per_byte / beta * _on_bytes(regime, best))
            deviation = float(np.hypot(_deviation(best), doubt))
            if deviation > 1:
                continue
            grows = bool(np.ptp(logs) > 1e-9)
            ends = sorted({int(np.argmin(logs)), logs.size - 1 - int(np.argmax(logs[::-1]))})
            ends = ends if grows else ends[-1:]
            known = {int(regime.points.counts[at]): seen.factor(float(logs[at]), deviation)
                     for at in ends}  # fmt: skip
            sizes = regime.sizes[0], regime.sizes[-1]
            yield Finding(
                "gamma", sizes, seen.counts,
                f"{at_sizes(seen.exchange, sizes)} {_said(known, grows)}.",
                {f"gamma at n = {n}": value for n, value in known.items()},
            )  # fmt: skip


def _on_bytes(regime: Regime, best: Fit) -> Floats:
    return np.broadcast_to(best.factors("bytes"), regime.points.counts.shape)


def _said(known: dict[int, Quantity], grows: bool) -> str:
    (first, low), (last, high) = next(iter(known.items())), list(known.items())[-1]
    if grows:
        return (
            f"a byte costs {times(low)} times what it costs in a lone message for {first} "
            f"processes, and {times(high)} times for {last} (gamma of all n)"
        )
    text = f"a byte costs {times(low)} times what it costs in a lone message (gamma of all n)"
    if (
        isinstance(low.low, float)
        and isinstance(low.high, float)
        and (low.low <= 1 <= low.high <= 1 + 2 * _NONE)
    ):
        text += ": no contention is seen"
    return text


def _deviation(best: Fit) -> float:
    """Of the logarithm of the cost of a byte."""
    by_ends = best.slope_by_ends
    terms = np.zeros(len(best.terms))
    vector = np.concatenate([by_ends, terms])
    return float(np.sqrt(vector @ best.covariance @ vector))
