"""The engine on random and equal all-to-alls and Poisson arrivals: user CPU time, memory per flow.

Each case runs in a process of its own, so that its peak memory is its own. Beside it stands what
SimGrid 4.1 took for such a case in an earlier run on another day; no ratio is claimed from these.

    python benchmarks/engine.py [--model maxmin] [--case NAME ...]
"""

import argparse
import json
import resource
import subprocess
import sys
from collections.abc import Callable

import numpy as np

from contend.sharing import names, solve

BANDWIDTH = 125e6
SEED = 1
Columns = dict[str, np.ndarray]


def all_to_all(hosts: int, spread: float = 0.0) -> Columns:
    """A flow of about 1 MB between any two hosts; sizes uniform within 1 MB +- spread."""
    src, dst = np.divmod(np.arange(hosts * hosts, dtype=np.int32), np.int32(hosts))
    keep = src != dst
    random = np.random.default_rng(SEED)
    size = 1e6 * random.uniform(1 - spread, 1 + spread, keep.sum())
    return {"src": src[keep], "dst": dst[keep], "bytes": size}


def poisson(hosts: int, flows: int, load: float) -> Columns:
    """Random pairs, exponential sizes of mean 1 MB; each host sends `load` of its bandwidth."""
    random = np.random.default_rng(SEED)
    src = random.integers(hosts, size=flows, dtype=np.int32)
    dst = (src + random.integers(1, hosts, size=flows, dtype=np.int32)) % np.int32(hosts)
    gap = 1e6 / (load * hosts * BANDWIDTH)
    return {
        "src": src,
        "dst": dst,
        "bytes": random.exponential(1e6, flows),
        "start": np.cumsum(random.exponential(gap, flows)),
    }


# Case, its flows, and the seconds of SimGrid 4.1.
CASES: dict[str, tuple[Callable[[], Columns], str]] = {
    "equal-256": (lambda: all_to_all(256), "0.32"),
    "equal-512": (lambda: all_to_all(512), "1.68"),
    "random-64": (lambda: all_to_all(64, 0.5), "1.8-2.2"),
    "random-128": (lambda: all_to_all(128, 0.5), "79"),
    "poisson-256": (lambda: poisson(256, 10_000, 0.9), "8.6"),
    "poisson-1024": (lambda: poisson(1024, 10_000, 0.9), "28.5"),
    "poisson-100k": (lambda: poisson(256, 100_000, 0.5), "19.2"),
    "poisson-1M": (lambda: poisson(256, 1_000_000, 0.5), "-"),
}


def user_seconds() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_utime


def peak_bytes() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def run(case: str, model: str) -> dict[str, float]:
    """Figures of one case, in this process; memory counts the flows' own arrays too."""
    solve({"src": [0], "dst": [1], "bytes": [1]}, model, bandwidth=1.0)
    before = peak_bytes()
    flows = CASES[case][0]()
    begin = user_seconds()
    solution = solve(flows, model, bandwidth=BANDWIDTH)
    seconds = user_seconds() - begin
    count = len(solution.end)
    return {
        "flows": count,
        "events": solution.events,
        "user": seconds,
        "bytes": (peak_bytes() - before) / count,
        "end": float(solution.end.max()),
    }


def in_own_process(case: str, model: str) -> dict[str, float]:
    command = [sys.executable, __file__, "--model", model, "--one", case]
    found: dict[str, float] = json.loads(subprocess.check_output(command))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", choices=[n for n in names() if n != "measured"], nargs="*")
    parser.add_argument("--case", choices=CASES, nargs="*")
    parser.add_argument("--one", choices=CASES, help=argparse.SUPPRESS)
    options = parser.parse_args()
    models = options.model or ["maxmin"]
    if options.one:
        print(json.dumps(run(options.one, models[0])))
        return
    heads = ("model", "case", "flows", "events", "user s", "us/event", "B/flow", "SimGrid 4.1 s*")
    print("{:20} {:13} {:>8} {:>8} {:>8} {:>9} {:>7} {:>15}".format(*heads))
    for model in models:
        for case in options.case or list(CASES):
            found = in_own_process(case, model)
            print(
                f"{model:20} {case:13} {found['flows']:8} {found['events']:8} {found['user']:8.3f} "
                f"{found['user'] / found['events'] * 1e6:9.2f} {found['bytes']:7.0f} "
                f"{CASES[case][1]:>15}"
            )
    print("* max-min, stored figures of another run on another machine; not measured here")


if __name__ == "__main__":
    main()
