"""LogGOPSim: the parameters of a network as the options of its command line.

Source: Hoefler, Schneider, Lumsdaine, HPDC 2010; options and their types are those of the simulator
(simulator.ggo).
Idea: see `contend.interchange.loggops` for what is fitted to what. The simulator takes whole
numbers, in nanoseconds if its user says so: a fast network has a G below 1 ns. The unit here is
therefore the largest power of ten, 1 ns at most, in which G is `LEAST` or more, so that rounding
costs at most 1 %; the times of a schedule (`calc`) have to be in it too.
Restrictions: of the outermost level of the network; no contention, which LogGOPSim adds itself.
"""

import math

from contend import __version__
from contend.errors import InvalidInputError
from contend.interchange.format import NetworkFormat, Wanted, Written
from contend.interchange.loggops import NAMES, Approximation, Curve, fit_loggops
from contend.network import Network
from contend.units import format_bytes, format_seconds

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
    """Options of LogGOPSim."""

    name = "loggops"
    title = "options of LogGOPSim: L, o, g, G, O and S"
    takes = frozenset({"m"})
    example = "network.json -m 1,64KiB -o network.loggops"

    def of_network(self, network: Network, wanted: Wanted) -> Written:
        """A line of options, below comments."""
        plogp = network.point_to_point.plogp
        if plogp is None:
            raise InvalidInputError(
                f"{network.name!r} holds no pLogP parameters",
                "measure the experiment plogp, then fit",
            )
        ends = (min(wanted.m), max(wanted.m)) if wanted.m else (1, math.inf)
        found = fit_loggops(plogp, *ends)
        unit = _unit(found.parameters.G)
        whole = _whole(found, unit)
        notes = (*_notes(found, unit), *_rounded(found, whole, unit))
        options = " ".join(f"-{name} {value}" for name, value in whole.items())
        lines = [
            f"{_HEAD} {' '.join(network.name.split())}, by contend {__version__}",
            "# LogGOPSim $(grep -v '^#' FILE) -f SCHEDULE",
            *(f"#   {name}  {what}: {_shown(found, name)}" for name, what in _MEANS.items()),
            *(f"# {note}" for note in notes),
            options,
        ]
        said = {name: getattr(found.parameters, name) for name in NAMES}
        limit = found.parameters.S
        said_by_size = ",".join(f"{value!r}s" for value in said.values())
        usage = (
            "LogGOPSim $(grep -v '^#' FILE) -f SCHEDULE",
            f"contend replay TRACE --loggops {said_by_size}"
            + (f",{int(limit)}" if math.isfinite(limit) else ""),
        )
        figures = {
            **said, "S": limit if math.isfinite(limit) else None, "unit_s": unit,
            "options": whole, "errors": {one.name: _errors(one) for one in found.curves},
        }  # fmt: skip
        return Written("\n".join(lines) + "\n", notes, usage, figures=figures)

    def recognises(self, text: str) -> bool:
        """Whether it begins as what is written here."""
        return text.startswith(_HEAD)


def _unit(per_byte: float) -> float:
    """Seconds of the unit of time."""
    if per_byte <= 0:
        return 1e-9
    return float(f"1e{min(math.floor(math.log10(per_byte / LEAST)), -9)}")


def _whole(found: Approximation, unit: float) -> dict[str, int]:
    """The options as whole numbers."""
    whole = {name: round(getattr(found.parameters, name) / unit) for name in NAMES}
    if max(whole.values()) > LARGEST:
        raise InvalidInputError(
            f"in units of {unit:g} s, which G needs, a parameter is beyond {LARGEST}",
            "fit a narrower range of sizes by -m",
        )
    limit = found.parameters.S
    return whole | {"S": int(limit) if limit < LARGEST else LARGEST}


def _shown(found: Approximation, name: str) -> str:
    value = getattr(found.parameters, name)
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


def _notes(found: Approximation, unit: float) -> list[str]:
    """Over which sizes the parameters hold, how far off they are, and in which unit."""
    sizes = found.curves[0].m
    notes = [
        f"fitted to pLogP parameters of {sizes.size} sizes, {format_bytes(int(sizes[0]))} to "
        f"{format_bytes(int(sizes[-1]))}"
    ]
    for curve in found.curves:
        said = _errors(curve)
        notes.append(
            f"{curve.name}: median error {said['median']:.1%}, worst {said['worst']:.1%} at "
            f"{format_bytes(int(said['worst_at']))}"
        )
    if "overhead" not in {curve.name for curve in found.curves}:
        notes.append("the network has no overheads: o and O are 0")
    if unit < 1e-9:
        notes.append(
            f"times are in units of {format_seconds(unit)}, not 1 ns, since G is a whole number: "
            f"multiply each calc of a schedule by {round(1e-9 / unit)}"
        )
    return notes


def _rounded(found: Approximation, whole: dict[str, int], unit: float) -> list[str]:
    """What whole numbers change."""
    notes = []
    for name in NAMES:
        value = getattr(found.parameters, name) / unit
        if value > 0 and abs(whole[name] / value - 1) > ROUNDING:
            notes.append(f"{name} is {value:.2g} units, as a whole number {whole[name]}")
    return notes
