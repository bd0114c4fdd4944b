"""Routes alone: CPU time and memory of finding the links of all flows, by topology and routing.

    python -m benchmarks.large_machines.routes [--flows N]

Flows are between random pairs and start one after another. Each run has a process of its own;
memory is what the peak gains beside the flows, the routes themselves included.
"""

import argparse
import multiprocessing

import numpy as np
import pandas as pd
from benchmarks.engine import BANDWIDTH, peak_bytes, user_seconds
from benchmarks.large_machines.cases import arrivals, spaced

from contend.cli.output import markdown
from contend.simulate.topologies import topology_of

WORDS = (
    "pgft:50x50x40/1x50x50@d-mod-k",
    "pgft:50x50x40/1x50x50@ecmp",
    "pgft:50x50x40/1x50x50@random",
    "pgft:50x50x40/1x50x50@adaptive",
    "dragonfly:129x64x12x2@minimal",
    "dragonfly:129x64x12x2@valiant",
    "dragonfly:129x64x12x2@adaptive",
    "torus:46x46x47@minimal",
)


def row(word: str, flows: int) -> dict[str, str]:
    """One topology and routing, in this process."""
    network = topology_of(word, BANDWIDTH)
    if network is None:
        raise ValueError(f"{word} has no routes")
    columns = arrivals(network.hosts, 0.3)(flows)
    network.routes(np.array([0]), np.array([1]))
    before, begin = peak_bytes(), user_seconds()
    found = network.carrying(columns["src"], columns["dst"], columns["bytes"], columns["start"])
    user, memory = user_seconds() - begin, peak_bytes() - before
    topology, _, routing = word.partition("@")
    return {
        "topology": topology,
        "hosts": spaced(network.hosts),
        "links": spaced(len(network.capacity())),
        "routing": routing,
        "flows": spaced(flows),
        "links per flow": f"{len(found.links) / flows:.1f}",
        "s": f"{user:.2f}",
        "MB": f"{memory / 1e6:.0f}",
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.large_machines.routes",
        description="user CPU time and memory of finding the links of all flows",
    )
    parser.add_argument("--flows", type=int, default=10_000_000)
    options = parser.parse_args()
    rows = []
    for word in WORDS:
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            rows.append(pool.apply(row, (word, options.flows)))
    print(markdown(pd.DataFrame(rows)))


if __name__ == "__main__":
    main()
