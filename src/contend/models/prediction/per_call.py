"""What a call of an operation took where it was measured, time-outs included, over its bound."""

from collections import defaultdict
from dataclasses import dataclass

from contend.models.network import Network, Operation
from contend.models.timeouts.record import Timeouts


@dataclass(frozen=True)
class Call:
    """A measured point: mean seconds of a call, and the share of calls that wait for a time-out.

    `over_bound` is how many times (n - 1)(alpha + beta m) that is, what the messages of a process
    need one after the other with the network to themselves; None where no single message is known.
    """

    n: int
    m: int
    seconds: float
    late: float
    over_bound: float | None


def measured_calls(network: Network, operation: Operation) -> list[Call]:
    """All points that the file holds, in order of n and m; none where it holds none."""
    points, line = operation.measured, network.messages(operation.algorithm).hockney
    if points is None:
        return []
    waits = _waits(operation.timeouts) if operation.timeouts else {}
    calls = []
    for n, m, clean in sorted(zip(points.n, points.m, points.seconds, strict=True)):
        late, waited = waits.get((n, m), (0.0, 0.0))
        bound = (n - 1) * float(line.seconds(m)) if line else 0.0
        seconds = clean + waited
        calls.append(Call(n, m, seconds, late, seconds / bound if bound > 0 else None))
    return calls


def _waits(timeouts: Timeouts) -> dict[tuple[int, int], tuple[float, float]]:
    """Share of calls that wait and mean seconds that a call waits, by n and m."""
    points = timeouts.points
    counts: defaultdict[tuple[int, int], list[int]] = defaultdict(lambda: [0, 0, 0])
    for n, m, *counted in zip(
        points.n, points.m, points.repetitions, points.late, points.waits, strict=True
    ):
        counts[n, m] = [a + b for a, b in zip(counts[n, m], counted, strict=True)]
    cost = float(timeouts.cost)
    return {
        point: (late / repetitions, cost * waits / repetitions)
        for point, (repetitions, late, waits) in counts.items()
    }
