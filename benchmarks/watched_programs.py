"""A network from watched programs and one from a campaign, in labs: which predicts better.

    python -m benchmarks.watched_programs FOLDER [--labs NAMES] [--seconds S] [--traced]
    python -m benchmarks.watched_programs FOLDER --table [--fastest]

In each lab twenty programs run under `contend watch`: those of patterns.c and kernels.c that call
collective operations, and others of watched.c with operations, sizes, ranks and uneven work of
their own, some of them on parts of the ranks. `contend fit` makes a network of the site's file, and
another of a campaign (`contend measure`) of the same operations. Points that neither has run, at
other n and m, are then measured and predicted by both. --traced fits what the programs of watched.c
note themselves in the place of what the watcher keeps; --include-flagged takes what was late too,
to try all this on a busy machine.

All is kept in FOLDER, and the same command goes on there. A run of a program during which the
lab's switch was late is done again, twice at most, and then left out; measured points are judged by
theirs. When S seconds are over (default 660), the programs that have run are those that count.

"Error" is that of predictions, |predicted / measured - 1|; "within" the share of measured times in
the interval of 90 %; "waited" the share of their time for which ranks of the measured points that
had work had no core, in the median: over a tenth, other work on the machine is in what they took.
--fastest takes of the campaign and the points the launch and the tenth of the repetitions that were
fastest, which waited least.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path

import numpy as np
import pandas as pd
from benchmarks.watched_machines import predictions, summary

from contend.base.units import parse_counts
from contend.cli.output import markdown
from contend.measure.lab import read_lab
from contend.measure.lab.session import RunningLab, start
from contend.measure.mpi import MPI, find_mpi
from contend.models.fitting.estimator import FitOptions
from contend.models.fitting.estimators.production import Production
from contend.models.fitting.fit import operations_in
from contend.models.network import Network
from contend.samples import LabConditions, Sample, quality, read_samples
from contend.samples.table import medians

LABS = {  # with n of programs, and of points that are measured afterwards
    "fast-ethernet,hosts=8,time_dilation=8": ("4,6,8", "5,7"),
    "two-clusters,hosts=4": ("5,6,8", "7"),
    "gigabit-dilated,hosts=8,time_dilation=40": ("4,6,8", "5,7"),
}
OPERATIONS = "alltoall,allreduce,bcast"
SIZES, NEW_SIZES = "1KiB,4KiB,8KiB,32KiB,64KiB,128KiB", "2KiB,6000,20000,50000,100000"
CAMPAIGN = ("--launches", "2", "--max-seconds", "400ms", "--min-repetitions", "5")
PATTERNS = (  # name, steps, bytes, microseconds
    ("alltoall", 20, 12_000, 5000), ("alltoall", 20, 40_000, 20_000),
    ("reduction", 20, 60_000, 3000), ("reduction", 20, 9000, 8000),
    ("transpose", 12, 20_000, 5000), ("sort", 12, 16_384, 3000), ("fourier", 8, 65_536, 4000),
)  # fmt: skip
GENERATED, STEPS = 13, 20
TRIES, LIMIT = 3, 120.0  # of a program; seconds after which one is given up
FASTEST = 0.1  # of the repetitions
HERE = Path(__file__).parent


def programs(counts: Sequence[int]) -> Iterator[tuple[int, list[str]]]:
    """Yield ranks, and program with arguments, of twenty programs; TRACE stands for a file."""
    power = max(n for n in counts if n & (n - 1) == 0)
    rng = np.random.default_rng(7)
    others = []
    for number in range(GENERATED):
        phases = [
            f"{rng.choice(OPERATIONS.split(','))}:{4 * int(2 ** rng.uniform(8, 15))}:"
            f"{10 ** rng.uniform(2.5, 4.0):.0f}:{10 ** rng.uniform(-3, -0.5):.3f}:"
            f"{int(rng.random() < 0.15)}"
            for _ in range(rng.integers(5, 9))
        ]
        words = ["watched", "TRACE", str(STEPS), str(number + 1), *phases]
        others.append((counts[number % len(counts)], words))
    patterns = [(power, ["patterns", *map(str, one)]) for one in PATTERNS]
    for number in range(max(len(patterns), len(others))):  # both kinds, wherever it ends
        yield from others[number : number + 1]
        yield from patterns[number : number + 1]


def built(folder: Path, mpi: MPI) -> None:
    """Compile the programs into a folder."""
    for name, *sources in (("watched", "watched.c"), ("patterns", "patterns.c", "kernels.c")):
        paths = [HERE / one for one in sources]
        subprocess.run([mpi.mpicc, "-O2", "-o", folder / name, *paths], check=True)


def run_programs(
    running: RunningLab,
    folder: Path,
    counts: Sequence[int],
    until: float,
    given: argparse.Namespace,
) -> None:
    """Run the programs that have not run yet, until then, each with a file of its own."""
    for number, (n, words) in enumerate(programs(counts)):
        site, failed = folder / f"program-{number:02}.jsonl", folder / f"program-{number:02}.late"
        if site.exists() or failed.exists() or time.time() > until:
            continue
        for _ in range(TRIES):
            trace = site.with_suffix(".new")
            trace.unlink(missing_ok=True)
            before = running.counters()
            done = run_program(running, folder, n, words, trace, is_traced=given.traced)
            grown = {k: v - before.get(k, 0) for k, v in running.counters().items()}
            conditions = LabConditions.from_counters(grown, running.lab.time_dilation)
            is_late = conditions.is_over_limits and not given.include_flagged
            late = conditions.limits_text if is_late else ""
            print(f"{site.stem}, {n} ranks: {done or late or 'in time'}", flush=True)
            if trace.exists() and not done and not late:
                trace.rename(site)
                break
        else:
            failed.write_text(done or late)


def run_program(
    running: RunningLab, folder: Path, n: int, words: Sequence[str], out: Path, *, is_traced: bool
) -> str:
    """Run one, which leaves its calls in `out`; what went wrong, "" for nothing."""
    if is_traced and words[0] != "watched":
        return "it notes nothing itself"
    arguments = [str(out) if one == "TRACE" and is_traced else one for one in words[1:]]
    arguments = ["-" if one == "TRACE" else one for one in arguments]
    command = ["mpiexec", "-n", str(n), str(folder.parent / words[0]), *arguments]
    if not is_traced:
        command = [sys.executable, "-m", "contend", "watch", "-o", str(out), "--", *command]
    try:
        done = subprocess.run(
            [*running.command(), *command], env={**os.environ, **running.variables},
            capture_output=True, text=True, timeout=LIMIT, check=False, stdin=subprocess.DEVNULL,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return f"not done after {LIMIT:g} s"
    return "" if done.returncode == 0 else f"{done.stderr.strip()[-300:]} ({done.returncode})"


def record_of(trace: Path, library: str) -> dict[str, object]:
    """Return the record that a watcher would keep of the calls that a program noted."""
    keys: defaultdict[tuple[str, int, int], list[list[float]]] = defaultdict(list)
    for line in trace.read_text().splitlines():
        operation, n, m, *rest = line.split()
        begin, end = np.array(rest, float).reshape(-1, 2).T * 1e-9
        spread, took = begin.max() - begin.min(), end.max() - begin.max()
        size = 1 << (int(m) - 1).bit_length()
        key = keys[operation, int(n), size]
        key.append([int(m), int(n), spread, took, begin.max() - begin.mean()])
    ranks, name = max(n for _, n, _ in keys), sha256(trace.name.encode()).hexdigest()
    calls = [
        {
            "operation": operation, "n": n, "nodes": n, "ppn": 1, "size": size, "algorithm": None,
            "calls": n * len(some), "bytes": 0, "seconds": 0.0, "bins": [], "samples": some,
        }
        for (operation, n, size), some in keys.items()
    ]  # fmt: skip
    return {
        "format": "contend-watch", "version": 1, "job": name[:16],
        "name": None, "began": trace.stat().st_mtime, "seconds": 1.0, "ranks": ranks,
        "nodes": ranks, "library": library, "clock_error": 0.0, "ended": "finalize",
        "not_kept": 0, "other_calls": {}, "calls": calls,
    }  # fmt: skip


def contend(*words: object) -> None:
    """Run a command of this project."""
    subprocess.run([sys.executable, "-m", "contend", *map(str, words)], check=True)


def measure(name: str, folder: Path, mpi: MPI, given: argparse.Namespace, until: float) -> None:
    """Run the programs, the campaign and the points of afterwards, as far as that is not done."""
    folder.mkdir(parents=True, exist_ok=True)
    counts, later = LABS[name]
    share = (until - time.time()) * 0.6
    with start(read_lab(name)) as running:
        end = time.time() + share
        run_programs(running, folder, parse_counts(counts), end, given)
    wanted = {"campaign": (counts, SIZES), "later": (later, NEW_SIZES)}
    for file, (n, sizes) in wanted.items():
        if not (folder / f"{file}.jsonl").exists():
            where = ("--on", f"lab:{name}", "-n", n, "-m", sizes)
            out = folder / f"{file}.new"
            out.unlink(missing_ok=True)
            by = ("--mpicc", mpi.mpicc)
            contend("measure", "--collective", OPERATIONS, *where, *CAMPAIGN, *by, "-o", out)
            out.rename(folder / f"{file}.jsonl")


def site_of(folder: Path, library: str) -> Path:
    """Return the site's file of all programs that have run."""
    site = folder / "site.jsonl"
    parts = sorted(folder.glob("program-*.jsonl"))
    texts = [one.read_text() for one in parts]
    lines = [
        text if text.startswith("{") else json.dumps(record_of(part, library)) + "\n"
        for part, text in zip(parts, texts, strict=True)
    ]
    site.write_text("".join(lines))
    return site


