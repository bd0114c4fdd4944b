"""Intel MPI Benchmarks: text output of IMB-MPI1, several benchmarks and process counts a file.

Source: Intel MPI Benchmarks user guide; github.com/intel/mpi-benchmarks.

Layout: a header of `# Date : ...` lines, then tables `# Benchmarking Alltoall`,
`# #processes = 8`, `# ( 56 additional processes waiting in MPI_Barrier)`, the columns
`#bytes #repetitions t_min[usec] t_max[usec] t_avg[usec]` (PingPong: `t[usec] Mbytes/sec`, with
-multi 0 the three times) and a row per size; a barrier has no sizes. A program built with CHECK
adds the column `defects`, one run with -multi 1 the column `Group`. Each header begins a run.

One value is a mean over the repetitions, in microseconds: t or t_avg of PingPong, half a round
trip; t_max of a collective, the mean of the slowest rank, as the operation ends when its last does.

m: the bytes printed are a block of a rank wherever there are blocks. Versions before 2019 print the
whole vector of a Reduce_scatter, whose n-th part is m; without a header the version is taken as
2019 or later, with a warning.

Conditions: datatype, reduction, root (-root_shift on), memory (-mem_alloc_type of IMB-MPI1-GPU),
cache (-off_cache) and sync (-sync off), where they are not the default.

Restrictions: benchmarks without a place in contend (Sendrecv, Exchange, non-blocking ones, ...),
several groups or pairs at once, a single process, rows with defects, sizes that IMB could not run
and times printed as 0 are left out with a warning. The date has no time zone. `algorithm` and `n`
of the options are for collectives alone.
"""

import re
import warnings
from collections.abc import Hashable, Sequence
from itertools import pairwise
from typing import Any

from contend.samples.reader import ReadOptions
from contend.samples.readers._log import PER_SECOND, About, Fields, Head, LogReader
from contend.samples.readers._scanner import Table
from contend.samples.readers._text import BYTES, AssumedWarning, Line, agree

REDUCTIONS = ("Allreduce", "Reduce", "Reduce_scatter", "Reduce_scatter_block")
ROOTED = ("Bcast", "Gather", "Gatherv", "Reduce", "Scatter", "Scatterv")
COLLECTIVES = (
    *REDUCTIONS, "Allgather", "Allgatherv", "Alltoall", "Alltoallv", "Barrier", "Bcast", "Gather",
    "Gatherv", "Scatter", "Scatterv",
)  # fmt: skip
BENCHMARKS = ("PingPong", *COLLECTIVES)
FIRST_OF_BLOCKS = 2019  # versions from then on print a block of a Reduce_scatter
DEFAULTS = {"datatype": "MPI_BYTE", "reduced": "MPI_FLOAT", "reduction": "MPI_SUM"}
MEMORY = "-mem_alloc_type"  # of IMB-MPI1-GPU, whose default is device
_TIME = re.compile(r"(?P<name>t(?:_max|_avg)?)\[(?P<unit>\w+)\]")
_PROCESSES = re.compile(r"#\s*\(?\s*#processes\s*=\s*(\d+)")
_RUN = re.compile(
    r"#\s*(?:Intel ?\(R\)|PALLAS) MPI Benchmark(?:s| Suite) V?(?P<version>[^,]*)(?P<part>.*)"
)
_HEADER = re.compile(
    r"#\s*(Date|Machine|System|Release|Version|MPI Version|MPI_Datatype for reductions"
    r"|MPI_Datatype|MPI_Op)\s*:\s*(.*)"
)
_COMMAND = re.compile(r"#\s*((?:\S*/)?IMB-\S+.*)")
_MORE_OF_COMMAND = re.compile(r"#\s{2,}(\S.*)")  # versions before 2019 print six words a line
_NOT_RUN = re.compile(r"\d+\s+(?:\d+\s+)?((?:out-of-mem|int-overflow|time-out)\..*|int-overflow.*)")


