"""LogGOPSim: the parameters of a network as the options of its command line.

Source: Hoefler, Schneider, Lumsdaine, HPDC 2010; options and their types are those of the simulator
(simulator.ggo).
Units: the simulator takes whole numbers, in nanoseconds if its user says so: a fast network has a G
below 1 ns. The unit here is therefore the largest power of ten, 1 ns at most, in which G is `LEAST`
or more, so that rounding costs at most 1 %; the times of a schedule (`calc`) have to be in it too.
Restrictions: of the outermost level of the network; no contention, which LogGOPSim adds itself.

The parameters are those that come nearest to measured pLogP parameters; what a message costs is
as in the simulator (see `contend.programs.replay.message_times`).
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

import math
from dataclasses import dataclass

import numpy as np

from contend import __version__
from contend.base.document import Floats
from contend.base.errors import InvalidInputError
from contend.base.units import format_bytes, format_seconds
from contend.export.format import NetworkFormat, Wanted, Written
from contend.models.network import Network
from contend.programs.replay import LogGOPS
from contend.schedules.pointtopoint import PLogP

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
    fitted = {name: _predicted(parameters, name, at) for name, (at, _) in wanted.items()}
    curves = (Curve(name, at, v, fitted[name]) for name, (at, v) in wanted.items())
    return Approximation(parameters, tuple(curves))


def _solved(wanted: dict[str, tuple[Floats, Floats]], *, is_one_rate: bool) -> dict[str, float]:
    """The parameters; with one rate O is G."""
    from scipy.optimize import nnls

    rows, weights = [], []
    for name, (m, seconds) in wanted.items():
        further, ones, no = m - 1, np.ones_like(m), np.zeros_like(m)
        columns = {
            "message": (ones, 2 * ones, no, further, no),
            "gap": (no, no, ones, further, no),
            "overhead": (no, ones, no, no, further),
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
    solution = nnls(matrix / scale, np.ones(len(matrix)))[0] / scale
    if is_one_rate:
        solution = np.append(solution, solution[3])
    return {name: float(value) for name, value in zip(NAMES, solution, strict=True)}


def _predicted(p: LogGOPS, curve: str, m: Floats) -> Floats:
    """What the parameters say of a curve."""
    further = m - 1
    if curve == "message":
        return p.L + 2 * p.o + further * max(p.O, p.G)
    return p.g + further * p.G if curve == "gap" else p.o + further * p.O


LEAST = 50  # units of G
ROUNDING = 0.05  # relative; less than how far off the parameters are
LARGEST = 2**31 - 1  # of an int of the simulator
_HEAD = "# LogGOPS parameters of"
_MEANS = {
    "L": "latency of the first byte",
    "o": "overhead of a message, at either end",
    "g": "gap between messages of one byte",
    "G": "gap per further byte",
    "O": "overhead per further byte of messages up to S",
    "S": "largest message that is sent without asking",
}


class LogGOPSim(NetworkFormat):
    name = "loggops"
    title = "options of LogGOPSim: L, o, g, G, O and S"
    takes = frozenset({"m"})
    example = "network.json -m 1,64KiB -o network.loggops"

    def of_network(self, network: Network, wanted: Wanted) -> Written:
        plogp = network.point_to_point.plogp
        if plogp is None:
            raise InvalidInputError(
                f"{network.name!r} holds no pLogP parameters",
                "measure the experiment plogp, then fit",
            )
        ends = (min(wanted.m), max(wanted.m)) if wanted.m else (1, math.inf)
        approximation = fit_loggops(plogp, *ends)
        unit = _unit(approximation.parameters.G)
        whole = _whole(approximation, unit)
        notes = (*_notes(approximation, unit), *_rounded(approximation, whole, unit))
        options = " ".join(f"-{name} {value}" for name, value in whole.items())
        lines = [
            f"{_HEAD} {' '.join(network.name.split())}, by contend {__version__}",
            "# LogGOPSim $(grep -v '^#' FILE) -f SCHEDULE",
            *(
                f"#   {name}  {text}: {_shown(approximation, name)}"
                for name, text in _MEANS.items()
            ),
            *(f"# {note}" for note in notes),
            options,
        ]
        values = {name: getattr(approximation.parameters, name) for name in NAMES}
        limit = approximation.parameters.S
        triple = ":".join(f"{value!r}s" for value in values.values())
        usage = (
            "LogGOPSim $(grep -v '^#' FILE) -f SCHEDULE",
            f"contend replay TRACE --network loggops:{triple}"
            + (f":{int(limit)}" if math.isfinite(limit) else ""),
        )
        figures = {
            **values, "S": limit if math.isfinite(limit) else None, "unit_s": unit,
            "options": whole,
            "errors": {curve.name: _errors(curve) for curve in approximation.curves},
        }  # fmt: skip
        return Written("\n".join(lines) + "\n", notes, usage, figures=figures)

    def recognises(self, text: str) -> bool:
        return text.startswith(_HEAD)


def _unit(per_byte: float) -> float:
    """Seconds of the unit of time."""
    if per_byte <= 0:
        return 1e-9
    return float(f"1e{min(math.floor(math.log10(per_byte / LEAST)), -9)}")


def _whole(approximation: Approximation, unit: float) -> dict[str, int]:
    """The options as whole numbers."""
    whole = {name: round(getattr(approximation.parameters, name) / unit) for name in NAMES}
    if max(whole.values()) > LARGEST:
        raise InvalidInputError(
            f"in units of {unit:g} s, which G needs, a parameter is beyond {LARGEST}",
            "fit a narrower range of sizes by -m",
        )
    limit = approximation.parameters.S
    return whole | {"S": int(limit) if limit < LARGEST else LARGEST}


def _shown(approximation: Approximation, name: str) -> str:
    value = getattr(approximation.parameters, name)
    if name == "S":
        return format_bytes(int(value)) if math.isfinite(value) else "not seen, so all are"
    return f"{value:.6g} s" + (" per byte" if name in ("G", "O") else "")


def _errors(curve: Curve) -> dict[str, float]:
    import numpy as np

    worst = int(np.argmax(curve.errors))
    return {
        "median": float(np.median(curve.errors)),
        "worst": float(curve.errors[worst]),
        "worst_at": float(curve.m[worst]),
    }


def _notes(approximation: Approximation, unit: float) -> list[str]:
    """Over which sizes the parameters hold, how far off they are, and in which unit."""
    sizes = approximation.curves[0].m
    notes = [
        f"fitted to pLogP parameters of {sizes.size} sizes, {format_bytes(int(sizes[0]))} to "
        f"{format_bytes(int(sizes[-1]))}"
    ]
    for curve in approximation.curves:
        errors = _errors(curve)
        notes.append(
            f"{curve.name}: median error {errors['median']:.1%}, worst {errors['worst']:.1%} at "
            f"{format_bytes(int(errors['worst_at']))}"
        )
    if "overhead" not in {curve.name for curve in approximation.curves}:
        notes.append("the network has no overheads: o and O are 0")
    if unit < 1e-9:
        notes.append(
            f"times are in units of {format_seconds(unit)}, not 1 ns, since G is a whole number: "
            f"multiply each calc of a schedule by {round(1e-9 / unit)}"
        )
    return notes


def _rounded(approximation: Approximation, whole: dict[str, int], unit: float) -> list[str]:
    """What whole numbers change."""
    notes = []
    for name in NAMES:
        value = getattr(approximation.parameters, name) / unit
        if value > 0 and abs(whole[name] / value - 1) > ROUNDING:
            notes.append(f"{name} is {value:.2g} units, as a whole number {whole[name]}")
    return notes
