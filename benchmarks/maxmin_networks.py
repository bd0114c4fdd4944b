"""Max-min on many small random networks: are all rates fair, and what does a tolerance cost.

The rates of every step are held against the definition: no link carries more than it can, and every
flow has a bottleneck, a full link on which none is faster. No other rates are so (Bertsekas,
Gallager, "Data Networks", 1992, section 6.5.2). The bytes of each flow must come to what it has.

    python -m benchmarks.maxmin_networks [--networks 100000] [--seed 1]
"""

import argparse
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import pandas as pd

from contend.cli.output import markdown
from contend.simulate.flows.engine import Solution, solve
from contend.simulate.topologies import Links

TOLERANCES = (1e-2, 1e-3)
# An instant between ties that rounding has set apart is no step that could be seen.
INSTANT = 1e-11


@dataclass(frozen=True)
class Network:
    """Flows over links: `routes` (n_flows,) lists of links, `capacity` (n_links,) bytes/s."""

    routes: list[list[int]]
    capacity: np.ndarray
    size: np.ndarray
    start: np.ndarray

    def solve(self, tolerance: float = 0.0) -> Solution:
        flows = {
            "src": np.zeros(len(self.size), dtype=np.int32),
            "dst": np.ones(len(self.size), dtype=np.int32),
            "bytes": self.size,
            "start": self.start,
            "route": self.routes,
        }
        return solve(
            flows,
            bandwidth=1.0,
            topology=Links(2, self.capacity),
            is_recorded=tolerance == 0.0,
            tolerance=tolerance,
        )

    def uses(self) -> np.ndarray:
        """Whether a link is on a route, (n_links, n_flows)."""
        uses = np.zeros((len(self.capacity), len(self.routes)), dtype=bool)
        for flow, route in enumerate(self.routes):
            uses[route, flow] = True
        return uses


def _sizes(random: np.random.Generator, flows: int) -> np.ndarray:
    """Alike, a few, or over six powers of ten; some of nothing."""
    size = [
        lambda: np.ones(flows),
        lambda: random.integers(0, 3, flows, endpoint=True).astype(float),
        lambda: 10 ** random.uniform(-3, 3, flows),
        lambda: random.exponential(size=flows),
    ][random.integers(4)]()
    return np.where(random.random(flows) < 0.05, 0.0, size)


def _starts(random: np.random.Generator, flows: int, spread: float) -> np.ndarray:
    """All at once, at a few times, or at any."""
    return [
        lambda: np.zeros(flows),
        lambda: random.integers(0, 3, flows, endpoint=True) * spread / 3,
        lambda: random.uniform(0, spread, flows),
    ][random.integers(3)]()


def _network(random: np.random.Generator, routes: list[list[int]], capacity: np.ndarray) -> Network:
    size = _sizes(random, len(routes))
    start = _starts(random, len(routes), size.sum() / capacity.sum())
    return Network(routes, capacity, size, start)


def any_routes(random: np.random.Generator) -> Network:
    """Routes of 1 to 6 links in any order; capacities alike, a few, or over four powers of ten."""
    links, flows = random.integers(1, 13), random.integers(1, 31)
    capacity = [
        lambda: np.ones(links),
        lambda: random.integers(1, 3, links, endpoint=True).astype(float),
        lambda: 10 ** random.uniform(-2, 2, links),
    ][random.integers(3)]()
    lengths = random.integers(1, min(6, links), flows, endpoint=True)
    routes = [random.permutation(links)[:length].tolist() for length in lengths]
    return _network(random, routes, capacity)


def one_switch(random: np.random.Generator) -> Network:
    """Random pairs of hosts, of which one is hot in half of the networks."""
    hosts, flows = random.integers(2, 13), random.integers(1, 41)
    src = random.integers(hosts, size=flows)
    dst = (src + random.integers(1, hosts, size=flows)) % hosts
    if random.random() < 0.5:
        dst = np.where((random.random(flows) < 0.7) & (src != 0), 0, dst)
    routes = np.stack([src, hosts + dst], axis=1).tolist()
    return _network(random, routes, random.integers(1, 2, 2 * hosts, endpoint=True).astype(float))


def all_to_all(random: np.random.Generator) -> Network:
    """Between all pairs of hosts."""
    hosts = random.integers(2, 9)
    src, dst = np.nonzero(~np.eye(hosts, dtype=bool))
    return _network(random, np.stack([src, hosts + dst], axis=1).tolist(), np.ones(2 * hosts))