class ImbReader(LogReader):
    name = "imb"
    title = "Intel MPI Benchmarks: PingPong and collectives of IMB-MPI1"
    mark = re.compile(r"#.*(?:Intel ?\(R\)|PALLAS) MPI Benchmark|#\s*Benchmarking \S")
    opening = re.compile(r"#\s*Benchmarking (?P<benchmark>\S+)\s*$")
    columns = re.compile(r".*#repetitions\b")
    lacks = f"has no table of {', '.join(BENCHMARKS)}"
    remedy = "run one of these benchmarks"

    def names(self, text: str) -> list[str]:
        return text.split()

    def order(self, words: Sequence[str], names: Sequence[str]) -> int | None:
        """The size, which stands behind the number of the group."""
        if "#bytes" not in names:
            return None
        return super().order(words[names.index("#bytes") :], names)

    def flaw(self, text: str, names: Sequence[str]) -> str:
        """Why IMB printed no time, or the text of any other row."""
        if match := _NOT_RUN.match(text):
            return f"IMB did not run this size ({match[1]})"
        return super().flaw(text, names)

    def head(self, table: Table, above: Head) -> Head:
        """The header of the run, and what stands below the title."""
        head = dict(above)
        last: Line | None = None  # of a command
        for line in table.before:
            if match := _RUN.match(line.text):
                head = {"run": str(line.number), **match.groupdict("")}
            elif match := _HEADER.match(line.text):
                head[match[1]] = match[2].strip()
            elif match := _COMMAND.match(line.text):
                head["command"], last = match[1], line
            elif (
                last is not None
                and line.number == last.number + 1
                and (match := _MORE_OF_COMMAND.match(line.text))
            ):
                head["command"], last = f"{head['command']} {match[1]}", line
            elif match := _PROCESSES.match(line.text):
                head["n"] = match[1]
            elif self.opening.match(line.text):
                head.pop("n", None)
                head.pop("groups", None)
            elif "groups of" in line.text:
                head["groups"] = line.text
        return head

    def run(self, table: Table, head: Head) -> Hashable:
        """The header's line; without any, each table is a run."""
        return head.get("run", table.title.number)

    def about(self, table: Table, head: Head, options: ReadOptions) -> About:
        title = table.title
        benchmark = title.text.split("Benchmarking", 1)[1].strip()
        n = title.whole(head["n"], "#processes") if "n" in head else None
        _check_place(title, benchmark, head, n)
        experiment = agree(benchmark.lower(), options.experiment, "experiment", title.where)
        is_collective = benchmark in COLLECTIVES
        fields = {
            "experiment": experiment,
            "algorithm": (options.algorithm or "native") if is_collective else "half_round_trip",
            "n": agree(n, options.n, "n", title.where) if is_collective else n or 2,
            "processes_per_node": options.processes_per_node,
            "statistic": "mean",
            "conditions": _conditions(benchmark, head) or None,
            "provenance": _provenance(f"{self.name}: {title.path.name}", table, head),
        }
        return About(fields, _element(table, head) if benchmark == "Reduce_scatter" else 0)

    def row(self, line: Line, names: Sequence[str], about: About) -> Fields:
        cells = dict(zip(names, line.text.split(), strict=True))
        if line.decimal(cells.get("defects", "0"), "defects") != 0:
            raise line.error(
                f"defects are {cells['defects']}",
                "mend the MPI library; times of wrong data are void",
            )
        if cells.get("Group", "0") != "0":
            raise line.error("several groups ran at once", "measure without -multi")
        name, unit = _time(line, names, about.fields["experiment"])
        duration = line.duration(cells[name], name)
        if duration == 0:
            raise line.error(f"{name} is 0", "it is shorter than IMB prints")
        size = line.whole(cells["#bytes"], "#bytes") if "#bytes" in cells else 0
        return {"m": about.m(line, size), "times_s": (duration / PER_SECOND[unit],)}


