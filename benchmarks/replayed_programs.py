"""Programs recorded on one emulated network, replayed on it and on another one, and measured there.

    python -m benchmarks.replayed_programs FOLDER [--mpicc WRAPPER] [--table]

Measures messages between two hosts of each network of `LABS`, records the programs of patterns.c
there with twelve ranks, and replays each trace by the parameters and links of either network. Then,
and with --table at once, it prints the error of the whole run (predicted / measured - 1), and what
it would be if no message met another. Files are kept in FOLDER; what is there is not made again.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path
from shutil import rmtree

import numpy as np
import pandas as pd

from contend.cli.output import markdown
from contend.lab import read_lab
from contend.lab.links import links_of
from contend.measure.mpi import MPI, find_mpi
from contend.number_text import signed_percent
from contend.units import format_seconds

RANKS = 12
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
APART = tuple(PROGRAMS)[5:]  # looked at only when all was built
NETWORK, LINKS = "network.json", "links.json"
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


def measure(name: str, folder: Path, mpi: MPI, program: Path) -> None:
    """Messages between two hosts, a topology, and traces of all programs with their times."""
    folder.mkdir(parents=True, exist_ok=True)
    samples = folder / "samples.jsonl"
    if not (folder / NETWORK).exists():
        where = ["--on", f"lab:{name}", "--mpicc", mpi.mpicc]
        contend("measure", "-e", "plogp", "-e", "pingpong", *where, "-n", 2, "-m", SIZES,
                "--launches", 2, "-o", samples)  # fmt: skip
        fit(folder)
    for title, numbers in PROGRAMS.items():
        for run in range(RUNS):
            trace = folder / f"{title}-{run}"
            if not trace.with_suffix(".txt").exists():
                rmtree(trace, ignore_errors=True)  # of a run that was stopped
                program_words = [
                    *mpi.launcher,
                    "-n",
                    RANKS,
                    program,
                    title.partition("-")[0],
                    *numbers,
                ]
                recorded = [sys.executable, "-m", "contend", "record", "-o", trace, "--"]
                words = ["lab", "run", name, "--", *recorded, *program_words]
                contend(*words, out=trace.with_suffix(".txt"))
            print(trace, flush=True)


def measured(folder: Path, title: str) -> float:
    """Median of the runs, seconds of the network."""
    texts = [(folder / f"{title}-{run}.txt").read_text(encoding="utf-8") for run in range(RUNS)]
    return float(np.median([float(text.split()[0]) for text in texts]))


def replayed(trace: Path, on: Path, model: str = "tcp") -> float:
    """Seconds that a replay says."""
    words = [
        "replay",
        trace,
        "--network",
        on / NETWORK,
        "--topology",
        on / LINKS,
        "--json",
    ]
    return float(json.loads(contend(*words, "--model", model))["seconds"])


def table(folders: dict[str, Path]) -> pd.DataFrame:
    """A row for each program and network."""
    rows = []
    for name, there in folders.items():
        links = json.dumps(links_of(read_lab(name)))
        (there / LINKS).write_text(links, encoding="utf-8")
        if not (there / NETWORK).exists():  # of samples that are kept
            fit(there)
        (other,) = (folder for one, folder in folders.items() if one != name)
        for title in PROGRAMS:
            truth = measured(there, title)
            errors = {
                "recorded there": replayed(there / f"{title}-0", there),
                "recorded on the other": replayed(other / f"{title}-0", there),
                "the same, max-min fair": replayed(other / f"{title}-0", there, "maxmin"),
                "without contention": replayed(there / f"{title}-0", there, "alone"),
            }
            said = {what: signed_percent(seconds / truth - 1) for what, seconds in errors.items()}
            rows.append(
                {
                    "network": name.partition(",")[0],
                    "program": f"{title} (apart)" if title in APART else title,
                    "measured": format_seconds(truth),
                }
                | said
            )
    return pd.DataFrame(rows)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--mpicc")
    parser.add_argument("--table", action="store_true")
    given = parser.parse_args()
    folders = {name: given.folder / name.partition(",")[0] for name in LABS}
    if not given.table:
        given.folder.mkdir(parents=True, exist_ok=True)
        mpi, program = find_mpi(given.mpicc), given.folder / "patterns"
        source = Path(__file__).with_name("patterns.c")
        subprocess.run([mpi.mpicc, "-O2", "-o", program, source], check=True)
        for name, folder in folders.items():
            measure(name, folder, mpi, program.resolve())
    print(markdown(table(folders)))


if __name__ == "__main__":
    main()
