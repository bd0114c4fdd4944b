"""OSU Micro-Benchmarks: text output of osu_latency and of the blocking collectives, v3 to v7.

Source: D. K. Panda and others, The Ohio State University, mvapich.cse.ohio-state.edu/benchmarks.

Layout: `# OSU MPI All-to-All Personalized Exchange Latency Test v7.3`, in newer versions
`# Datatype: MPI_CHAR.`, then `# Size  Avg Latency(us)` (with -f also Min, Max and Iterations, with
-z tail latencies such as P50, with validation Pass or Fail) and a row per size; a barrier has a
time alone. The version may carry a suffix of whoever built it (`v7.0-site3`). Several datatypes
(-T) print their name and the columns anew under one title. Each further title is a further launch.

One value is a mean, in microseconds: of half a round trip over the iterations of osu_latency; of
a collective over its iterations and ranks. The Max column, the slowest rank's mean, would be
nearer to the end of the operation, but only -f prints it, and samples of the same run must not
depend on that: the average is taken always, and is low by what the ranks differ.

Conditions: memory (`MPI-CUDA`, for osu_latency the buffers where not both are on the device: the
host's is none), datatype where it is not the default of its version; of the command above the
table root (-k), in place (-l) and managed memory (-d managed, which no collective's title tells).

Restrictions: the output does not say how many processes ran, so a collective needs `n`, unless the
command that started it stands above. Tests of bandwidth, non-blocking, persistent and several-pair
operations, and derived datatypes, are left out with a warning. The size is taken as printed: per
pair of ranks for all-to-all, the whole vector for reductions; of a reduce-scatter m is the n-th
part of it, and rows without equal parts are left out. `algorithm` of the options is for
collectives alone.
"""

import re
from collections.abc import Sequence

from contend.samples.reader import ReadOptions
from contend.samples.readers._log import (
    PER_SECOND,
    About,
    Fields,
    Head,
    LogReader,
    ranks_of_command,
)
from contend.samples.readers._scanner import Table
from contend.samples.readers._text import BYTES, Line, agree

EXPERIMENTS = {
    "Latency": "pingpong",
    "All-to-All Personalized Exchange Latency": "alltoall",
    "All-to-Allv Personalized Exchange Latency": "alltoallv",
    "All-to-Allw Personalized Exchange Latency": "alltoallw",
    "Allgather Latency": "allgather",
    "Allgatherv Latency": "allgatherv",
    "Allreduce Latency": "allreduce",
    "Barrier Latency": "barrier",
    "Broadcast Latency": "bcast",
    "Gather Latency": "gather",
    "Gatherv Latency": "gatherv",
    "Reduce Latency": "reduce",
    "Reduce_scatter Latency": "reduce_scatter",
    "Reduce_scatter_block Latency": "reduce_scatter_block",
    "Scatter Latency": "scatter",
    "Scatterv Latency": "scatterv",
}
OF_VECTOR = ("reduce_scatter", "reduce_scatter_block")
UNPRINTED = "MPI_FLOAT"  # what versions that name no datatype reduce
REDUCTIONS = ("allreduce", "reduce", *OF_VECTOR)
HOST = "host"
_TIME = re.compile(r"(?:Avg )?Latency ?\((?P<unit>[mnu]?s)\)")
_BETWEEN_COLUMNS = re.compile(r"\s{2,}|\t|(?<=\))\s|(?<=^Size)\s")  # a wide name leaves one space
_TYPE = re.compile(r"# Datatype: (\w+)")
_BUFFERS = re.compile(r"# Send Buffer on \w+ \((\w+)\) and Receive Buffer on \w+ \((\w+)\)")
_COMMAND = re.compile(r"\bosu_\w+(?:\.\w+)?[\"']?(?P<options>\s+-.*)?$")
_OPTIONS = {  # that no line of the output tells
    "root": re.compile(r"\s(?:-k|--root-rank)[ =]?(?:fixed:)?(\d+|rotate)"),
    "in_place": re.compile(r"\s(-l|--in-place)\b"),
    "device": re.compile(r"\s(?:-d|--accelerator)[ =]?([a-z]+)"),
}


