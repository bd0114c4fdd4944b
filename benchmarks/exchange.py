"""The exchange library against the MPI libraries' own all-to-all, on every emulated network.

    python -m benchmarks.exchange FOLDER [--minutes M] [--only WORD]... [--mpicc WRAPPER]...
                                  [--sizes SIZES] [--rivals | --windows-of SIZE]
    python -m benchmarks.exchange FOLDER --table [--markdown [--members]]

Measures for every network of `NETWORKS` and every MPI (those installed, unless named) each size of
`SIZES` by every algorithm that suits the groups: the library's choice and each of its algorithms,
the whole portfolio, and the automatic choice. Twenty repetitions in two launches take hours, most
of them in the algorithms that wait for time-outs. It can be stopped at any time, and with
--minutes stops itself: samples are kept in FOLDER, a file for each network and MPI, and the same
command goes on. Where FOLDER has a file of the same name that ends in .plan, the automatic choice
reads it. --only takes networks and MPIs whose name has one of the words. --rivals leaves out the
portfolio, whose best the automatic choice is to find: eight minutes for each network and MPI up to
16 KiB. --windows-of has its members with one window each, the fastest of FOLDER's samples of this
size: less than half the launches.

Then, and with --table at once, it prints what is there: medians of the library's choice, of the
fastest of its own algorithms and of the fastest member of the portfolio with hindsight, and of the
automatic choice, with the bound that no algorithm beats; the geometric means; and in FOLDER/all.csv
every algorithm with median and 90th percentile. --markdown prints the first table of
docs/results/exchange-bench.md instead, with --members the second, of every algorithm. Without
FOLDER it explains itself.
"""

import argparse
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import pandas as pd

from contend.base.errors import ContendError
from contend.base.units import format_bytes, format_seconds, parse_bytes
from contend.cli.output import markdown
from contend.measure.exchange.contenders import AUTO, is_preloaded, native_variables
from contend.measure.exchange.placement import bound_on_lab, hosts_on_lab, placed
from contend.measure.exchange.table import Cell, Row, means, rows
from contend.measure.lab import read_lab
from contend.measure.lab.levels import declared
from contend.measure.lab.utilisation import path_beside
from contend.measure.mpi import MPI, find_mpi, installed
from contend.report.figures.figure import file_names
from contend.samples import read_samples
from contend.samples.setting import NATIVE
from contend.schedules.libraries import library_of, version_text

CLUSTERS = ("two-clusters", "two-clusters-uneven", "three-clusters")
BUFFERS = ("256KiB", "24KiB")
NETWORKS = {f"{name},buffer={buffer}": 1 for name in CLUSTERS for buffer in BUFFERS} | {
    "fast-ethernet,hosts=4,time_dilation=8": 4
}  # processes on each host
SIZES = "64,256,1KiB,4KiB,16KiB,64KiB,256KiB"
MAX_SECONDS = "400"  # of a launch for a size: 23 repetitions of 256 KiB, warm-up with them
FAMILIES = ("Open MPI", "MPICH")


@dataclass(frozen=True)
class Part:
    """One network with one MPI, and its files."""

    network: str
    library: str  # with its version
    folder: Path

    @property
    def title(self) -> str:
        """For people."""
        return f"{self.network}, {self.library}"

    @property
    def samples(self) -> Path:
        """Its samples file."""
        (stem,) = file_names([self.title])
        return self.folder / f"{stem}.jsonl"

    @property
    def per_node(self) -> int:
        """Processes on each host."""
        return NETWORKS[self.network]

    @property
    def n(self) -> int:
        """Processes."""
        return self.per_node * len(read_lab(self.network).hosts)

    def measure(self, mpi: MPI, given: argparse.Namespace, minutes: float | None) -> None:
        """Go on with its samples, for so many minutes at most."""
        words = ["alltoall", "bench", "--on", f"lab:{self.network}", "--mpicc", mpi.mpicc]
        words += ["--ppn", str(self.per_node), "-m", given.sizes, "-o", str(self.samples)]
        words += ["--max-seconds", MAX_SECONDS]
        if given.rivals or given.windows_of is not None:
            members = [] if given.rivals else self.members(given.windows_of)
            words += ["--algorithms", ",".join([NATIVE, *native_variables(mpi), *members, AUTO])]
        if minutes is not None:
            words += ["--max-minutes", f"{max(minutes, 0.1):.2f}"]
        plan = self.samples.with_suffix(".plan")
        if plan.is_file():
            words += ["--plan", str(plan)]
        print(f"== {self.title}", flush=True)
        subprocess.run([sys.executable, "-m", "contend", *words], check=False)

    def members(self, m: int) -> list[str]:
        """The portfolio, each member with the window that was the fastest for blocks of m bytes."""
        names = [name for row in self.rows() if row.m == m for name in fastest(row).values()]
        found = [name for name in names if is_preloaded(name) and name != AUTO]
        if not found:
            raise SystemExit(
                f"{self.samples} has no member of the portfolio at {format_bytes(m)}; windows of a"
                " size are known once it was measured without --rivals"
            )
        return found

    def rows(self) -> list[Row]:
        """What is there of it."""
        if not self.samples.is_file() or not self.samples.stat().st_size:
            return []
        lab = read_lab(self.network)
        placement = placed(declared(lab), hosts_on_lab(lab, self.n, self.per_node))
        return rows(read_samples(self.samples), self.n, lambda m: bound_on_lab(lab, placement, m))


