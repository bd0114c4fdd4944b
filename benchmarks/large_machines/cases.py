"""Cases: flows, in any number, on machines of up to 100 000 hosts.

Sizes are whole bytes, 1 MB on average, links of hosts carry 125 MB/s. Numbers of flows that a case
is not made for are those of a smaller or larger one like it, for its growth.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import isqrt

import numpy as np
from benchmarks.engine import BANDWIDTH, SEED, TOPOLOGIES, Columns, all_to_all, burst, poisson

from contend.simulate.topologies import Topology, topology_of

THREE_LEVELS = TOPOLOGIES["burst-3-levels"]  # 8192 hosts
TWO_LEVELS = TOPOLOGIES["burst-2-levels"]  # 8192 hosts
LARGE = "pgft:50x50x40/1x50x50@random:1"  # 100 000 hosts
TOLERANCE = 1e-3


@dataclass(frozen=True)
class Case:
    """Flows by their number, on a topology; how they are solved, and within how many seconds.

    `goal` is None where none is set. `has_simgrid` says whether SimGrid can do it: it has no
    alpha-fair shares, and no memory mappings for the stacks of 100 000 actors.
    """

    flows: int
    columns: Callable[[int], Columns]
    word: str = "switch"
    model: str = "maxmin"
    tolerance: float = 0.0
    goal: float | None = None  # user seconds
    has_simgrid: bool = True

    def topology(self) -> Topology | None:
        """None for one switch."""
        return topology_of(self.word, BANDWIDTH)


def random_sizes(flows: int) -> Columns:
    """All pairs of hosts of one switch, as many as give at least these flows; sizes +-50 %."""
    return all_to_all((1 + isqrt(4 * flows + 1)) // 2, 0.5)


def bursts(hosts: int) -> Callable[[int], Columns]:
    """Flows between random pairs that start together, of exponential sizes."""
    return lambda flows: burst(hosts, flows)


def arrivals(hosts: int, load: float) -> Callable[[int], Columns]:
    """Flows of exponential sizes at random times: hosts send this share of their bandwidth."""
    return lambda flows: poisson(hosts, flows, load)


def shuffle(hosts: int) -> Callable[[int], Columns]:
    """From each of some hosts to each of as many others, all at once, of exponential sizes."""

    def made(flows: int) -> Columns:
        random = np.random.default_rng(SEED)
        ends = isqrt(flows)
        chosen = random.permutation(hosts)[: 2 * ends].astype(np.int32)
        size = np.ceil(random.exponential(1e6, ends**2))
        return {
            "src": np.repeat(chosen[:ends], ends),
            "dst": np.tile(chosen[ends:], ends),
            "bytes": size,
            "start": np.zeros(ends**2),
        }

    return made


def spaced(number: int) -> str:
    """With spaces between thousands."""
    return f"{number:,}".replace(",", " ")


CASES: dict[str, Case] = {
    "random-128": Case(128 * 127, random_sizes, goal=0.35),
    "random-512": Case(512 * 511, random_sizes, goal=60),
    "random-512, within 1e-3": Case(512 * 511, random_sizes, tolerance=TOLERANCE, goal=10),
    "burst, 3 levels": Case(60_000, bursts(8192), THREE_LEVELS, goal=1.5),
    "burst, 2 levels": Case(60_000, bursts(8192), TWO_LEVELS, goal=0.6),
    "load 0.7, 3 levels": Case(1_000_000, arrivals(8192, 0.7), THREE_LEVELS, goal=60),
    "shuffle, within 1e-3": Case(
        1_000_000, shuffle(8192), THREE_LEVELS, tolerance=TOLERANCE, goal=120
    ),
    "load 0.3, 100 000 hosts": Case(
        10_000_000, arrivals(100_000, 0.3), LARGE, goal=300, has_simgrid=False
    ),
    "alpha-fair": Case(32 * 31, random_sizes, model="alpha-fair", goal=0.7, has_simgrid=False),
}