class OsuReader(LogReader):
    name = "osu"
    title = "OSU Micro-Benchmarks: osu_latency and blocking collectives"
    mark = re.compile(r"# OSU \w")
    opening = re.compile(
        r"# OSU (?:MPI(?:-(?P<memory>\S+))? )?(?P<test>\S.*?)(?: Test)?"
        r"(?: v(?P<version>\d\S*)| \(Version .*\))?\s*$"
    )
    columns = re.compile(r"#\s*(?:Size\b|Overall ?\(|(?:\w+ )?(?:Latency|Bandwidth) ?\()")
    between = _TYPE
    lacks = "has no line '# OSU ...'"
    remedy = "name an OSU output"

    def names(self, text: str) -> list[str]:
        return _BETWEEN_COLUMNS.split(text.lstrip("# ").strip())

    def order(self, words: Sequence[str], names: Sequence[str]) -> int | None:
        return super().order(words, names) if names[0] == "Size" else None

    def head(self, table: Table, above: Head) -> Head:
        head: Head = {}
        for line in table.before:
            if match := _TYPE.match(line.text):
                head["datatype"] = match[1]
            elif match := _BUFFERS.match(line.text):
                head["buffers"] = f"{match[1]}-{match[2]}"
            elif match := _COMMAND.search(line.text):
                head = {key: text for key, text in head.items() if key not in _OPTIONS}
                head |= _options(match["options"] or "")
            elif line is not table.title and self.opening.match(line.text):
                head = {}
        counts = zip(("ranks", "per_node"), ranks_of_command(table.before, "osu_"), strict=True)
        head |= {name: str(count) for name, count in counts if count is not None}
        return head

    def about(self, table: Table, head: Head, options: ReadOptions) -> About:
        where = table.title.where
        experiment = _experiment(table)
        is_collective = experiment != "pingpong"
        ranks = int(head["ranks"]) if "ranks" in head else None
        fields = {
            "experiment": agree(experiment, options.experiment, "experiment", where),
            "algorithm": (options.algorithm or "native") if is_collective else "half_round_trip",
            "n": agree(ranks, options.n, "n", where) if is_collective else 2,
            "processes_per_node": agree(
                int(head["per_node"]), options.processes_per_node, "processes_per_node", where
            )
            if "per_node" in head
            else options.processes_per_node,
            "statistic": "mean",
            "conditions": _conditions(table, head, experiment) or None,
            "provenance": {"source": f"{self.name}: {table.title.path.name}"},
        }
        element = BYTES.get(head.get("datatype", UNPRINTED), 1)
        return About(fields, element if experiment in OF_VECTOR else 0)

    def row(self, line: Line, names: Sequence[str], about: About) -> Fields:
        words = line.text.split()
        column, unit = _time(line, names)
        if "Validation" in names and words[names.index("Validation")] != "Pass":
            raise line.error(
                "validation failed", "mend the MPI library; times of wrong data are void"
            )
        size = line.whole(words[0], "Size") if "Size" in names else 0
        return {
            "m": about.m(line, size),
            "times_s": (line.duration(words[column], names[column]) / PER_SECOND[unit],),
        }


def _experiment(table: Table) -> str:
    match = OsuReader.opening.match(table.title.text)
    test = match["test"] if match else table.title.text
    if "Bandwidth" in test or "Message Rate" in test:
        raise table.title.error(
            f"{test!r} gives rates of many messages in flight, not the time of one",
            "osu_latency and the collectives are read",
        )
    if test not in EXPERIMENTS:
        raise table.title.error(
            f"the test {test!r} is no latency of one message or of a blocking collective",
            "docs/samples.md lists what is read",
        )
    if "Transmit Size" in table.names:
        raise table.title.error(
            "a derived datatype sends other bytes than those of the column Size", "run without -D"
        )
    return EXPERIMENTS[test]


def _time(line: Line, names: Sequence[str]) -> tuple[int, str]:
    for index, name in enumerate(names):
        if match := _TIME.fullmatch(name):
            return index, match["unit"]
    raise line.error(f"none of the columns {', '.join(names)} is a latency", "restore their line")


def _options(text: str) -> Head:
    """What the options of a command say beside the output."""
    return {key: match[1] for key, each in _OPTIONS.items() if (match := each.search(text))}


def _conditions(table: Table, head: Head, experiment: str) -> dict[str, str]:
    match = OsuReader.opening.match(table.title.text)
    assert match is not None
    conditions = {}
    memory, buffers = (match["memory"] or "").lower(), head.get("buffers", "D-D")
    if memory and buffers != "H-H":
        conditions["memory"] = memory if buffers == "D-D" else f"{memory} {buffers}"
    elif "buffers" not in head and "device" in head:  # -d managed has the title of host memory
        conditions["memory"] = head["device"]
    datatype = head.get("datatype")
    if datatype and datatype not in _usual_types(match["version"] or "", experiment):
        conditions["datatype"] = datatype
    if head.get("root", "0") != "0":
        conditions["root"] = head["root"].replace("rotate", "rotating")
    if "in_place" in head:
        conditions["in_place"] = "yes"
    return conditions


def _usual_types(version: str, experiment: str) -> tuple[str, ...]:
    """Datatypes that a version takes without -T: reductions are of MPI_INT from 7.5 on."""
    numbers = [int(part) for part in re.findall(r"\d+", version)[:2]]
    if experiment in REDUCTIONS and numbers >= [7, 5]:
        return ("MPI_INT",)
    return ("MPI_CHAR", "MPI_SIGNED_CHAR")
