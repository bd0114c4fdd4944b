"""Figure: time over the bound of the exchange that users have, and of what spares most of it.

All n in one panel, so that contention is height; a call costs what it does on average where some
wait for time-outs.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from contend.base.units import format_seconds
from contend.models.network import Network, Operation
from contend.models.prediction.per_call import Call, measured_calls
from contend.report.canvas.drawing import Drawing
from contend.report.canvas.palette import DASHES, mark
from contend.report.figures.figure import Findings
from contend.report.figures.lines import Line, lines_panel
from contend.samples.setting import OF_LIBRARY, own_name

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


def overview(findings: Findings) -> Iterator[Drawing]:
    operation = shown_operation(findings)
    if operation is None:
        return
    shown = [operation, *rivals(findings, operation)]
    calls = [
        (operation, _by_count(measured_calls(findings.network, operation))) for operation in shown
    ]
    counts = sorted({n for _, by_count in calls for n in by_count})
    lines = [
        _line(operation, by_count[n], findings.colour_of(operation), counts.index(n))
        for operation, by_count in calls
        for n in by_count
    ]
    if any(np.size(line.m) > 1 for line in lines):
        title = "Time over the bound"
        panel = lines_panel(title, lines, None, WIDTH, HEIGHT, are_ratios=True)
        is_beaten = min(np.min(line.values) for line in lines) < 1.0
        remark = f"{REMARK} {BEATEN}" if is_beaten else REMARK
        yield Drawing(title, [panel], remark, operation.title)


def shown_operation(findings: Findings) -> Operation | None:
    """The exchange by the library's own choice, else another, else what was fitted; None: none."""
    fitted = findings.exchanges or findings.fitted
    defaults = [candidate for candidate in fitted if candidate.is_default]
    return next(iter([*defaults, *fitted]), None)


def rivals(findings: Findings, operation: Operation) -> list[Operation]:
    """Algorithms of the library that decisions take in the place of its own choice."""
    decided = findings.decisions
    if decided is None or not operation.is_default:
        return []
    taken = {(rule.operation, rule.algorithm) for rule in decided.rules if not rule.is_default}
    return [
        rival
        for rival in beside(findings.network, operation)
        if (rival.operation, own_name(rival.algorithm)) in taken
    ]


def beside(network: Network, operation: Operation) -> list[Operation]:
    """The library's algorithms for the same operation, placement and conditions."""
    return [
        rival
        for rival in network.operations
        if OF_LIBRARY in rival.algorithm and rival.is_beside(operation)
    ]


def _title(operation: Operation) -> str:
    name = "the library's own choice" if operation.is_default else own_name(operation.algorithm)
    return ", ".join(filter(None, (name, operation.conditions)))


def _by_count(calls: Sequence[Call]) -> dict[int, list[Call]]:
    bounded = [call for call in calls if call.over_bound is not None]
    counts = sorted({call.n for call in bounded})[-MOST_COUNTS:]
    return {n: [call for call in bounded if call.n == n] for n in counts}


def _line(operation: Operation, calls: Sequence[Call], colour: str, place: int) -> Line:
    dash = DASHES[place % len(DASHES)]
    return Line(
        f"{_title(operation)}, n = {calls[0].n}",
        [call.m for call in calls],
        [call.over_bound or np.nan for call in calls],
        {"color": colour, "marker": mark(place), "markersize": 3, "ls": dash},
        notes=[format_seconds(call.seconds) for call in calls],
    )