def _check_place(title: Line, benchmark: str, head: Head, n: int | None) -> None:
    """Raise an error for a table that is none of single messages or one collective at a time."""
    if "groups" in head or benchmark.startswith("Multi-"):
        raise title.error(f"{benchmark}: several groups ran at once", "measure without -multi")
    if benchmark not in BENCHMARKS:
        raise title.error(f"{benchmark} has no place in contend", "nothing is wrong with it")
    if benchmark == "PingPong" and n not in (None, 2):
        raise title.error(f"PingPong of {n} processes: several pairs at once", "run it with two")
    if n == 1:
        raise title.error(f"{benchmark} of a single process sends nothing", "run it with more")


def _time(line: Line, names: Sequence[str], experiment: str) -> tuple[str, str]:
    wanted = ("t", "t_avg") if experiment == "pingpong" else ("t_max",)
    for name in names:
        match = _TIME.fullmatch(name)
        if match and match["name"] in wanted and match["unit"] in PER_SECOND:
            return name, match["unit"]
    raise line.error(
        f"the table has the columns {' '.join(names)}, not #bytes and {wanted[0]}[usec]",
        "restore its column line",
    )


def _element(table: Table, head: Head) -> int:
    """Bytes of what a vector consists of that is split; 0 where the size is that of a block."""
    digits = re.match(r"\d+", head.get("version", ""))
    if digits is None:
        warnings.warn(
            f"{table.title.where}: no header says which version printed this Reduce_scatter, so "
            f"the size is taken as of {FIRST_OF_BLOCKS} and later, where it is a block; restore "
            "the header where the version is older",
            AssumedWarning,
            stacklevel=2,
        )
        return 0
    if int(digits[0]) >= FIRST_OF_BLOCKS:
        return 0
    return BYTES.get(head.get("MPI_Datatype for reductions", DEFAULTS["reduced"]), 1)


def _conditions(benchmark: str, head: Head) -> dict[str, str]:
    is_reduction = benchmark in REDUCTIONS
    datatype = head.get("MPI_Datatype for reductions" if is_reduction else "MPI_Datatype")
    reduction = head.get("MPI_Op", DEFAULTS["reduction"])
    conditions = {}
    if datatype and datatype != DEFAULTS["reduced" if is_reduction else "datatype"]:
        conditions["datatype"] = datatype
    if is_reduction and reduction != DEFAULTS["reduction"]:
        conditions["reduction"] = reduction
    words = head.get("command", "").split()
    if "GPU" in head.get("part", "") or (words and words[0].endswith("-GPU")):
        words = [*words, MEMORY, "device"] if MEMORY not in words else words
    return conditions | _of_command(benchmark, words)


def _of_command(benchmark: str, words: Sequence[str]) -> dict[str, str]:
    given = dict(pairwise(words))
    conditions = {}
    if given.get(MEMORY, "cpu") != "cpu":
        conditions["memory"] = given[MEMORY]
    if benchmark in ROOTED and given.get("-root_shift") in ("on", "1", "enable", "yes"):
        conditions["root"] = "rotating"
    if given.get("-sync") in ("off", "0", "disable", "no"):
        conditions["sync"] = "off"
    if not given.get("-off_cache", "-1,0").startswith("-1,0"):
        conditions["cache"] = "off"
    if given.get("-contig_type", "base") != "base":
        conditions["datatype"] = given["-contig_type"]
    return conditions


def _provenance(source: str, table: Table, head: Head) -> dict[str, Any]:
    kernel = " ".join(head[key] for key in ("System", "Release", "Version") if key in head)
    return {
        "source": source,
        "date": table.title.date(head["Date"], "the header above") if "Date" in head else None,
        "mpi_standard": head.get("MPI Version"),
        "kernel": kernel or None,
        "cpu": head.get("Machine"),
        "command": head.get("command", "").split(),
    }