def fastest(samples: Sequence[Sample]) -> list[Sample]:
    """Return of each point the fastest launch, with its fastest repetitions for all."""
    quick = [
        one.model_copy(update={"times_s": (float(np.quantile(one.times_s, FASTEST)),)})
        for one in samples
    ]
    quick.sort(key=lambda one: one.median, reverse=True)
    chosen = {(one.experiment, one.n, one.m): one for one in quick}
    return [one.model_copy(update={"launch": 0, "rank_times_s": None}) for one in chosen.values()]


def rows_of(folder: Path, given: argparse.Namespace) -> pd.DataFrame:
    """Return predictions by both networks of the points measured afterwards."""
    campaign, later = (read_samples(folder / f"{one}.jsonl") for one in ("campaign", "later"))
    if given.fastest:
        campaign, later = fastest(campaign), fastest(later)
    library = next(one.provenance.mpi_library or "" for one in campaign)
    nets = {"programs": folder / "programs.json", "campaign": folder / "campaign.json"}
    for one in nets.values():
        one.unlink(missing_ok=True)
    contend("fit", site_of(folder, library), "-o", nets["programs"])
    usual = Production().fit(
        campaign, folder / "campaign.jsonl", FitOptions(include_flagged=given.include_flagged)
    )
    measured = [one.model_copy(update={"is_of_production": None}) for one in usual.operations]
    usual.model_copy(update={"operations": tuple(measured)}).save(nets["campaign"])
    later = quality.trusted(later, set(OPERATIONS.split(",")), given.include_flagged)
    points = pd.concat(
        medians(one for one in later if one.experiment == name).assign(operation=name)
        for name in sorted(operations_in(later))
    )
    waited = float(np.median([one.cpu_wait for one in later if one.cpu_wait is not None]))
    return pd.concat(
        predictions(Network.load(path), points).assign(network=name, waited=waited)
        for name, path in nets.items()
    )


