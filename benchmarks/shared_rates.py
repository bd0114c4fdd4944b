"""Rates under the models beside max-min: user CPU time, and what many problems at once gain.

Flows of 0.5 to 1.5 MB between hosts of 125 MB/s: all pairs of the hosts of one switch under
alpha-fair; under penalties over a fat tree all pairs of hosts, a burst of random pairs, and one hot
host that others send to for ten seconds. And fits in small: the same graphs under many parameters,
solved in a loop and by `solve_many`, wall clock and user CPU time.

    python -m benchmarks.shared_rates [--part alpha-fair penalties many]
"""

import argparse
import time
from collections.abc import Callable

import numpy as np
import pandas as pd
from benchmarks.engine import BANDWIDTH, SEED, Columns, all_to_all, user_seconds

from contend.cli.output import markdown
from contend.simulate.flows.engine import solve, solve_many, usable_processors
from contend.simulate.flows.flows import Flows
from contend.simulate.graphs.side_by_side import side_by_side
from contend.simulate.topologies import FatTree

PENALTIES = ("penalty3", "infiniband", "infiniband-residual", "equal_share")
ALPHAS = (0.5, 1.0, 2.0, 8.0)


def between(pairs: np.ndarray, start: np.ndarray) -> Columns:
    """A flow of 0.5 to 1.5 MB for each row (src, dst)."""
    random = np.random.default_rng(SEED)
    size = np.ceil(1e6 * random.uniform(0.5, 1.5, len(pairs)))
    return {"src": pairs[:, 0], "dst": pairs[:, 1], "bytes": size, "start": start}


def burst(hosts: int, flows: int) -> Columns:
    """Random pairs, all at once."""
    random = np.random.default_rng(SEED)
    src = random.integers(hosts, size=flows, dtype=np.int32)
    dst = (src + random.integers(1, hosts, size=flows, dtype=np.int32)) % np.int32(hosts)
    return between(np.column_stack([src, dst]), np.zeros(flows))


def hot_host(hosts: int, flows: int) -> Columns:
    """Random hosts to host 0, over ten seconds."""
    random = np.random.default_rng(SEED)
    src = random.integers(1, hosts, size=flows, dtype=np.int32)
    pairs = np.column_stack([src, np.zeros_like(src)])
    return between(pairs, np.sort(random.uniform(0, 10, flows)))


def taken(run: Callable[[], object]) -> tuple[float, float]:
    """Wall clock and user CPU time of a call, seconds."""
    begin, user = time.perf_counter(), user_seconds()
    run()
    return time.perf_counter() - begin, user_seconds() - user


def alpha_fair() -> pd.DataFrame:
    """All pairs of the hosts of one switch."""
    rows = []
    for hosts in (16, 32, 64):
        flows = all_to_all(hosts, 0.5)
        row = {"hosts": hosts, "flows": len(flows["src"])}
        for alpha in ALPHAS:
            _, user = taken(
                lambda flows=flows, alpha=alpha: solve(
                    flows, "alpha-fair", bandwidth=BANDWIDTH, parameters={"alpha": alpha}
                )
            )
            row[f"alpha {alpha:g}, user s"] = f"{user:.2f}"
        rows.append(row)
    return pd.DataFrame(rows)


def penalties() -> pd.DataFrame:
    """Over fat trees of 4 spines, with and without oversubscription."""
    cases = {
        "all pairs": (FatTree(8, 8, 4, BANDWIDTH), all_to_all(64, 0.5)),
        "all pairs, 4 : 1": (FatTree(8, 8, 4, BANDWIDTH, 4.0), all_to_all(64, 0.5)),
        "burst": (FatTree(16, 8, 4, BANDWIDTH), burst(128, 3000)),
        "burst, 4 : 1": (FatTree(16, 8, 4, BANDWIDTH, 4.0), burst(128, 3000)),
        "hot host": (FatTree(32, 32, 4, BANDWIDTH), hot_host(1024, 4000)),
    }
    rows = []
    for name, (tree, flows) in cases.items():
        row = {"case": name, "hosts": tree.hosts, "flows": len(flows["src"])}
        for model in PENALTIES:
            _, user = taken(
                lambda flows=flows, model=model, tree=tree: solve(flows, model, topology=tree)
            )
            row[f"{model}, user s"] = f"{user:.3f}"
        rows.append(row)
    return pd.DataFrame(rows)


def graphs(count: int) -> Flows:
    """Graphs of 2 to 7 random messages of 1 MB side by side."""
    random = np.random.default_rng(SEED)
    edges = []
    for number in range(count):
        src = random.integers(6, size=2 + number % 6)
        dst = (src + random.integers(1, 6, size=len(src))) % 6
        edges.append(tuple(zip(src.tolist(), dst.tolist(), strict=True)))
    return side_by_side(edges, [1e6] * count)


def many() -> pd.DataFrame:
    """Many parameters for the same flows: as fits of graphs have them, and larger ones."""
    cases = {
        "70 graphs, penalty3": (graphs(70), "penalty3", "beta_e", 2000),
        "70 graphs, alpha-fair": (graphs(70), "alpha-fair", "alpha", 1000),
        "all pairs of 16 hosts, alpha-fair": (all_to_all(16, 0.5), "alpha-fair", "alpha", 60),
        "burst of 3000, penalty3": (burst(128, 3000), "penalty3", "beta_e", 100),
    }
    threads = usable_processors()
    rows = []
    for name, (flows, model, parameter, count) in cases.items():
        values = [{parameter: value} for value in np.linspace(0.5, 3.0, count).tolist()]

        def loop(flows=flows, model=model, values=values) -> object:
            return [solve(flows, model, bandwidth=1e8, parameters=value) for value in values]

        def at_once(threads: int, flows=flows, model=model, values=values) -> object:
            return solve_many(flows, model, bandwidth=1e8, parameters=values, threads=threads)

        wall, user = taken(loop)
        one_wall, one_user = taken(lambda: at_once(1))
        all_wall, all_user = taken(lambda: at_once(threads))
        rows.append(
            {
                "problems": f"{count} x {name}",
                "loop, wall s": f"{wall:.2f}",
                "user s": f"{user:.2f}",
                "1 thread, wall s": f"{one_wall:.2f}",
                "user s ": f"{one_user:.2f}",
                f"{threads} threads, wall s": f"{all_wall:.2f}",
                "user s  ": f"{all_user:.2f}",
                "loop / threads, wall": f"{wall / all_wall:.1f}",
            }
        )
    return pd.DataFrame(rows)


PARTS = {"alpha-fair": alpha_fair, "penalties": penalties, "many": many}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--part", choices=PARTS, nargs="*", default=list(PARTS))
    for part in parser.parse_args().part:
        print(markdown(PARTS[part]()))


if __name__ == "__main__":
    main()
