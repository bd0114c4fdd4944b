"""SimGrid's plain max-min and contend's on the same flows: user CPU time, peak memory, end times.

    python -m benchmarks.simgrid [--case NAME ...]

Each run has a process of its own and is made once. Times and memory are of the solution alone: not
of the interpreter, the platform, or reading the flows.
"""

import argparse
import platform

import numpy as np
from benchmarks.engine import BANDWIDTH, CASES, Figures, run_alone
from benchmarks.simgrid.program import NoSimGridError, Simulated, simulate, version

TIMING_PRECISION = 1e-9  # seconds: SimGrid's default, below which it takes two times for one
HEADS = ("case", "flows", "SimGrid s", "MB", "contend s", "MB", "ratio", "difference")
ROW = "{:13} {:>8} {:>10} {:>6} {:>10} {:>6} {:>7} {:>10}"


def simulated(case: str) -> Simulated:
    flows = CASES[case]()
    hosts = 1 + int(max(flows["src"].max(), flows["dst"].max()))
    return simulate(flows, hosts, BANDWIDTH)


def row(case: str, ours: Figures, theirs: Simulated | None) -> str:
    own = (f"{ours.user:.3f}", f"{ours.memory / 1e6:.1f}")
    if theirs is None:
        return ROW.format(case, len(ours.end), "-", "-", *own, "-", "-")
    return ROW.format(
        case,
        len(ours.end),
        f"{theirs.user:.3f}",
        f"{theirs.memory / 1e6:.1f}",
        *own,
        f"{theirs.user / ours.user:.0f}" if ours.user > 0 else "-",
        f"{np.max(np.abs(theirs.end / ours.end - 1)):.1e}",
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.simgrid", description=__doc__)
    cases = [case for case in CASES if case != "poisson-1M" and not case.startswith("fan-")]
    parser.add_argument("--case", choices=cases, nargs="*", default=cases)
    options = parser.parse_args()
    try:
        beside = f"SimGrid {version()}"
    except NoSimGridError as why:
        beside = ""
        print(f"{why}; contend alone:")
    print(f"max-min, {beside or 'contend'} on {platform.machine()}, user CPU seconds, one run each")
    print(ROW.format(*HEADS))
    for case in options.case:
        print(row(case, run_alone(case), simulated(case) if beside else None), flush=True)


if __name__ == "__main__":
    main()
