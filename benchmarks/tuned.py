"""From a measured library to rules in effect, and what they gain: every step by its command.

    python -m benchmarks.tuned FOLDER [--on PLACE] [--mpicc MPICC]... [--operations NAMES]
                               [-n COUNTS] [-m SIZES] [--launches K] [--pairs K]
    python -m benchmarks.tuned FOLDER --table

On an emulated Fast Ethernet and on local ranks, or in one PLACE, with every MPI library that is
found, or those named: the library's own algorithms are measured, decided on, exported, linted and
verified: for each n a program calls every operation with every size, with the rules and without in
turn. Where it was surely slower by a rule, or by all rules together, the default takes its place
(`contend choose --verified`), and all is verified anew, in rounds, until nothing is slower. Where
nothing could be taken back, since a file of MPICH only says there what it does by itself, there is
one round more: of forty such checks of what makes no difference one says "slower". All is kept in
FOLDER, and the same command goes on there. Then, and with --table at once, it prints two tables.
The first has a row for each place and library: how many decisions depart from the default and how
many calls of a rule and an n were taken back before; then, of the last round, how many rules of the
file, which may hold the library's own too, the calls met and found in effect, and of the time by
default over that with the rules, of each rule and n, the geometric mean, the smallest and the
largest, how many are surely below 0.98, as `contend tune verify` tells, and the gain of all calls
of a program together, at the n where it is smallest. The second has a row
for each rule and n of that round: what ran, whether that is what the rule says, and the gain with
its interval of 95 %.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from contend.base.units import format_bytes, parse_bytes_list, parse_counts
from contend.cli.output import markdown
from contend.measure.build import probe_program
from contend.measure.command import LaunchOptions, settings
from contend.measure.mpi import MPI, find_mpi, installed
from contend.schedules.libraries import library_of, version_text
from contend.tune.exports.csel import library_trees

OPERATIONS = "bcast,scatter,gather,allgather,alltoall,reduce,allreduce,reduce_scatter"


class Place(NamedTuple):
    """Where it runs by its name, and what is measured there unless told otherwise."""

    counts: str
    launches: int
    pairs: int
    calls: int  # of each operation and size in a run


PLACES = {
    "lab:fast-ethernet,time_dilation=8": Place("4,8", 2, 5, 5),
    "here": Place("2", 6, 30, 500),
}
UNUSED = "never used"
MOST_ROUNDS = 4
GAINS = "gains.json"
CONTEND = (sys.executable, "-m", "contend")


def run(given: argparse.Namespace, on: str, mpi: MPI) -> None:
    """Every step in one place with one library; what is there is not done again."""
    library, version = library_of(mpi.title)
    target = f"{library.name}-{version_text(version)}"
    folder = Path(given.folder) / f"{on.partition(':')[0]}-{target}"
    folder.mkdir(parents=True, exist_ok=True)
    counts, launches = given.counts or PLACES[on].counts, given.launches or PLACES[on].launches
    samples, network = str(folder / "samples.jsonl"), str(folder / "network.json")
    words = ["--collective", given.operations, "--on", on]
    words += ["-n", counts, "-m", given.sizes, "--launches", str(launches)]
    words += ["--max-seconds", "200ms", "--mpicc", mpi.mpicc, "-o", samples]
    contend("measure", "library", *words)
    for operation in given.operations.split(","):
        contend("fit", samples, "--operation", operation, "-o", network)
    own = ["--default", str(library_trees.installed(mpi.mpicc))] if library.name == "mpich" else []
    form = ["--library", target, *own]
    number = max(rounds(folder), default=1)
    while verified_anew(given, on, mpi, folder, form, number) and number < MOST_ROUNDS:
        number += 1


def verified_anew(
    given: argparse.Namespace, on: str, mpi: MPI, folder: Path, form: Sequence[str], number: int
) -> bool:
    """Decide, export and verify, as far as that is not done; whether calls were slower.

    Nothing is verified where the decisions are those of the two rounds before.
    """
    decisions, rules = folder / f"decisions-{number}.json", folder / f"rules-{number}"
    if not decisions.is_file():
        heeded = ["--verified", str(folder / GAINS)] if number > 1 else []
        contend(
            "choose", str(folder / "network.json"), "--table", "--all-commute", *heeded,
            "-o", str(decisions),
        )  # fmt: skip
    before = [decided(folder, one) for one in range(max(number - 2, 1), number)]
    if before == 2 * [decided(folder, number)]:
        decisions.unlink()
        return False
    if not rules.is_file():
        contend("tune", "export", str(decisions), *form, "-o", str(rules))
    contend("tune", "lint", str(rules))
    for n in parse_counts(given.counts or PLACES[on].counts):
        path = folder / f"verified-{number}-{n}.json"
        if not path.is_file():
            path.write_text(verified(given, on, mpi, folder, rules, n))
    return bool(_slower_together(folder, number)) or any(
        row["is slower"] for row in rows(folder, number)
    )


def rounds(folder: Path) -> list[int]:
    """Numbers of the rounds that were decided."""
    return sorted(int(path.stem.split("-")[1]) for path in folder.glob("decisions-*.json"))


def decided(folder: Path, number: int) -> list[dict[str, object]]:
    """What the decisions of a round take, and where."""
    found = json.loads((folder / f"decisions-{number}.json").read_text())["rules"]
    names = ("operation", "n", "n_to", "m", "m_to", "algorithm", "options")
    return [{name: one.get(name) for name in names} for one in found]


def contend(*words: str) -> None:
    """A command, which has to succeed."""
    subprocess.run([*CONTEND, *words], check=True, stdout=subprocess.DEVNULL)


def verified(
    given: argparse.Namespace, on: str, mpi: MPI, folder: Path, rules: Path, n: int
) -> str:
    """What the check of the rules says of a program on n processes, JSON."""
    calls = [
        f"{operation}:{m}:{PLACES[on].calls}"
        for operation in given.operations.split(",")
        for m in parse_bytes_list(given.sizes)
    ]
    pairs = str(given.pairs or PLACES[on].pairs)
    words = [*CONTEND, "tune", "verify", str(rules), "--json", "--pairs", pairs]
    words += ["-o", str(folder / GAINS)]
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


def rows(folder: Path, number: int) -> Iterator[dict[str, object]]:
    """Of each rule that calls met in a round."""
    for path in sorted(folder.glob(f"verified-{number}-*.json")):
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
                "algorithm": cell["rule"]["algorithm"],
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
        last = rounds(folder)[-1]
        every = pd.DataFrame(rows(folder, last))
        gains = every["gain"].astype(float)
        found.append(
            {
                "on": every["on"].iloc[0],
                "departures": sum(one["algorithm"] != "default" for one in decided(folder, 1)),
                "taken back": _taken_back(folder),
                "rules met": len(met := _met(folder, last)),
                "in effect": sum(one == {"in effect"} for one in met),
                "gains": len(every),
                "mean": f"{np.exp(np.log(gains).mean()):.2f}",
                "smallest": _named(every.loc[gains.idxmin()]),
                "largest": _named(every.loc[gains.idxmax()]),
                "surely slower": int(every["is slower"].sum()),
                "all calls, least": _least(folder, last),
            }
        )
    return pd.DataFrame(found)


def _taken_back(folder: Path) -> int:
    """Calls of a departure and an n that were slower, and that the next round has no more."""
    return sum(
        (bool(row["is slower"]) or row["n"] in _slower_together(folder, number))
        and _departs(row, decided(folder, number))
        and not _departs(row, decided(folder, following))
        for number, following in pairwise(rounds(folder))
        for row in rows(folder, number)
    )


def _departs(row: Mapping[str, object], rules: Iterable[Mapping[str, object]]) -> bool:
    return any(_is_of(row, one) for one in rules)


def _together(folder: Path, number: int) -> dict[int, Mapping[str, float]]:
    """Gains of all collective calls of the program, by n."""
    paths = folder.glob(f"verified-{number}-*.json")
    found = {int(path.stem.split("-")[2]): json.loads(path.read_text()) for path in paths}
    return {n: one["gains"]["collectives"] for n, one in found.items()}


def _slower_together(folder: Path, number: int) -> list[int]:
    """The n where these surely took longer by the rules."""
    return [n for n, gain in _together(folder, number).items() if gain["high"] < 1]


def _least(folder: Path, number: int) -> str:
    n, gain = min(_together(folder, number).items(), key=lambda item: item[1]["gain"])
    return f"{gain['gain']:.2f} ({gain['low']:.2f} to {gain['high']:.2f}): n = {n}"


def _is_of(row: Mapping[str, object], rule: Mapping[str, object]) -> bool:
    same = ("operation", "algorithm")
    return all(row[name] == rule[name] for name in same) and rule["n"] <= row["n"] < rule["n_to"]


def _met(folder: Path, number: int) -> list[set[str]]:
    """Verdicts, over all n, of each rule of the file that calls met."""
    found: dict[str, set[str]] = {}
    for path in folder.glob(f"verified-{number}-*.json"):
        for one in json.loads(path.read_text())["rules"]:
            if one["verdict"] != UNUSED:
                found.setdefault(json.dumps({**one, "verdict": None}), set()).add(one["verdict"])
    return list(found.values())


def _named(row: pd.Series) -> str:
    interval = f"{row['low']:.2f} to {row['high']:.2f}"
    return f"{row['gain']:.2f} ({interval}): {row['operation']}, n = {row['n']}, {row['m']}"


def table(folders: Sequence[Path]) -> pd.DataFrame:
    """All rows."""
    shown = pd.DataFrame([row for folder in folders for row in rows(folder, rounds(folder)[-1])])
    shown = shown.sort_values(["on", "operation", "n"], kind="stable")
    shown["95 %"] = shown["low"].map("{:.2f}".format) + shown["high"].map(" to {:.2f}".format)
    shown["gain"] = shown["gain"].map("{:.2f}".format)
    return shown.drop(columns=["low", "high", "is slower", "algorithm"])


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
    folders = sorted({path.parent for path in Path(given.folder).glob("*/verified-*-*.json")})
    print(markdown(summary(folders)), markdown(table(folders)), sep="\n\n")


if __name__ == "__main__":
    main()
