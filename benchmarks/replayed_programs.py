"""Programs recorded on one emulated network, replayed on it and on another one, and measured there.

    python -m benchmarks.replayed_programs FOLDER [--mpicc WRAPPER] [--programs NAMES] [--table]

Measures messages between two hosts of each network of `LABS`, records the programs of patterns.c
there with twelve ranks, those of kernels.c with eight that fill a lab of as many hosts, and replays
each trace by the parameters and links of either network. Then, and with --table at once, it prints
the error of the whole run (predicted / measured - 1), and what it would be if no message met
another. Files are kept in FOLDER; what is there is not made again.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from shutil import rmtree
from typing import Any

import numpy as np
import pandas as pd

from contend.base.number_text import signed_percent
from contend.base.units import format_seconds
from contend.cli.output import markdown
from contend.measure.lab import read_lab
from contend.measure.lab.links import links_of
from contend.measure.mpi import MPI, find_mpi

RANKS = 12
RANKS_OF_KERNELS = 8
RUNS = 3
LABS = ("fast-ethernet,time_dilation=8", "two-clusters,time_dilation=8")
SIZES = "1,64,256,1KiB,1448,2KiB,4KiB,8KiB,16KiB,32KiB,64KiB,128KiB"
PROGRAMS = {  # steps, bytes, microseconds of computation
    "stencil": (40, 30_000, 3000),
    "alltoall": (20, 20_000, 5000),
    "reduction": (30, 40_000, 2000),
    "farm": (20, 30_000, 8000),
    "irregular": (40, 30_000, 3000),
    "transpose": (20, 25_000, 6000),
    "wavefront": (40, 20_000, 3000),
    "alltoall-60k": (10, 60_000, 5000),
    "stencil-150k": (15, 150_000, 5000),
    "reduction-300k": (8, 300_000, 3000),
    "irregular-120k": (15, 120_000, 4000),
    "transpose-100k": (8, 100_000, 5000),
}
KERNELS = {  # as PROGRAMS, of kernels.c
    "sort": (10, 32_768, 1000),
    "fourier": (4, 65_536, 3000),
    "gradients": (2, 5600, 20_000),
    "multigrid": (4, 8192, 1000),
    "pipeline": (10, 240, 4000),
}
ALL = PROGRAMS | KERNELS
APART = tuple(ALL)[5:]  # looked at only when all was built
NETWORK = "network.json"
LIMIT = 300  # seconds after which a run is given up; the longest takes a tenth of that


def contend(*words: object, out: Path | None = None) -> str:
    """What a command of this project prints; also kept in a file."""
    command = [sys.executable, "-m", "contend", *map(str, words)]
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
            timeout=LIMIT if words[0] == "lab" else None,
        )  # fmt: skip
    except subprocess.TimeoutExpired as error:
        raise SystemExit(f"{' '.join(command)}\nnot done after {LIMIT} s") from error
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}\n{done.stderr}")
    if out is not None:
        out.write_text(done.stdout, encoding="utf-8")
        out.with_suffix(".log").write_text(done.stderr, encoding="utf-8")
    return done.stdout


def fit(folder: Path) -> None:
    """Parameters of messages between two hosts, from samples."""
    contend("fit", folder / "samples.jsonl", "-o", folder / NETWORK)


def lab_of(name: str, title: str) -> str:
    """The lab that a program runs on."""
    if title not in KERNELS:
        return name
    return f"{name},hosts={RANKS_OF_KERNELS // len(read_lab(name).clusters)}"


def measure(name: str, folder: Path, mpi: MPI, program: Path, titles: Iterable[str]) -> None:
    """Messages between two hosts, and traces of programs."""
    folder.mkdir(parents=True, exist_ok=True)
    samples = folder / "samples.jsonl"
    if not (folder / NETWORK).exists():
        where = ["--on", f"lab:{name}", "--mpicc", mpi.mpicc]
        contend("measure", "-e", "plogp", "-e", "pingpong", *where, "-n", 2, "-m", SIZES,
                "--launches", 2, "-o", samples)  # fmt: skip
        fit(folder)
    for run in range(RUNS):
        for title in titles:
            record(lab_of(name, title), folder / f"{title}-{run}", mpi,
                   [program, title.partition("-")[0], *ALL[title]],
                   RANKS_OF_KERNELS if title in KERNELS else RANKS)  # fmt: skip


def record(lab: str, trace: Path, mpi: MPI, program: list[object], ranks: int) -> None:
    """The trace of a program; with what the lab says about itself in a file beside it."""
    if trace.with_suffix(".txt").exists():
        return
    rmtree(trace, ignore_errors=True)  # of a run that was stopped
    words = ["lab", "run", lab, "--", sys.executable, "-m", "contend", "record", "-o", trace, "--"]
    contend(*words, *mpi.launcher, "-n", ranks, *program, out=trace.with_suffix(".txt"))
    print(trace, flush=True)


def measured(folder: Path, title: str) -> float:
    """Median of the runs, seconds of the network, as the program prints them."""
    texts = [folder / f"{title}-{run}.txt" for run in range(RUNS)]
    words = [one.read_text(encoding="utf-8").split() for one in texts if one.exists()]
    return float(np.median([float(one[0]) for one in words]))


def links_file(folder: Path, lab: str) -> Path:
    """The file of a lab's links in a folder, which is made once."""
    path = folder / f"{lab.replace(',', '-')}.json"
    if not path.exists():
        path.write_text(json.dumps(links_of(read_lab(lab))), encoding="utf-8")
    return path