def leaves_and_spines(random: np.random.Generator) -> Network:
    """Random pairs of hosts under leaf switches, each over a random spine."""
    leaves, under, spines = random.integers(2, 5), random.integers(1, 5), random.integers(1, 4)
    hosts, flows = leaves * under, random.integers(1, 41)
    src = random.integers(hosts, size=flows)
    dst = (src + random.integers(1, hosts, size=flows)) % hosts
    routes = []
    for s, d in zip(src.tolist(), dst.tolist(), strict=True):
        up = 2 * hosts + s // under * spines + random.integers(spines)
        down = up + (leaves + d // under - s // under) * spines
        between = [] if s // under == d // under else [int(up), int(down)]
        routes.append([s, *between, hosts + d])
    return _network(random, routes, np.ones(2 * hosts + 2 * leaves * spines))


def chain(random: np.random.Generator) -> Network:
    """Flows over stretches of a line of links: what one gets depends on all the others."""
    links, flows = random.integers(2, 21), random.integers(2, 41)
    first = random.integers(links, size=flows)
    last = random.integers(first, links)
    routes = [list(range(a, b + 1)) for a, b in zip(first.tolist(), last.tolist(), strict=True)]
    return _network(random, routes, random.uniform(0.5, 2.0, links))


KINDS: dict[str, Callable[[np.random.Generator], Network]] = {
    kind.__name__.replace("_", " "): kind
    for kind in (any_routes, one_switch, all_to_all, leaves_and_spines, chain)
}


@dataclass
class Worst:
    """The largest of each over all networks seen, relative."""

    steps: int = 0
    over_full: float = 0.0  # load above capacity
    unfair: float = 0.0  # how far a flow is from having a bottleneck
    bytes: float = 0.0  # moved and not
    ends: dict[float, float] = field(default_factory=dict)  # per tolerance, in tolerance x span

    def see(self, network: Network) -> None:
        solution = network.solve()
        uses, recorded = network.uses(), solution.recorded
        begin, until, flow, rate = (recorded[name] for name in ("begin", "until", "flow", "rate"))
        for now, then in pairwise(np.unique([begin, until])):
            is_in = (begin <= now) & (until >= then)
            if then - now > INSTANT * then and is_in.any():
                self._see_step(network.capacity, uses[:, flow[is_in]], rate[is_in])
        moved = np.bincount(flow, (until - begin) * rate, minlength=len(network.size))
        is_some = network.size > 0
        lost = np.abs(moved - network.size)[is_some] / network.size[is_some]
        self.bytes = max(self.bytes, lost.max(initial=0.0))
        self._see_tolerances(network, solution)

    def _see_step(self, capacity: np.ndarray, uses: np.ndarray, rate: np.ndarray) -> None:
        """See the flows of one step: `uses` (n_links, n_flows), `rate` (n_flows,)."""
        load = uses @ rate
        fastest = np.where(uses, rate, 0.0).max(axis=1)
        slower = 1 - rate / np.where(fastest > 0, fastest, 1.0)[:, None]
        gap = np.where(uses, np.maximum((1 - load / capacity)[:, None], slower), np.inf).min(axis=0)
        self.steps += 1
        self.over_full = max(self.over_full, (load / capacity - 1).max())
        self.unfair = max(self.unfair, gap.max())

    def _see_tolerances(self, network: Network, solution: Solution) -> None:
        for tolerance in TOLERANCES:
            span = solution.end - network.start.min()
            off = np.abs(network.solve(tolerance).end - solution.end)[span > 0] / span[span > 0]
            worst = max(self.ends.get(tolerance, 0.0), off.max(initial=0.0) / tolerance)
            self.ends[tolerance] = worst


def worst_of(kind: str, networks: int, seed: int) -> Worst:
    """Over so many networks of a kind."""
    random = np.random.default_rng(seed)
    worst = Worst()
    for _ in range(networks):
        worst.see(KINDS[kind](random))
    return worst


def row(kind: str, networks: int, seed: int) -> dict[str, str]:
    worst = worst_of(kind, networks, seed)
    return {
        "networks": kind,
        "number": str(networks),
        "steps": str(worst.steps),
        "over-full by": f"{worst.over_full:.1e}",
        "short of a bottleneck by": f"{worst.unfair:.1e}",
        "bytes off by": f"{worst.bytes:.1e}",
        **{f"off, tolerance {t:g}": f"{off:.2f}" for t, off in worst.ends.items()},
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--networks", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    each = -(-options.networks // len(KINDS))
    print(markdown(pd.DataFrame(row(kind, each, options.seed) for kind in KINDS)))


if __name__ == "__main__":
    main()
