"""Evaluation of schedules: the core against numpy level by level, in one run; and a large table.

Prints for each schedule the median times of an evaluation from the table of operations on, with
every g and L looked up, of the next one, which has the order already, and of numpy, which sorts
anew each time; and the ratios. Then the time to build and evaluate each schedule of
eight collectives, with all their algorithms, for 40 sizes and 64 numbers of ranks.

    python -m benchmarks.evaluation
"""

import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd

from contend.cli.output import markdown
from contend.schedules import Schedule, algorithms, choosable
from contend.schedules.timing.evaluate import seconds
from contend.schedules.timing.evaluation import evaluated
from contend.schedules.timing.timeline import fast_ethernet

sys.path.append(str(Path(__file__).parents[1] / "tests" / "schedules"))
import by_levels

NETWORK = fast_ethernet()
CASES = (
    ("alltoall", "rotated", 256, 1024),
    ("bcast", "segmented_chain", 256, 4 << 20),
    ("allgather", "ring", 256, 1024),
)
COLLECTIVES = ("bcast", "scatter", "gather", "alltoall", "allgather", "reduce", "allreduce",
               "reduce_scatter")  # fmt: skip
SIZES = np.geomspace(8, 1 << 20, 40).round().astype(int)
COUNTS = range(2, 66)


def elapsed(function: Callable[[Schedule], float], schedule: Schedule) -> float:
    """Time of one call."""
    start = time.perf_counter()
    function(schedule)
    return time.perf_counter() - start


def by_numpy(schedule: Schedule) -> float:
    """The same from the levels."""
    return float(by_levels.finish_times(schedule, NETWORK).max())


def by_core(schedule: Schedule) -> float:
    """Sorts the operations unless that was done before."""
    return seconds(schedule, NETWORK)


def compare(
    collective: str, name: str, n: int, m: int, repetitions: int = 15
) -> dict[str, str | int]:
    """Both on one schedule, in turn."""
    schedule = algorithms(collective).get(name).build(n, m, with_blocks=False)
    assert np.isclose(by_core(schedule), by_numpy(schedule), rtol=1e-12, atol=0)
    times = []
    for _ in range(repetitions):
        fresh = replace(schedule)
        times.append([elapsed(by_core, fresh), elapsed(by_core, fresh), elapsed(by_numpy, fresh)])
    first, again, numpy = np.median(times, axis=0)
    return {
        f"schedule of {n} ranks": f"{collective} {name}, {schedule.kind.size} operations",
        "core, first": f"{first * 1e3:.2f} ms",
        "core, next": f"{again * 1e3:.2f} ms",
        "numpy": f"{numpy * 1e3:.1f} ms",
        "ratios": f"{numpy / first:.1f} and {numpy / again:.1f}",
    }


def table() -> None:
    """Times of all algorithms over sizes and numbers of ranks."""
    schedules, begin = 0, time.perf_counter()
    for collective in COLLECTIVES:
        for algorithm in choosable(collective, None):
            for n in COUNTS:
                if algorithm.restriction(n) is None:
                    calls = [algorithm.call(n, int(m), {}) for m in SIZES]
                    schedules += evaluated(algorithm, [NETWORK], calls).size
    seconds = time.perf_counter() - begin
    print(
        f"{len(COLLECTIVES)} collectives, n = {COUNTS[0]} to {COUNTS[-1]}, {SIZES.size} sizes: "
        f"{schedules} schedules in {seconds:.1f} s, {seconds / schedules * 1e6:.0f} us each"
    )


if __name__ == "__main__":
    print(f"{markdown(pd.DataFrame(compare(*case) for case in CASES))}\n")
    table()