def replayed(trace: Path, on: Path, lab: str, model: str = "tcp") -> dict[str, Any]:
    """What a replay says on a lab: `seconds`, and the `interval` of nine runs in ten."""
    links = links_file(on, lab)
    words = ["replay", trace, "--network", on / NETWORK, "--topology", links, "--json"]
    return dict(json.loads(contend(*words, "--model", model)))


def _is_recorded(title: str, folders: Iterable[Path]) -> bool:
    """Whether all folders have the program; a folder that was kept lacks those that came later."""
    return all((folder / f"{title}-0.txt").exists() for folder in folders)


def table(folders: dict[str, Path]) -> pd.DataFrame:
    """A row for each program and network."""
    rows = []
    for name, there in folders.items():
        if not (there / NETWORK).exists():  # of samples that are kept
            fit(there)
        (other,) = (folder for one, folder in folders.items() if one != name)
        for title in (title for title in ALL if _is_recorded(title, folders.values())):
            truth, lab = measured(there, title), lab_of(name, title)
            here, elsewhere = (folder / f"{title}-0" for folder in (there, other))
            found = {
                "recorded there": replayed(here, there, lab),
                "recorded on the other": replayed(elsewhere, there, lab),
                "the same, max-min fair": replayed(elsewhere, there, lab, "maxmin"),
                "without contention": replayed(here, there, lab, "alone"),
            }
            errors = {
                what: signed_percent(one["seconds"] / truth - 1) for what, one in found.items()
            }
            low, high = (format_seconds(one) for one in found["recorded there"]["interval"])
            rows.append(
                {
                    "network": name.partition(",")[0],
                    "program": f"{title} (apart)" if title in APART else title,
                    "measured": format_seconds(truth),
                    "nine of ten runs": f"{low} to {high}",
                }
                | errors
            )
    return pd.DataFrame(rows)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--mpicc")
    parser.add_argument("--programs", nargs="*", default=list(ALL), choices=list(ALL))
    parser.add_argument("--table", action="store_true")
    given = parser.parse_args()
    folders = {name: given.folder / name.partition(",")[0] for name in LABS}
    if not given.table:
        given.folder.mkdir(parents=True, exist_ok=True)
        mpi, program = find_mpi(given.mpicc), given.folder / "patterns"
        sources = [Path(__file__).with_name(name) for name in ("patterns.c", "kernels.c")]
        subprocess.run([mpi.mpicc, "-O2", "-o", program, *sources], check=True)
        for name, folder in folders.items():
            measure(name, folder, mpi, program.resolve(), given.programs)
    print(markdown(table(folders)))


if __name__ == "__main__":
    main()