def parts(given: argparse.Namespace, libraries: Sequence[str]) -> Iterator[Part]:
    """All parts of the grid that are wanted, with each of the libraries."""
    for network, library in product(NETWORKS, libraries):
        part = Part(network, library, given.folder)
        if not given.only or any(word in part.title for word in given.only):
            yield part


def at_hand(wrappers: Sequence[str]) -> dict[str, MPI]:
    """The MPI libraries to measure with, by title: those named, or one of each family."""
    if wrappers:
        return {mpi.title: mpi for mpi in map(find_mpi, wrappers)}
    first = {mpi.family: mpi for mpi in reversed(installed()) if mpi.family in FAMILIES}
    return {mpi.title: mpi for mpi in first.values()}


def measured_with(folder: Path) -> list[str]:
    """Titles of the libraries that samples in the folder are of."""
    every = {path for path in folder.glob("*.jsonl") if path.stat().st_size}
    files = every - {path_beside(path) for path in every}
    said = {read_samples(path)[0].provenance.mpi_library or "" for path in files}
    known = sorted(map(library_of, said), key=lambda one: (FAMILIES.index(one[0].title), one[1]))
    return [f"{library.title} {version_text(version)}" for library, version in known]


def summary(part: Part, found: Sequence[Row]) -> pd.DataFrame:
    """A line for each size, the fastest of each kind with its name."""
    lines = []
    for row in found:
        named = {"native": "native", "best native": row.best_native, "fastest": row.best}
        texts = {
            title: f"{format_seconds(row.cells[name].median)} {name}"
            for title, name in (named | {"auto": "auto"}).items()
            if name in row.cells
        }
        bound = {"bound": format_seconds(row.bound)} if row.bound else {}
        ratios = row.ratios
        late = sum(cell.is_flagged for cell in row.cells.values())
        lines.append({"m": format_bytes(row.m), **texts, **bound, **ratios, "late": late})
    return pd.DataFrame(lines).round(2)


def of_document(found: dict[Part, list[Row]]) -> pd.DataFrame:
    """Table of the document, a line for each size of each part."""
    lines = []
    for part, own in found.items():
        for place, row in enumerate(own):
            best = row.best_native or ""
            named = "" if best == "native" else f" ({best.removeprefix('native:')})"
            line = {
                "network, MPI": part.title if not place else "",
                "m": format_bytes(row.m),
                "native": _cell(row.cells.get("native")),
                "best native": _cell(row.cells.get(best)) + named,
                "auto": _cell(row.cells.get("auto")),
                "bound": format_seconds(row.bound) if row.bound else "",
            }
            ratios = {
                "native / auto": row.ratios["default_over_auto"],
                "best native / auto": row.ratios["native_over_auto"],
                "auto / bound": row.ratios["auto_over_bound"],
            }
            shown = {name: "" if one is None else f"{one:.2f}" for name, one in ratios.items()}
            lines.append(line | shown)
    return pd.DataFrame(lines)


def _cell(cell: Cell | None) -> str:
    """Median, with the 90th percentile where that is more than a tenth longer."""
    if cell is None:
        return ""
    high = f" (90 %: {format_seconds(cell.high)})" if cell.high > 1.1 * cell.median else ""
    return cell.marked + high


def everything(found: dict[Part, list[Row]]) -> pd.DataFrame:
    """A line for each algorithm at each size of each part."""
    return pd.DataFrame(
        {"network": part.network, "mpi": part.library, "m": row.m, "algorithm": name,
         "median_s": cell.median, "percentile_90_s": cell.high, "bound_s": row.bound,
         "repetitions": cell.repetitions, "timeouts": cell.timeouts, "late": cell.is_flagged}
        for part, own in found.items()
        for row in own
        for name, cell in row.cells.items()
    )  # fmt: skip


