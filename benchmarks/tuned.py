"""From a measured library to rules in effect, and what they gain: every step by its command.

    python -m benchmarks.tuned FOLDER ON MPICC [--operations NAMES] [-n COUNTS] [-m SIZES]
                               [--launches K] [--pairs K]
    python -m benchmarks.tuned --table FOLDER...

ON is a lab, as lab:fast-ethernet, or `here`. The library's own algorithms are measured, decided on,
exported, linted and verified: for each n a program calls every operation with every size, with the
rules and without in turn. All is kept in FOLDER, and the same command goes on there. Then, and
with --table at once, it prints a row for each rule that calls met: what ran, whether that is what
the rule says, and the time by default over that with the rules, with its interval of 95 %; and
below each folder the geometric mean of all its rows.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from contend.cli.output import markdown
from contend.libraries import library_of, version_text
from contend.measure.build import probe_program
from contend.measure.mpi import MPI, find_mpi
from contend.units import format_bytes, parse_bytes_list, parse_counts

OPERATIONS = "bcast,scatter,gather,allgather,alltoall,reduce,allreduce,reduce_scatter"
CALLS = 5  # of each operation and size in a run
CONTEND = (sys.executable, "-m", "contend")


def run(given: argparse.Namespace, folder: Path) -> None:
    """Every step, into the folder; what is there is not done again."""
    folder.mkdir(parents=True, exist_ok=True)
    mpi = find_mpi(given.mpicc)
    samples, network = str(folder / "samples.jsonl"), str(folder / "network.json")
    decisions, rules = str(folder / "decisions.json"), str(folder / "rules")
    words = ["--collective", given.operations, "--library-algorithms", "--on", given.on]
    words += ["-n", given.counts, "-m", given.sizes, "--launches", str(given.launches)]
    contend("measure", *words, "--max-seconds", "200ms", "--mpicc", given.mpicc, "-o", samples)
    for operation in given.operations.split(","):
        contend("fit", samples, "--operation", operation, "-o", network)
    contend("choose", network, "--table", "-o", decisions)
    library, version = library_of(mpi.title)
    target = f"{library.name}-{version_text(version)}"
    contend("tune", "export", decisions, "--for", target, "-o", rules)
    contend("tune", "lint", rules)
    for n in parse_counts(given.counts):
        path = folder / f"verified-{n}.json"
        if not path.is_file():
            path.write_text(verified(given, mpi, rules, n))


def contend(*words: str) -> None:
    """A command, which has to succeed."""
    subprocess.run([*CONTEND, *words], check=True, stdout=subprocess.DEVNULL)


def verified(given: argparse.Namespace, mpi: MPI, rules: str, n: int) -> str:
    """What the check of the rules says of a program on n processes, JSON."""
    calls = [
        f"{operation}:{m}:{CALLS}"
        for operation in given.operations.split(",")
        for m in parse_bytes_list(given.sizes)
    ]
    words = [*CONTEND, "tune", "verify", rules, "--json", "--pairs", str(given.pairs)]
    words += ["--mpicc", given.mpicc, "--", *mpi.launcher, "-n", str(n), str(probe_program(mpi))]
    if given.on != "here":
        words = [*CONTEND, "lab", "run", given.on.removeprefix("lab:"), "--", *words]
    done = subprocess.run([*words, *calls], capture_output=True, text=True, check=False)
    found, _ = json.JSONDecoder().raw_decode(done.stdout, done.stdout.find("{"))
    return json.dumps({"on": given.on, **found})


def rows(folder: Path) -> Iterator[dict[str, object]]:
    """Of each rule that calls met."""
    for path in sorted(folder.glob("verified-*.json")):
        found = json.loads(path.read_text())
        library, version = library_of(found["library"])
        for cell in found["gains"]["cells"]:
            same = [
                call
                for call in found["calls"]
                if (call["operation"], call["n"], call["rule"])
                == (cell["operation"], cell["n"], cell["rule"])
            ]
            yield {
                "on": f"{found['on']}, {library.title} {version_text(version)}",
                "operation": cell["operation"],
                "n": cell["n"],
                "m": ", ".join(format_bytes(call["m"]) for call in same),
                "by default": _all_of(one for call in same for one in call["by_default"]),
                "ran": _all_of(call["ran"] for call in same),
                "verdict": _all_of(call["verdict"] for call in same),
                "gain": cell.get("gain"),
                "low": cell.get("low"),
                "high": cell.get("high"),
            }


def table(folders: Sequence[Path]) -> pd.DataFrame:
    """All rows, and below those of each folder their geometric mean."""
    parts = []
    for folder in folders:
        found = pd.DataFrame(rows(folder))
        if found.empty:
            continue
        gains = found["gain"].dropna().astype(float)
        every = {
            "on": found["on"].iloc[0],
            "operation": "all",
            "ran": f"{len(found)} rules",
            "gain": float(np.exp(np.log(gains).mean())),
        }
        parts.append(pd.concat([found, pd.DataFrame([every])], ignore_index=True))
    shown = pd.concat(parts, ignore_index=True)
    shown["n"] = shown["n"].map("{:.0f}".format, na_action="ignore")
    shown["95 %"] = shown["low"].map("{:.2f}".format, na_action="ignore")
    shown["95 %"] += shown["high"].map(" to {:.2f}".format, na_action="ignore")
    shown["gain"] = shown["gain"].map("{:.2f}".format, na_action="ignore")
    return shown.drop(columns=["low", "high"]).fillna("")


def _all_of(words: Iterable[str | None]) -> str:
    return ", ".join(sorted({word or "" for word in words}))


def main() -> None:
    """Measure what is wanted, and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("words", nargs="+", help="FOLDER ON MPICC, or FOLDERs with --table")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--operations", default=OPERATIONS)
    parser.add_argument("-n", dest="counts", default="4,8,12")
    parser.add_argument("-m", dest="sizes", default="1KiB,16KiB,64KiB")
    parser.add_argument("--launches", type=int, default=4)
    parser.add_argument("--pairs", type=int, default=5)
    given = parser.parse_args()
    folders = [Path(word) for word in given.words]
    if not given.table:
        if len(given.words) != 3:
            parser.error("FOLDER ON MPICC, or --table")
        _, given.on, given.mpicc = given.words
        folders = folders[:1]
        run(given, folders[0])
    print(markdown(table(folders)))


if __name__ == "__main__":
    main()
