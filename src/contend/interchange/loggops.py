"""LogGOPS parameters that come nearest to measured pLogP parameters.

Source: Hoefler, Schneider, Lumsdaine, "LogGOPSim: simulating large-scale applications in the
LogGOPS model", HPDC 2010; what a message costs is as in its simulator (see
`contend.replay.message_times`).
Idea: with k = m - 1, three measured curves are lines in the five parameters:

| measured | LogGOPS |
|---|---|
| one message, L(m) + g(m) | L + 2 o + k max(O, G) |
| gap g(m) | g + k G |
| overhead (os(m) + or(m)) / 2, for m <= S | o + k O |

They are found together, none below 0, by least squares of relative errors over the sizes measured.
S is the largest message that is sent without asking: a sender that asks first is busy until the
receiver answers and the message has left, so that os(m) holds the gap (Kielmann, Bal, Verstoep
2000), where that of eager messages holds a copy.
Restrictions: one line for all sizes, one overhead for both ends, and O at most G, as in a network
that copies faster than it sends. Where overheads are not known, o and O are 0. S is one of the
measured sizes; where os(m) is most of g(m) at all sizes or at none, it is not known.
"""

from dataclasses import dataclass

import numpy as np

from contend.document import Floats
from contend.errors import InvalidInputError
from contend.pointtopoint import PLogP
from contend.replay import LogGOPS

SHARE = 0.9  # of the gap; overheads and gaps of one size are measured to some percent


def eager_limit(net: PLogP) -> int | None:
    """Bytes of the largest eager message; None where the overheads do not tell.

    >>> eager_limit(network.point_to_point.plogp)  # doctest: +SKIP
    65536
    """
    if net.send_overhead is None:
        return None
    sizes: Floats = net.size.array
    waits = net.send_overhead.array >= SHARE * net.gap.array
    first = sizes.size
    while first and waits[first - 1]:
        first -= 1
    return int(sizes[first - 1]) if 0 < first < sizes.size else None


NAMES = ("L", "o", "g", "G", "O")


@dataclass(frozen=True)
class Curve:
    """A measured curve at the sizes `m`, beside what the parameters say; (n_sizes,) each."""

    name: str
    m: Floats
    measured: Floats
    fitted: Floats

    @property
    def errors(self) -> Floats:
        """Relative errors."""
        return np.abs(self.fitted / self.measured - 1)


@dataclass(frozen=True)
class Approximation:
    """Parameters in seconds and seconds per byte, and how far off they are."""

    parameters: LogGOPS
    curves: tuple[Curve, ...]


def fit_loggops(net: PLogP, first: float = 1.0, last: float = np.inf) -> Approximation:
    """Parameters over the sizes of `net` from `first` to `last` bytes.

    Raises
    ------
    InvalidInputError
        For fewer than two sizes.
    """
    sizes = net.size.array
    m = sizes[(sizes >= max(first, 1)) & (sizes <= last)]
    if m.size < 2:
        raise InvalidInputError(
            f"{m.size} measured sizes to fit L, o, g, G and O to", "give a wider range by -m"
        )
    limit = eager_limit(net)
    eager = m if limit is None else m[m <= limit]
    wanted = {"message": (m, net.seconds(m)), "gap": (m, net.gap_at(m))}
    if net.send_overhead is not None and net.receive_overhead is not None and eager.size:
        both = net.send_overhead_at(eager) + net.receive_overhead_at(eager)
        wanted["overhead"] = (eager, both / 2)
    wanted = {name: (at[v > 0], v[v > 0]) for name, (at, v) in wanted.items()}
    values = _solved(wanted, is_one_rate=False)
    if values["O"] > values["G"]:
        values = _solved(wanted, is_one_rate=True)
    parameters = LogGOPS(**values, S=np.inf if limit is None else float(limit))
    fitted = {name: _said(parameters, name, at) for name, (at, _) in wanted.items()}
    curves = (Curve(name, at, v, fitted[name]) for name, (at, v) in wanted.items())
    return Approximation(parameters, tuple(curves))


def _solved(wanted: dict[str, tuple[Floats, Floats]], *, is_one_rate: bool) -> dict[str, float]:
    """The parameters; with one rate O is G."""
    from scipy.optimize import nnls

    rows, weights = [], []
    for name, (m, seconds) in wanted.items():
        further, one, no = m - 1, np.ones_like(m), np.zeros_like(m)
        columns = {
            "message": (one, 2 * one, no, further, no),
            "gap": (no, no, one, further, no),
            "overhead": (no, one, no, no, further),
        }[name]
        rows.append(np.stack(columns, axis=1))
        weights.append(1 / seconds)
    matrix, weight = np.concatenate(rows), np.concatenate(weights)
    if "overhead" not in wanted:
        matrix[:, 1] = 0.0
    if is_one_rate:
        matrix[:, 3] += matrix[:, 4]
        matrix = matrix[:, :4]
    matrix = matrix * weight[:, None]
    scale = np.maximum(np.abs(matrix).max(axis=0), np.finfo(float).tiny)
    found = nnls(matrix / scale, np.ones(len(matrix)))[0] / scale
    if is_one_rate:
        found = np.append(found, found[3])
    return {name: float(value) for name, value in zip(NAMES, found, strict=True)}


def _said(p: LogGOPS, curve: str, m: Floats) -> Floats:
    """What the parameters say of a curve."""
    further = m - 1
    if curve == "message":
        return p.L + 2 * p.o + further * max(p.O, p.G)
    return p.g + further * p.G if curve == "gap" else p.o + further * p.O
