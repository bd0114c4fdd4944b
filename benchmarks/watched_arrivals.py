"""How long a call takes from its last begin on, where ranks began it apart, by schedules.

    python -m benchmarks.watched_arrivals

Every algorithm of the catalogue, eight ranks, on ports of a Fast Ethernet that messages share (as
`contend.simulate.flows.schedule_ends` has it). Ranks begin apart by a share of the call's time:
evenly spread, a single one late or early, or every other one late; a receiver that is late holds
back its message or does not. Shown is by how much the time from the last begin to the last end
differs from that of ranks that begin together: least, median and most over patterns and algorithms.
Lockstep are the all-to-alls in rounds (pairwise, ring) and what else moves large blocks in rounds
that fill ports: out of step, messages of two rounds meet there.
"""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pandas as pd

from contend.base.document import Floats
from contend.base.units import format_bytes
from contend.cli.output import markdown
from contend.schedules import algorithms
from contend.schedules.schedule import Schedule
from contend.schedules.timing.timeline import fast_ethernet
from contend.simulate.flows.flows import Flows
from contend.simulate.flows.schedule_ends import max_min, message_ends

N, DRAWN = 8, 2
SHARES, SIZES = (0.03, 0.1, 0.3, 1.0, 3.0), (64, 65536)
OPERATIONS = (
    "alltoall", "allgather", "allreduce", "reduce_scatter", "bcast", "reduce", "gather", "scatter",
    "barrier",
)  # fmt: skip


def together(schedule: Schedule, begin: Floats, *, holds_back: bool) -> float:
    """Return the time from the last begin (0) to the last end; `begin` (ranks,) is 0 or less."""

    def shared(flows: Flows) -> Floats:
        first = begin[flows.src] - begin.min()
        if holds_back:
            first = np.maximum(first, begin[flows.dst] - begin.min())
        return max_min(replace(flows, start=np.maximum(flows.start + first, first)))

    ends = message_ends(schedule, fast_ethernet(), sharing=shared) + begin.min()
    return max(float(ends.max()), 0.0)


def patterns(rng: np.random.Generator) -> Iterator[Floats]:
    """Yield when ranks begin, from -1 to 0, (ranks,)."""
    for _ in range(DRAWN):
        evenly = rng.permutation(N) / (N - 1.0)
        single = np.zeros(N)
        single[rng.integers(N)] = 1.0
        for one in (evenly, single, 1.0 - single, rng.permutation(N) % 2.0):
            yield one - 1.0


def rows(operation: str, m: int) -> Iterator[dict[str, object]]:
    """Yield the logarithm by which times differ, of each algorithm, pattern and share."""
    for algorithm in algorithms(operation).all():
        if algorithm.needs_groups or algorithm.restriction(N):
            continue
        schedule = algorithm.build(N, 0 if operation == "barrier" else m)
        alone = together(schedule, np.zeros(N), holds_back=False)
        rng = np.random.default_rng(1)
        for pattern in patterns(rng):
            for share in SHARES:
                for holds_back in (False, True):
                    took = together(schedule, share * alone * pattern, holds_back=holds_back)
                    yield {"algorithm": algorithm.name, "share": share, "ratio": took / alone}


def main() -> None:
    """Print the table."""
    found = []
    for operation in OPERATIONS:
        for m in SIZES if operation != "barrier" else (0,):
            own = pd.DataFrame(rows(operation, m))
            row = {"operation": operation, "m": format_bytes(m)}
            for share, part in own.groupby("share"):
                low, middle, high = part["ratio"].quantile([0.0, 0.5, 1.0]) - 1
                row[f"{share:.0%} apart"] = f"{low:+.0%} {middle:+.0%} {high:+.0%}"
            found.append(row)
    print(markdown(pd.DataFrame(found)))


if __name__ == "__main__":
    main()
