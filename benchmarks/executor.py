"""The executor's rotated all-to-all against the hand-written one, launched in turn.

    python -m benchmarks.executor [N [PAIRS]]

Prints for each size the medians over all repetitions, the median over the pairs of launches of the
ratio of their medians, and the 95 % interval of that median (bootstrap over the pairs).
"""

import sys

import numpy as np

from contend.base.units import format_bytes, format_seconds
from contend.measure.build import Program, build
from contend.measure.command import LaunchOptions, command_line, settings
from contend.measure.execution import executable, program_of
from contend.measure.launch import run
from contend.measure.mpi import MPI, find_mpi
from contend.schedules import algorithms

SIZES = (1024, 16384, 262144)
OPTIONS = LaunchOptions(min_repetitions=60, max_repetitions=60, max_seconds=5.0, warmup=10)


def times(mpi: MPI, program: Program, n: int) -> dict[int, list[float]]:
    """Repetitions of one launch, by size."""
    command = command_line(mpi, program, n, SIZES, OPTIONS)
    lines = run(command, settings(mpi, n, OPTIONS), OPTIONS.timeout, OPTIONS.point_timeout())
    return {line["m"]: line["times_s"] for line in lines if line["kind"] == "point"}


def main(n: int = 4, pairs: int = 15) -> None:
    mpi = find_mpi()
    by_hand = build(mpi)["alltoall_rotated"]
    what = executable(algorithms("alltoall").get("rotated"), n, {m: m for m in SIZES})
    order = np.random.default_rng(1)
    with program_of(mpi, what) as executor:
        found: dict[Program, list[dict[int, list[float]]]] = {by_hand: [], executor: []}
        for _ in range(pairs):
            for index in order.permutation(2):
                program = (by_hand, executor)[index]
                found[program].append(times(mpi, program, n))
    print(f"{mpi.title}, n={n}, {pairs} pairs of launches, 60 repetitions each")
    for m in SIZES:
        hand, slots = (
            np.array([np.median(launch[m]) for launch in found[one]]) for one in (by_hand, executor)
        )
        ratios = slots / hand
        drawn = np.median(order.choice(ratios, (2000, pairs)), axis=1)
        low, high = np.quantile(drawn, (0.025, 0.975))
        print(
            f"{format_bytes(m):>8}: by hand {format_seconds(np.median(hand))}, executor "
            f"{format_seconds(np.median(slots))}, ratio {np.median(ratios):.3f} "
            f"[{low:.3f}, {high:.3f}]"
        )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]))
