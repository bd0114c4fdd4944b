"""The engine on all-to-alls, hot hosts, bursts and Poisson arrivals: user CPU time and memory.

Each case runs in a process of its own, so that its peak memory is its own: once, or with another
core beside it (the extension contend._core, built from another commit) as often as `--rounds`
says, in turn with that core, and the shortest runs count. The same cases against SimGrid:
python -m benchmarks.simgrid

    python -m benchmarks.engine [--model maxmin ...] [--case NAME ...]
                                [--beside _core.so] [--rounds N]
"""

import argparse
import importlib.util
import multiprocessing
import resource
import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from contend.cli.output import markdown
from contend.simulate.flows.engine import solve
from contend.simulate.flows.models import names
from contend.simulate.topologies import topology_of

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


def hot_hosts(flows: int, sources: int, sinks: int = 1, is_in: bool = True) -> Columns:
    """Flows from as many to each source, in turn, to random sinks, or the other way round."""
    random = np.random.default_rng(SEED)
    src = (sinks + np.arange(flows) % sources).astype(np.int32)
    dst = random.integers(sinks, size=flows, dtype=np.int32)
    size = np.ceil(1e6 * random.uniform(0.5, 1.5, flows))
    start = random.uniform(0, 0.5 * size.sum() / BANDWIDTH / sinks, flows)
    src, dst = (src, dst) if is_in else (dst, src)
    return {"src": src, "dst": dst, "bytes": size, "start": start}


def pairs(hosts: int, flows: int, random: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Random src and dst, two different hosts, all pairs different."""
    count = hosts * (hosts - 1)
    drawn = np.unique(random.integers(count, size=flows))
    while len(drawn) < flows:
        more = random.integers(count, size=2 * (flows - len(drawn)))
        drawn = np.unique(np.concatenate([drawn, more]))
    src, other = np.divmod(random.permutation(drawn)[:flows], hosts - 1)
    return src.astype(np.int32), (other + (other >= src)).astype(np.int32)


def burst(hosts: int, flows: int) -> Columns:
    """Flows between random pairs that start together, of exponential sizes."""
    random = np.random.default_rng(SEED)
    src, dst = pairs(hosts, flows, random)
    size = np.ceil(random.exponential(1e6, flows))
    return {"src": src, "dst": dst, "bytes": size, "start": np.zeros(flows)}


# Of the cases that are not on one switch.
TOPOLOGIES = {
    "burst-2-levels": "fat-tree:256x32x32@random:1",
    "burst-3-levels": "k-ary:32@random:1",
    "load-0.7": "k-ary:32@random:1",
    "load-0.7-1M": "k-ary:32@random:1",
}
CASES: dict[str, Callable[[], Columns]] = {
    "random-64": lambda: all_to_all(64, 0.5),
    "random-128": lambda: all_to_all(128, 0.5),
    "equal-256": lambda: all_to_all(256),
    "equal-512": lambda: all_to_all(512),
    "poisson-256": lambda: poisson(256, 10_000, 0.9),
    "poisson-1024": lambda: poisson(1024, 10_000, 0.9),
    "poisson-100k": lambda: poisson(256, 100_000, 0.5),
    "fan-in-200k": lambda: hot_host(200_000, True),
    "fan-in-40k": lambda: hot_host(40_000, True),
    "fan-out-200k": lambda: hot_host(200_000, False),
    "poisson-1M": lambda: poisson(256, 1_000_000, 0.5),
    "hot-host-40k": lambda: hot_hosts(40_000, 4000),
    "hot-host-200k": lambda: hot_hosts(200_000, 20_000),
    "hot-source-40k": lambda: hot_hosts(40_000, 4000, is_in=False),
    "8-hot-hosts-40k": lambda: hot_hosts(40_000, 4000, sinks=8),
    "2-to-2-hosts-40k": lambda: hot_hosts(40_000, 2, sinks=2),
    "10-to-10-hosts-40k": lambda: hot_hosts(40_000, 10, sinks=10),
    "one-pair-40k": lambda: hot_hosts(40_000, 1),
    "burst-2-levels": lambda: burst(8192, 60_000),
    "burst-3-levels": lambda: burst(8192, 60_000),
    "load-0.7": lambda: poisson(8192, 100_000, 0.7),
    "load-0.7-1M": lambda: poisson(8192, 1_000_000, 0.7),
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


def load_core(path: Path) -> None:
    """Take the core of this file from now on."""
    spec = importlib.util.spec_from_file_location("contend._core", path)
    if spec is None or spec.loader is None:
        raise SystemExit(f"{path} is no extension; give contend._core as it was built elsewhere")
    warnings.filterwarnings("ignore", "nanobind: type", RuntimeWarning)  # both have the same ones
    core = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(core)
    for name, module in list(sys.modules.items()):
        if name.startswith("contend") and hasattr(module, "_core"):
            module._core = core  # type: ignore[attr-defined]
    sys.modules["contend._core"] = core


def run(case: str, model: str, core: Path | None = None) -> Figures:
    """Figures of one case, in this process; by another core if one is given."""
    if core:
        load_core(core)
    solve({"src": [0], "dst": [1], "bytes": [1]}, model, bandwidth=1.0)
    before = peak_bytes()
    flows = CASES[case]()
    begin = user_seconds()
    topology = topology_of(TOPOLOGIES.get(case, "switch"), BANDWIDTH)
    solution = solve(flows, model, bandwidth=BANDWIDTH, topology=topology)
    user = user_seconds() - begin
    return Figures(solution.events, user, peak_bytes() - before, solution.end)


def run_alone(case: str, model: str = "maxmin", core: Path | None = None) -> Figures:
    """Figures of one case, in a process of its own."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(run, (case, model, core))


def row(case: str, models: list[str]) -> dict[str, str]:
    """Seconds and bytes per flow of a case by each model."""
    found = {model: run_alone(case, model) for model in models}
    flows = len(next(iter(found.values())).end)
    times = {f"{model}, user s": f"{one.user:.3f}" for model, one in found.items()}
    memory = {f"{model}, B/flow": f"{one.memory / flows:.0f}" for model, one in found.items()}
    return {"case": case, "flows": f"{flows:,}".replace(",", " "), **times, **memory}


def row_beside(case: str, model: str, core: Path, rounds: int) -> dict[str, str]:
    """A case by both cores in turn: the shortest of so many runs, and how much ends differ."""
    runs = [(run_alone(case, model, core), run_alone(case, model)) for _ in range(rounds)]
    before, now = (min(each, key=lambda one: one.user) for each in zip(*runs, strict=True))
    flows = len(now.end)
    return {
        "case": case,
        "flows": f"{flows:,}".replace(",", " "),
        "before, user s": f"{before.user:.3f}",
        "user s": f"{now.user:.3f}",
        "before / now": f"{before.user / now.user:.2f}",
        "before, B/flow": f"{before.memory / flows:.0f}",
        "B/flow": f"{now.memory / flows:.0f}",
        "difference": f"{np.abs(now.end / before.end - 1).max():.1e}",
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    choices = [name for name in names() if name != "measured"]
    parser.add_argument("--model", choices=choices, nargs="*", default=["maxmin"])
    parser.add_argument("--case", choices=CASES, nargs="*", default=list(CASES))
    parser.add_argument("--beside", type=Path, metavar="FILE", help="another core")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    if options.beside is None:
        rows = [row(case, options.model) for case in options.case]
    else:
        rows = [
            row_beside(case, options.model[0], options.beside, options.rounds)
            for case in options.case
        ]
    print(markdown(pd.DataFrame(rows)))


if __name__ == "__main__":
    main()
