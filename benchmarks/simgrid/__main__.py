"""SimGrid's plain max-min and contend's on the same flows: user CPU time, peak memory, end times.

    python -m benchmarks.simgrid [--case NAME ...]

Each run has a process of its own and is made once. Times and memory are of the solution alone: not
of the interpreter, the platform, or reading the flows.
"""

import argparse
import platform

import numpy as np
import pandas as pd
from benchmarks.engine import BANDWIDTH, CASES, Figures, run_alone
from benchmarks.simgrid.program import NoSimGridError, Simulated, simulate, version

from contend.cli.output import markdown

PATTERNS = ("random-", "equal-", "poisson-")
TIMING_PRECISION = 1e-9  # seconds: SimGrid's default, below which it takes two times for one


def simulated(case: str) -> Simulated:
    flows = CASES[case]()
    hosts = 1 + int(max(flows["src"].max(), flows["dst"].max()))
    return simulate(flows, hosts, BANDWIDTH)


def row(case: str, ours: Figures, theirs: Simulated | None) -> dict[str, str]:
    """Both programs on the same flows."""
    flows = {"case": case, "flows": f"{len(ours.end):,}".replace(",", " ")}
    own = {"contend s": f"{ours.user:.3f}", "contend MB": f"{ours.memory / 1e6:.1f}"}
    if theirs is None:
        return flows | own
    beside = {"SimGrid s": f"{theirs.user:.3f}", "SimGrid MB": f"{theirs.memory / 1e6:.1f}"}
    ratio = f"{theirs.user / ours.user:.0f}" if ours.user > 0 else "-"
    difference = f"{np.max(np.abs(theirs.end / ours.end - 1)):.1e}"
    return flows | beside | own | {"ratio": ratio, "difference": difference}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.simgrid", description=__doc__)
    cases = [case for case in CASES if case.startswith(PATTERNS) and case != "poisson-1M"]
    parser.add_argument("--case", choices=cases, nargs="*", default=cases)
    options = parser.parse_args()
    try:
        print(f"SimGrid {version()} on {platform.machine()}\n")
        is_there = True
    except NoSimGridError as why:
        print(f"{why}; contend alone\n")
        is_there = False
    rows = [
        row(case, run_alone(case), simulated(case) if is_there else None) for case in options.case
    ]
    print(markdown(pd.DataFrame(rows)))


if __name__ == "__main__":
    main()
