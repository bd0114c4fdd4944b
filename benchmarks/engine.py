"""The engine on random and equal all-to-alls and Poisson arrivals: user CPU time, memory per flow.

Each case runs once, in a process of its own, so that its peak memory is its own. The same cases
against SimGrid: python -m benchmarks.simgrid

    python -m benchmarks.engine [--model maxmin ...] [--case NAME ...]
"""

import argparse
import multiprocessing
import resource
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from contend.cli.output import markdown
from contend.flows.engine import solve
from contend.flows.models import names

BANDWIDTH = 125e6
SEED = 1
Columns = dict[str, np.ndarray]


def all_to_all(hosts: int, spread: float = 0.0) -> Columns:
    """A flow of about 1 MB between any two hosts; whole sizes uniform within 1 MB +- spread."""
    src, dst = np.divmod(np.arange(hosts * hosts, dtype=np.int32), np.int32(hosts))
    keep = src != dst
    random = np.random.default_rng(SEED)
    size = np.ceil(1e6 * random.uniform(1 - spread, 1 + spread, keep.sum()))
    return {"src": src[keep], "dst": dst[keep], "bytes": size, "start": np.zeros(len(size))}


def poisson(hosts: int, flows: int, load: float) -> Columns:
    """Random pairs, whole exponential sizes of mean 1 MB; hosts send `load` of their bandwidth."""
    random = np.random.default_rng(SEED)
    src = random.integers(hosts, size=flows, dtype=np.int32)
    dst = (src + random.integers(1, hosts, size=flows, dtype=np.int32)) % np.int32(hosts)
    gap = 1e6 / (load * hosts * BANDWIDTH)
    return {
        "src": src,
        "dst": dst,
        "bytes": np.ceil(random.exponential(1e6, flows)),
        "start": np.cumsum(random.exponential(gap, flows)),
    }


def hot_host(flows: int, is_in: bool) -> Columns:
    """Flows of as many hosts into one host, or out of it, of different sizes and starts."""
    random = np.random.default_rng(SEED)
    others = np.arange(1, flows + 1, dtype=np.int32)
    hub = np.zeros(flows, dtype=np.int32)
    size = np.ceil(1e6 * random.uniform(0.5, 1.5, flows))
    start = random.uniform(0, 0.5 * size.sum() / BANDWIDTH, flows)
    src, dst = (others, hub) if is_in else (hub, others)
    return {"src": src, "dst": dst, "bytes": size, "start": start}


CASES: dict[str, Callable[[], Columns]] = {
    "random-64": lambda: all_to_all(64, 0.5),
    "random-128": lambda: all_to_all(128, 0.5),
    "equal-256": lambda: all_to_all(256),
    "equal-512": lambda: all_to_all(512),
    "poisson-256": lambda: poisson(256, 10_000, 0.9),
    "poisson-1024": lambda: poisson(1024, 10_000, 0.9),
    "poisson-100k": lambda: poisson(256, 100_000, 0.5),
    "fan-in-200k": lambda: hot_host(200_000, True),
    "fan-out-200k": lambda: hot_host(200_000, False),
    "poisson-1M": lambda: poisson(256, 1_000_000, 0.5),
}


@dataclass(frozen=True)
class Figures:
    """Of one case; memory is what the peak gains by the flows' arrays and the solution."""

    events: int
    user: float  # seconds
    memory: int  # bytes
    end: np.ndarray  # (n_flows,) seconds


def user_seconds() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_utime


def peak_bytes() -> int:
    """Of this program alone; ru_maxrss would begin with what its parent had."""
    status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    return 1024 * int(status["VmHWM"].split()[0])


def run(case: str, model: str) -> Figures:
    """Figures of one case, in this process."""
    solve({"src": [0], "dst": [1], "bytes": [1]}, model, bandwidth=1.0)
    before = peak_bytes()
    flows = CASES[case]()
    begin = user_seconds()
    solution = solve(flows, model, bandwidth=BANDWIDTH)
    user = user_seconds() - begin
    return Figures(solution.events, user, peak_bytes() - before, solution.end)


def run_alone(case: str, model: str = "maxmin") -> Figures:
    """Figures of one case, in a process of its own."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(run, (case, model))


def row(case: str, models: list[str]) -> dict[str, str]:
    """Seconds and bytes per flow of a case by each model."""
    found = {model: run_alone(case, model) for model in models}
    flows = len(next(iter(found.values())).end)
    times = {f"{model}, user s": f"{one.user:.3f}" for model, one in found.items()}
    memory = {f"{model}, B/flow": f"{one.memory / flows:.0f}" for model, one in found.items()}
    return {"case": case, "flows": f"{flows:,}".replace(",", " "), **times, **memory}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    choices = [name for name in names() if name != "measured"]
    parser.add_argument("--model", choices=choices, nargs="*", default=["maxmin"])
    parser.add_argument("--case", choices=CASES, nargs="*", default=list(CASES))
    options = parser.parse_args()
    print(markdown(pd.DataFrame(row(case, options.model) for case in options.case)))


if __name__ == "__main__":
    main()
