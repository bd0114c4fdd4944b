"""What a call of an operation took where it was measured, time-outs included, over its bound."""

from dataclasses import dataclass

from contend.models.network import Network, Operation


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
    timeouts = operation.timeouts
    counts, cost = (timeouts.points.by_point(), float(timeouts.cost)) if timeouts else ({}, 0.0)
    calls = []
    for n, m, clean in sorted(zip(points.n, points.m, points.seconds, strict=True)):
        repetitions, late, waits = counts.get((n, m), (1, 0, 0))
        bound = (n - 1) * float(line.seconds(m)) if line else 0.0
        seconds = clean + cost * waits / repetitions
        over_bound = seconds / bound if bound > 0 else None
        calls.append(Call(n, m, seconds, late / repetitions, over_bound))
    return calls
