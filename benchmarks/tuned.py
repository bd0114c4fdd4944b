"""From a measured library to rules in effect, and what they gain: every step by its command.

    python -m benchmarks.tuned FOLDER [--on PLACE] [--mpicc MPICC]... [--operations NAMES]
                               [-n COUNTS] [-m SIZES] [--launches K] [--pairs K]
    python -m benchmarks.tuned FOLDER --table

On an emulated Fast Ethernet and on local ranks, or in one PLACE (lab:fast-ethernet or `here`), with
every MPI library that is found, or those named: the library's own algorithms are measured, decided
on, exported, linted and verified: for each n a program calls every operation with every size, with
the rules and without in turn. All is kept in FOLDER, and the same command goes on there. Then, and
with --table at once, it prints two tables. The first has a row for each place and library: how many
decisions depart from the default, how many rules of the file, which may hold the library's own too,
the calls met and found in effect, and of the time by default over that with the rules, of each rule
and n, the geometric mean, the smallest and the largest, and how many are surely below 0.98, as
`contend tune verify` tells. The second has a row for each rule and n:
what ran, whether that is what the rule says, and the gain with its interval of 95 %.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from contend.cli.output import markdown
from contend.exports.csel import shipped
from contend.libraries import library_of, version_text
from contend.measure.build import probe_program
from contend.measure.command import LaunchOptions, settings
from contend.measure.mpi import MPI, find_mpi, installed
from contend.units import format_bytes, parse_bytes_list, parse_counts

OPERATIONS = "bcast,scatter,gather,allgather,alltoall,reduce,allreduce,reduce_scatter"


class Place(NamedTuple):
    """Where it runs by its name, and what is measured there unless told otherwise."""

    counts: str
    launches: int
    pairs: int
    calls: int  # of each operation and size in a run


PLACES = {
    "lab:fast-ethernet,time_dilation=8": Place("4,8", 2, 5, 5),
    "here": Place("2", 6, 10, 500),
}
UNUSED = "never used"
CONTEND = (sys.executable, "-m", "contend")


def run(given: argparse.Namespace, on: str, mpi: MPI) -> None:
    """Every step in one place with one library; what is there is not done again."""
    library, version = library_of(mpi.title)
    target = f"{library.name}-{version_text(version)}"
    folder = Path(given.folder) / f"{on.partition(':')[0]}-{target}"
    folder.mkdir(parents=True, exist_ok=True)
    counts, launches = given.counts or PLACES[on].counts, given.launches or PLACES[on].launches
    samples, network = str(folder / "samples.jsonl"), str(folder / "network.json")
    decisions, rules = str(folder / "decisions.json"), str(folder / "rules")
    words = ["--collective", given.operations, "--library-algorithms", "--on", on]
    words += ["-n", counts, "-m", given.sizes, "--launches", str(launches)]
    contend("measure", *words, "--max-seconds", "200ms", "--mpicc", mpi.mpicc, "-o", samples)
    for operation in given.operations.split(","):
        contend("fit", samples, "--operation", operation, "-o", network)
    contend("choose", network, "--table", "-o", decisions)
    own = ["--default", str(shipped.installed(mpi.mpicc))] if library.name == "mpich" else []
    contend("tune", "export", decisions, "--for", target, *own, "-o", rules)
    contend("tune", "lint", rules)
    for n in parse_counts(counts):
        path = folder / f"verified-{n}.json"
        if not path.is_file():
            path.write_text(verified(given, on, mpi, rules, n))


def contend(*words: str) -> None:
    """A command, which has to succeed."""
    subprocess.run([*CONTEND, *words], check=True, stdout=subprocess.DEVNULL)


def verified(given: argparse.Namespace, on: str, mpi: MPI, rules: str, n: int) -> str:
    """What the check of the rules says of a program on n processes, JSON."""
    calls = [
        f"{operation}:{m}:{PLACES[on].calls}"
        for operation in given.operations.split(",")
        for m in parse_bytes_list(given.sizes)
    ]
    pairs = str(given.pairs or PLACES[on].pairs)
    words = [*CONTEND, "tune", "verify", rules, "--json", "--pairs", pairs]
    words += ["--mpicc", mpi.mpicc, "--", *mpi.launcher, "-n", str(n), str(probe_program(mpi))]
    variables = dict(os.environ)
    if on == "here":
        variables |= settings(mpi, n, LaunchOptions())
    else:
        words = [*CONTEND, "lab", "run", on.removeprefix("lab:"), "--", *words]
    done = subprocess.run(
        [*words, *calls], env=variables, stdout=subprocess.PIPE, text=True, check=False
    )
    if "{" not in done.stdout:
        raise subprocess.CalledProcessError(done.returncode, words)
    found, _ = json.JSONDecoder().raw_decode(done.stdout, done.stdout.index("{"))
    return json.dumps({"on": on, **found})


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
                "is slower": cell["is_slower"],
            }


def summary(folders: Sequence[Path]) -> pd.DataFrame:
    """A row for each folder."""
    found = []
    for folder in folders:
        every = pd.DataFrame(rows(folder))
        gains = every["gain"].astype(float)
        found.append(
            {
                "on": every["on"].iloc[0],
                "departures": _departures(folder),
                "rules met": len(met := _met(folder)),
                "in effect": sum(one == {"in effect"} for one in met),
                "gains": len(every),
                "mean": f"{np.exp(np.log(gains).mean()):.2f}",
                "smallest": _named(every.loc[gains.idxmin()]),
                "largest": _named(every.loc[gains.idxmax()]),
                "surely slower": int(every["is slower"].sum()),
            }
        )
    return pd.DataFrame(found)


def _departures(folder: Path) -> int:
    decided = json.loads((folder / "decisions.json").read_text())["rules"]
    return sum(one["algorithm"] != "default" for one in decided)


def _met(folder: Path) -> list[set[str]]:
    """Verdicts, over all n, of each rule of the file that calls met."""
    found: dict[str, set[str]] = {}
    for path in folder.glob("verified-*.json"):
        for one in json.loads(path.read_text())["rules"]:
            if one["verdict"] != UNUSED:
                found.setdefault(json.dumps({**one, "verdict": None}), set()).add(one["verdict"])
    return list(found.values())


def _named(row: pd.Series) -> str:
    interval = f"{row['low']:.2f} to {row['high']:.2f}"
    return f"{row['gain']:.2f} ({interval}): {row['operation']}, n = {row['n']}, {row['m']}"


def table(folders: Sequence[Path]) -> pd.DataFrame:
    """All rows."""
    shown = pd.DataFrame([row for folder in folders for row in rows(folder)])
    shown = shown.sort_values(["on", "operation", "n"], kind="stable")
    shown["95 %"] = shown["low"].map("{:.2f}".format) + shown["high"].map(" to {:.2f}".format)
    shown["gain"] = shown["gain"].map("{:.2f}".format)
    return shown.drop(columns=["low", "high", "is slower"])


def _all_of(words: Iterable[str | None]) -> str:
    return ", ".join(sorted({word or "" for word in words}))


def main() -> None:
    """Measure what is wanted, and print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--on", choices=PLACES)
    parser.add_argument("--mpicc", action="append")
    parser.add_argument("--operations", default=OPERATIONS)
    parser.add_argument("-n", dest="counts")
    parser.add_argument("-m", dest="sizes", default="256,4KiB,64KiB")
    parser.add_argument("--launches", type=int)
    parser.add_argument("--pairs", type=int)
    given = parser.parse_args()
    if not given.table:
        libraries = [find_mpi(one) for one in given.mpicc] if given.mpicc else installed()
        for on in [given.on] if given.on else PLACES:
            for mpi in libraries:
                try:
                    run(given, on, mpi)
                except subprocess.CalledProcessError as error:
                    print(f"{on}, {mpi.title}: {error}", file=sys.stderr)
    folders = sorted({path.parent for path in Path(given.folder).glob("*/verified-*.json")})
    print(markdown(summary(folders)), markdown(table(folders)), sep="\n\n")


if __name__ == "__main__":
    main()