def of_members(found: dict[Part, list[Row]]) -> pd.DataFrame:
    """Table of the document, a line for each algorithm of each network, a column for each size.

    Medians over those of the automatic choice, with each library, at sizes that the portfolio was
    measured at; of the windows of an algorithm the best with hindsight.
    """
    texts: dict[tuple[str, str], dict[tuple[int, str], str]] = {}
    for part, own in found.items():
        for row in own:
            cells = by_algorithm(row)
            auto = cells.pop(AUTO, None)
            if auto is None or not any(map(is_preloaded, cells)):
                continue
            for name, cell in cells.items():
                marks = "".join(sorted({*cell.marks, *auto.marks}))
                text = f"{cell.median / auto.median:.2f}{marks}"
                texts.setdefault((part.network, name), {})[row.m, part.library] = text
    libraries = list(dict.fromkeys(part.library for part in found))
    sizes = sorted({m for known in texts.values() for m, _ in known})
    lines = []
    for network in NETWORKS:
        names = (name for title, name in texts if title == network)
        for place, name in enumerate(sorted(names, key=lambda one: (is_preloaded(one), one))):
            known = texts[network, name]
            cells_of = {
                format_bytes(m): " / ".join(known.get((m, library), "–") for library in libraries)
                for m in sizes
            }
            lines.append({"network": network if not place else "", "algorithm": name, **cells_of})
    return pd.DataFrame(lines)


def by_algorithm(row: Row) -> dict[str, Cell]:
    """Cells without windows in their names, of those of one algorithm the fastest."""
    return {algorithm: row.cells[name] for algorithm, name in fastest(row).items()}


def fastest(row: Row) -> dict[str, str]:
    """Names by algorithm, of those that differ in their windows the fastest."""
    slowest_first = sorted(row.cells, key=lambda name: -row.cells[name].median)
    return {name.partition(" window=")[0]: name for name in slowest_first}


def show(wanted: Sequence[Part], given: argparse.Namespace) -> None:
    """The tables of what is there."""
    found = {part: own for part in wanted if (own := part.rows())}
    if not found:
        raise SystemExit(
            f"{given.folder} has no samples of these networks; without --table it gets them"
        )
    if given.markdown:
        print(markdown(of_members(found) if given.members else of_document(found)))
        return
    for part, own in found.items():
        print(f"\n{part.title}, {part.n} processes, {part.per_node} on a host")
        print(summary(part, own).to_string(index=False, na_rep="-"))
        print_means(own)
    every = [row for own in found.values() for row in own]
    print("\nall")
    print_means(every)
    print(f"least native_over_auto: {least(every, 'native_over_auto')}")
    print(f"least default_over_auto: {least(every, 'default_over_auto')}")
    everything(found).to_csv(given.folder / "all.csv", index=False)


def print_means(found: Sequence[Row]) -> None:
    """The geometric means in a line."""
    texts = (
        f"{name} {'-' if value is None else f'{value:.2f}'}" for name, value in means(found).items()
    )
    print("geometric means: " + ", ".join(texts))


def least(found: Sequence[Row], ratio: str) -> str:
    """The least of a ratio, and the size that it is of."""
    known = [(value, row.m) for row in found if (value := row.ratios[ratio]) is not None]
    return "-" if not known else "{:.2f} at {} B".format(*min(known))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--minutes", type=float)
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--mpicc", action="append", default=[])
    parser.add_argument("--sizes", default=SIZES)
    portfolio = parser.add_mutually_exclusive_group()
    portfolio.add_argument("--rivals", action="store_true")
    portfolio.add_argument("--windows-of", type=parse_bytes, metavar="SIZE")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("--members", action="store_true")
    try:
        given = parser.parse_args()
    except ContendError as error:
        parser.error(str(error))
    if given.folder is None:
        parser.print_help()
        return
    given.folder.mkdir(parents=True, exist_ok=True)
    known = {} if given.table else at_hand(given.mpicc)
    wanted = list(parts(given, measured_with(given.folder) if given.table else [*known]))
    end = None if given.minutes is None else time.monotonic() + 60 * given.minutes
    for part in [] if given.table else wanted:
        left = None if end is None else (end - time.monotonic()) / 60
        if left is None or left > 0:
            part.measure(known[part.library], given, left)
    show(wanted, given)


if __name__ == "__main__":
    main()
