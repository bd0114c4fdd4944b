"""Programs of a few exchanges with the exchange library and without it, in pairs.

    python -m benchmarks.exchange_pairs FOLDER [--mpicc WRAPPER] [--labs NAMES] [--calls COUNTS]
        [--sizes SIZES] [--matrices NAMES] [--pairs N] [--hosts FOLDER]
    python -m benchmarks.exchange_pairs FOLDER --table

In each lab, calls_in_a_row.c runs alone and as `contend alltoall run -- mpiexec ...` with no other
option, in turns; with --hosts of a folder whose LAB.toml is a file of `contend measure hosts`, also
with `--groups` of it. Every pair is a line of FOLDER/pairs.jsonl, and the same command goes on
there. The table has for each program the median over the pairs of the library's time over that with
contend, the least and the largest, by how much MPI_Init is longer, and for both the time of a call over the
bound that no algorithm beats (of every link, the bytes that must pass it over its rate, and one
way).
"""

import argparse
import json
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd

from contend.base.units import format_bytes, parse_bytes_list, parse_counts
from contend.cli.output import markdown
from contend.measure.exchange.placement import bound_on_lab, hosts_on_lab, placed
from contend.measure.lab import read_lab
from contend.measure.lab.levels import declared
from contend.measure.mpi import find_mpi

LABS = (
    "two-clusters", "two-clusters,buffer=24KiB", "two-clusters-uneven",
    "two-clusters-uneven,buffer=24KiB", "three-clusters", "fast-ethernet",
)  # fmt: skip
PER_HOST = {"fast-ethernet,hosts=4,time_dilation=8": 4}
MATRICES = ("alltoall", "uniform", "biased", "random", "sparse", "blocks")
LIMIT = 120.0  # seconds of a run


def ranks_on(lab: str) -> int:
    return len(read_lab(lab).hosts) * PER_HOST.get(lab, 1)


def run(command: list[str]) -> list[float]:
    """Seconds of the exchanges and of MPI_Init, as a run prints them."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}\n{done.stderr}")
    return [float(word) for word in done.stdout.split()[:2]]


def inside(given: argparse.Namespace) -> None:
    """Run all pairs of the lab that this process is in."""
    lab, mpi = given.inside, find_mpi(given.mpicc)
    ranks = ranks_on(lab)
    launcher = [*mpi.launcher, "-n", str(ranks)]
    with_contend = [sys.executable, "-m", "contend", "alltoall", "run"]
    ways = {"library": [], "contend": [*with_contend, "--"]}
    if given.hosts:
        groups = given.hosts / f"{lab.partition(',')[0]}.toml"
        ways["groups"] = [*with_contend, "--groups", str(groups), "--"]
    path = given.folder / "pairs.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    standing = [{**json.loads(line), "seconds": None} for line in lines]
    program = str(given.folder / Path(mpi.mpicc).parts[1] / "calls_in_a_row")
    cells = product(range(given.pairs), given.matrices, given.sizes, given.calls)
    for pair, matrix, m, calls in cells:
        row = {"lab": lab, "mpi": mpi.title, "ranks": ranks, "matrix": matrix, "m": m,
               "calls": calls, "pair": pair, "seconds": None}  # fmt: skip
        if row in standing:
            continue
        words = [*launcher, program, str(calls), str(m), matrix]
        order = list(ways) if pair % 2 == 0 else list(ways)[::-1]
        seconds = {way: run([*ways[way], *words]) for way in order}
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row | {"seconds": seconds}) + "\n")


def counts_of(matrix: str, m: int, ranks: int) -> np.ndarray:
    """Bytes of each pair as calls_in_a_row.c has them, shape (ranks, ranks)."""
    src, dst = np.indices((ranks, ranks))
    mixed = ((src * 65537 + dst + 1) * 2654435761) & 0xFFFFFFFF
    mixed ^= mixed >> 15
    mixed = (mixed * 2246822519) & 0xFFFFFFFF
    mixed ^= mixed >> 13
    half = (ranks + 1) // 2
    return {
        "biased": np.where(src % 4, m // 4, m * 13 // 4),
        "random": mixed % (2 * m + 1),
        "sparse": np.where(mixed % 5, 0, 5 * m),
        "blocks": np.where(src // half == dst // half, 2 * m, 0),
    }.get(matrix, np.full((ranks, ranks), m))


def bound(name: str, matrix: str, m: int) -> float:
    """Seconds of the lab's network that a call takes at least."""
    lab = read_lab(name)
    hosts = hosts_on_lab(lab, ranks_on(name), PER_HOST.get(name))
    return bound_on_lab(lab, placed(declared(lab), hosts), counts_of(matrix, m, len(hosts)))


def rows(folder: Path) -> Iterator[dict[str, object]]:
    """A row for each program."""
    pairs = defaultdict(list)
    for line in (folder / "pairs.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        key = tuple(row[name] for name in ("mpi", "lab", "ranks", "matrix", "m", "calls"))
        pairs[key].append(row["seconds"])
    for (mpi, lab, ranks, matrix, m, calls), times in sorted(pairs.items()):
        ratios = np.array([each["library"][0] / each["contend"][0] for each in times])
        longer = np.median([each["contend"][1] - each["library"][1] for each in times])
        least = bound(lab, matrix, m) * calls
        medians = {way: float(np.median([each[way][0] for each in times])) for way in times[0]}
        yield {
            "MPI": mpi,
            "lab": lab,
            "ranks": ranks,
            "exchange": matrix,
            "m": format_bytes(m),
            "calls": calls,
            "pairs": len(times),
            "a call alone": f"{1e3 * medians['library'] / calls:.3g} ms",
            "library / contend": f"{np.median(ratios):.2f}",
            "from": f"{ratios.min():.2f}",
            "to": f"{ratios.max():.2f}",
            "longer MPI_Init": f"{1e3 * longer:.0f} ms",
            "library / bound": f"{medians['library'] / least:.2f}",
            "contend / bound": f"{medians['contend'] / least:.2f}",
        } | (
            {"contend / with a groups file": f"{medians['contend'] / medians['groups']:.2f}"}
            if "groups" in medians
            else {}
        )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--mpicc")
    parser.add_argument("--labs", nargs="*", default=LABS)
    parser.add_argument("--calls", type=parse_counts, default=[5, 10, 20, 200])
    parser.add_argument("--sizes", type=parse_bytes_list, default=[1024, 16384, 131072])
    parser.add_argument("--matrices", nargs="*", default=["alltoall"], choices=MATRICES)
    parser.add_argument("--pairs", type=int, default=12)
    parser.add_argument("--hosts", type=Path)
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--inside", help=argparse.SUPPRESS)
    given = parser.parse_args()
    given.folder = given.folder.resolve()
    if given.inside:
        inside(given)
        return
    if not given.table:
        mpi = find_mpi(given.mpicc)
        folder = given.folder / Path(mpi.mpicc).parts[1]
        folder.mkdir(parents=True, exist_ok=True)
        source = Path(__file__).with_name("calls_in_a_row.c")
        output = folder / "calls_in_a_row"
        subprocess.run([mpi.mpicc, "-O2", "-o", output, source], check=True)
        again = [sys.executable, "-m", "benchmarks.exchange_pairs", *sys.argv[1:]]
        for lab in given.labs:
            subprocess.run(
                [sys.executable, "-m", "contend", "lab", lab, "--", *again, "--inside", lab],
                check=True,
            )
    print(markdown(pd.DataFrame(rows(given.folder))))


if __name__ == "__main__":
    main()
