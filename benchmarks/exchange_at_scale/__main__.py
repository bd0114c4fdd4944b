"""Exchanges at the paper's scale and beyond, by the engine.

    python -m benchmarks.exchange_at_scale [--scenario NAME ...] [--picture PATH]

Source: Jeannot, Steffenel, Euro-Par 2007, figures 4 to 6: two clusters 1000 km apart, 30 + 30 and
20 + 40 nodes, 10 Gbit/s between them, messages up to 16 MiB. Prints a table for each scenario,
where the published gains are reached, and what the buffer of the backbone would say.
"""

import argparse
import sys
import time
from dataclasses import replace
from pathlib import Path

from benchmarks.exchange_at_scale import tables
from benchmarks.exchange_at_scale.joined import Joined
from benchmarks.exchange_at_scale.picture import draw
from benchmarks.exchange_at_scale.portfolio import (
    BALANCED,
    BY_LINK,
    LEADERS,
    NODE_AWARE,
    PACED,
    PAIRWISE,
    PIPELINED,
    SPACED,
    Member,
)
from benchmarks.exchange_at_scale.results import Scenario, rows

PAYLOAD = 1448 / 1538  # of a frame of TCP over Ethernet, preamble and gap counted
ALL = (BALANCED, PIPELINED, LEADERS, NODE_AWARE, PACED, SPACED, PAIRWISE)
MOST = (BALANCED, LEADERS, NODE_AWARE, PACED, SPACED, PAIRWISE)  # of 256 ranks chunks take minutes
FEW = (BALANCED, LEADERS, NODE_AWARE, Member("paced", "window", (16,)))
TURNS = (BALANCED, SPACED, Member("throttled_pairwise", "window", (BY_LINK,)))


def powers(step: int) -> list[int]:
    """Each power of two up to 16 MiB whose exponent is a multiple of `step`."""
    return [2**power for power in range(0, 25, step)]


def joined(*sizes: int) -> Joined:
    """Nodes of 1 Gbit/s, 10 Gbit/s and 5 ms one way between groups; 10 us of work per message."""
    gigabit = 1e9 / 8 * PAYLOAD
    return Joined(sizes, gigabit, 10 * gigabit, near=50e-6, far=5e-3, overhead=10e-6)


def by_turns(*sizes: int) -> Joined:
    """The same with ranks of the groups in turns."""
    return replace(joined(*sizes), is_interleaved=True)


SCENARIOS = (
    Scenario("30 + 30", joined(30, 30), powers(1), ALL),
    Scenario("20 + 40", joined(20, 40), powers(1), ALL),
    Scenario("64 + 192", joined(64, 192), powers(4), MOST),
    Scenario("64 + 192 by turns", by_turns(64, 192), [1, 2**12], TURNS),
    Scenario("16 x 64 by turns", by_turns(*[64] * 16), [1], (BALANCED, TURNS[-1])),
    Scenario("16 x 64", joined(*[64] * 16), [1, 2**6, 2**16], FEW),
)


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.exchange_at_scale", description=__doc__
    )
    names = [scenario.name for scenario in SCENARIOS]
    parser.add_argument("--scenario", choices=names, nargs="*", default=names)
    parser.add_argument("--picture", type=Path)
    options = parser.parse_args()
    wanted = [scenario for scenario in SCENARIOS if scenario.name in options.scenario]
    results = {}
    for scenario in wanted:
        begin = time.perf_counter()
        found = results[scenario.name] = rows(scenario)
        took = time.perf_counter() - begin
        print(f"{scenario.name}, milliseconds (solved in {took:.0f} s)\n\n{tables.times(found)}\n")
        sys.stdout.flush()
    pairs = [one for one in wanted if len(one.network.sizes) == 2 and len(one.sizes) > 2]
    two = {scenario.name: results[scenario.name] for scenario in pairs}
    if two:
        print(f"best member\n\n{tables.claims(two)}\n\nLG alone\n\n{tables.alone(two)}\n")
    for scenario in pairs:
        print(f"{tables.overflows(scenario, two[scenario.name])}\n")
    if options.picture:
        draw(results, options.picture)


if __name__ == "__main__":
    main()