def table(folders: dict[str, Path], given: argparse.Namespace) -> pd.DataFrame:
    """Return a row for each lab and network."""
    rows = []
    for name, folder in folders.items():
        found = rows_of(folder, given)
        found.to_csv(folder / "predictions.csv", index=False)
        jobs = len(list(folder.glob("program-*.jsonl")))
        for network, own in found.groupby("network"):
            what = f"{jobs} programs" if network == "programs" else "campaign"
            waited = f"{own['waited'].median():.0%}"
            lab = name.partition(",")[0]
            rows.append({"lab": lab, "network of": what, **summary(own), "waited": waited})
    return pd.DataFrame(rows)


def main() -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--labs", nargs="*", default=list(LABS), choices=list(LABS))
    parser.add_argument("--seconds", type=float, default=660.0)
    parser.add_argument("--traced", action="store_true")
    parser.add_argument("--include-flagged", action="store_true")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--fastest", action="store_true")
    parser.add_argument("--mpicc")
    given = parser.parse_args()
    base = given.folder.resolve()
    folders = {name: base / name.partition(",")[0] for name in given.labs}
    if not given.table:
        base.mkdir(parents=True, exist_ok=True)
        mpi, began = find_mpi(given.mpicc), time.time()
        built(base, mpi)
        for number, (name, folder) in enumerate(folders.items(), start=1):
            measure(name, folder, mpi, given, began + given.seconds * number / len(folders))
    print(markdown(table(folders, given)))


if __name__ == "__main__":
    main()
