"""The engine on machines as large as real ones: user CPU time, peak memory, SimGrid beside it.

    python -m benchmarks.large_machines [--case NAME ...] [--limit S] [--simgrid-limit S]
    python -m benchmarks.large_machines --growth growth.svg [--points growth.json] [--limit S]

Each run has a process of its own. One that takes less than 5 s is made three times, since other
programs wear out the caches, and the shortest counts; one that uses more CPU time than the limit is
ended, and its cell says so. Times and memory are of the solution, routes included: not of the
interpreter, the flows, or SimGrid's platform. The second form draws time against the number of
flows, by powers of two up to that of the case, and prints the exponents.
"""

import argparse
import sys
from pathlib import Path

import numpy as np
import pandas as pd
from benchmarks.engine import BANDWIDTH
from benchmarks.large_machines.alone import Figures, NoFiguresError, run_alone
from benchmarks.large_machines.cases import CASES, Case, spaced
from benchmarks.large_machines.growth import PARTS, draw, measured, table
from benchmarks.simgrid.program import NoSimGridError, Simulated, simulate_routed, version

from contend.cli.output import markdown
from contend.simulate.topologies import Links, Topology
from contend.simulate.topologies.topology import Routes

SHORT = 5.0  # seconds; below, a run is repeated
RUNS = 3


class Switch(Links):
    """One switch as links with routes, which SimGrid is given."""

    def routes(self, src: np.ndarray, dst: np.ndarray) -> Routes:
        """Out of the source, into the destination."""
        links = np.stack([src, self.hosts + dst], axis=1).astype(np.int32).ravel()
        return Routes(2 * np.arange(len(src) + 1, dtype=np.int64), links)


def for_simgrid(case: Case, hosts: int) -> Topology:
    """What SimGrid is given the links and routes of."""
    return case.topology() or Switch(hosts, [BANDWIDTH] * (2 * hosts))


def simulated(case: Case, flows: int, limit: float) -> Simulated | None:
    """By SimGrid; None if it needs longer."""
    columns = case.columns(flows)
    hosts = 1 + int(max(columns["src"].max(), columns["dst"].max()))
    return simulate_routed(columns, for_simgrid(case, hosts), limit)


def are_pairs_different(case: Case, flows: int) -> bool:
    """Whether no two flows have both ends in common: SimGrid takes one route for both."""
    columns = case.columns(flows)
    code = columns["src"].astype(np.int64) << 32 | columns["dst"]
    return case.word == "switch" or len(np.unique(code)) == len(code)


def shortest(name: str, flows: int, limit: float) -> Figures:
    """Of three runs, or of one that is long enough by itself."""
    found = [run_alone(name, flows, limit)]
    while len(found) < RUNS and found[0].user < SHORT:
        found.append(run_alone(name, flows, limit))
    return min(found, key=lambda figures: figures.user)


def row(name: str, scale: float, limit: float, simgrid_limit: float) -> dict[str, str]:
    """One case by both."""
    case = CASES[name]
    flows = max(2, round(case.flows * scale))
    cells = {"case": name}
    try:
        ours: Figures | None = shortest(name, flows, limit)
    except NoFiguresError as why:
        ours, said = None, str(why)
    if ours is None:
        cells |= {"flows": spaced(flows), "contend s": said, "contend MB": ""}
    else:
        cells |= {
            "flows": spaced(ours.flows),
            "contend s": f"{ours.user:.3f}",
            "contend MB": f"{ours.memory / 1e6:.0f}",
        }
    cells["goal s"] = "" if case.goal is None or scale != 1 else f"{case.goal:g}"
    return cells | _beside(case, flows, ours, simgrid_limit)


def _beside(case: Case, flows: int, ours: Figures | None, limit: float) -> dict[str, str]:
    """Cells of SimGrid."""
    nothing = {"SimGrid s": "", "SimGrid MB": "", "difference": ""}
    if not case.has_simgrid or limit <= 0:
        return nothing
    theirs = simulated(case, flows, limit)
    if theirs is None:
        return nothing | {"SimGrid s": f"> {limit:.0f}"}
    found = {"SimGrid s": f"{theirs.user:.3f}", "SimGrid MB": f"{theirs.memory / 1e6:.0f}"}
    if ours is None or not are_pairs_different(case, flows):
        return nothing | found
    return found | {"difference": f"{np.max(np.abs(theirs.end / ours.end - 1)):.1e}"}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.large_machines",
                                     description=__doc__.splitlines()[0])  # fmt: skip
    parser.add_argument("--case", choices=CASES, nargs="*", help="default all")
    parser.add_argument("--limit", type=float, default=600.0, help="CPU seconds of a run")
    parser.add_argument("--simgrid-limit", type=float, default=300.0, help="the same; 0 for none")
    parser.add_argument("--scale", type=float, default=1.0, help="of the numbers of flows")
    parser.add_argument("--growth", type=Path, metavar="PICTURE")
    parser.add_argument("--points", type=Path, default=Path("growth.json"))
    options = parser.parse_args()
    if options.growth:
        cases = options.case or [name for name in CASES if name not in PARTS]
        curves = list(measured(cases, options.points, options.limit))
        draw(curves, options.growth)
        print(markdown(pd.DataFrame(table(curves))))
        return
    simgrid_limit = options.simgrid_limit
    try:
        print(f"SimGrid {version()}, ended after {simgrid_limit:.0f} s\n")
    except NoSimGridError as why:
        print(f"{why}; contend alone\n")
        simgrid_limit = 0.0
    rows = []
    for case in options.case or CASES:
        rows.append(row(case, options.scale, options.limit, simgrid_limit))
        print(rows[-1], file=sys.stderr)
    shown = pd.DataFrame(rows).fillna("")
    print(markdown(shown.loc[:, (shown != "").any()]))


if __name__ == "__main__":
    main()
