"""Figure: time over the bound of the exchange that users have, and of what spares most of it.

All n in one panel, so that contention is height; a call costs what it does on average where some
wait for time-outs.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from contend.canvas.axes import log_sizes
from contend.canvas.drawing import Axes, Drawing, Panel, Tip
from contend.canvas.palette import BOUND, DASHES, mark
from contend.figures.figure import Figure, Findings
from contend.figures.structure import ratios
from contend.network import Network, Operation
from contend.prediction.per_call import Call, measured_calls
from contend.samples.setting import OF_LIBRARY, own_name
from contend.units import format_bytes, format_seconds

MOST_COUNTS = 4  # of each algorithm: more are a tangle
WIDTH, HEIGHT = 6.4, 3.0
REMARK = (
    "A call over (n − 1)(alpha + beta m), what the messages of a process need one after the other "
    "with the network to themselves. Where some calls wait for a time-out, the mean of all."
)

BEATEN = (
    "Below 1 the messages of a process overlap, so that this is no bound there but a measure to "
    "compare by."
)


@dataclass(frozen=True)
class _Line:
    """Calls of one n by one algorithm."""

    title: str
    colour: str
    calls: Sequence[Call]


class Overview(Figure):
    """Of the first screen."""

    name = "overview"
    section = "answer"
    order = 0

    def drawings(self, findings: Findings) -> Iterator[Drawing]:
        """Where a lone message is known, and two sizes or more to draw a line over."""
        operation = shown_operation(findings)
        if operation is None:
            return
        shown = [operation, *rivals(findings, operation)]
        lines = [
            _Line(_title(one), findings.colour_of(one), calls)
            for one in shown
            for calls in _by_count(measured_calls(findings.network, one))
        ]
        if any(len(line.calls) > 1 for line in lines):
            panel = Panel("Time over the bound", partial(_draw, lines), WIDTH, HEIGHT)
            remark = f"{REMARK} {BEATEN}" if _is_beaten(lines) else REMARK
            yield Drawing("Time over the bound", [panel], remark, operation.title)


def shown_operation(findings: Findings) -> Operation | None:
    """The exchange by the library's own choice, else another, else what was fitted; None: none."""
    fitted = findings.exchanges or findings.fitted
    own = [one for one in fitted if one.is_default]
    return next(iter([*own, *fitted]), None)


def rivals(findings: Findings, operation: Operation) -> list[Operation]:
    """Algorithms of the library that decisions take in the place of its own choice."""
    decided = findings.decisions
    if decided is None or not operation.is_default:
        return []
    taken = {(rule.operation, rule.algorithm) for rule in decided.rules if not rule.is_default}
    return [
        one
        for one in beside(findings.network, operation)
        if (one.operation, own_name(one.algorithm)) in taken
    ]


def beside(network: Network, operation: Operation) -> list[Operation]:
    """The library's algorithms for the same operation, placement and conditions."""
    return [
        one
        for one in network.operations
        if OF_LIBRARY in one.algorithm and one.is_beside(operation)
    ]


def _title(operation: Operation) -> str:
    name = "the library's own choice" if operation.is_default else own_name(operation.algorithm)
    return ", ".join(filter(None, (name, operation.conditions)))


def _by_count(calls: Sequence[Call]) -> list[list[Call]]:
    """Those with a bound, by n; of many n the largest."""
    known = [one for one in calls if one.over_bound is not None]
    counts = sorted({one.n for one in known})[-MOST_COUNTS:]
    return [[one for one in known if one.n == n] for n in counts]


def _is_beaten(lines: Sequence[_Line]) -> bool:
    return any((one.over_bound or 1.0) < 1.0 for line in lines for one in line.calls)


def _draw(lines: Sequence[_Line], axes: Axes) -> Iterator[Tip]:
    every = [one for line in lines for one in line.calls]
    over = [one.over_bound for one in every if one.over_bound is not None]
    sizes = [one.m for one in every]
    log_sizes(axes, min(sizes), max(sizes), 6)
    ratios(axes, min(min(over) / 1.15, 0.9), max(over) * 1.2)
    axes.axhline(1.0, color=BOUND, lw=0.8, ls="--", zorder=1)
    counts = sorted({one.n for one in every})
    for line in lines:
        n = line.calls[0].n
        place = counts.index(n)
        axes.plot(
            [one.m for one in line.calls], [one.over_bound for one in line.calls],
            color=line.colour, marker=mark(place), markersize=3, ls=DASHES[place % len(DASHES)],
            label=f"{line.title}, n = {n}",
        )  # fmt: skip
        for one in line.calls:
            text = f"{line.title}\nn = {n}, {format_bytes(one.m)}: {format_seconds(one.seconds)}"
            yield Tip(f"{text}\n{one.over_bound:.3g} times the bound", one.m, one.over_bound or 0)
