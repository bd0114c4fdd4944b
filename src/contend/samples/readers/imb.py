"""Intel MPI Benchmarks: text output of IMB-MPI1, several benchmarks and process counts a file.

Source: Intel MPI Benchmarks user guide; github.com/intel/mpi-benchmarks.

Layout: a header of `# Date : ...` lines, then tables `# Benchmarking Alltoall`,
`# #processes = 8`, `# ( 56 additional processes waiting in MPI_Barrier)`, the columns
`#bytes #repetitions t_min[usec] t_max[usec] t_avg[usec]` (PingPong: `t[usec] Mbytes/sec`) and a
row per size, ended by a blank line. Each further table of a benchmark with the same process
count is a further launch.

One value is a mean over the repetitions, in microseconds: t of PingPong, half a round trip;
t_max of a collective, the mean of the slowest rank, as the operation ends when its last rank does.

Restrictions: benchmarks without a place in contend (Sendrecv, Exchange, Barrier, ...), groups
that run at once (-multi), sizes that IMB could not run and times printed as 0 are left out with a
warning, as are sizes of a Reduce_scatter without n equal blocks, whose m is a block. The date has
no time zone. `algorithm` of the options is for collectives alone.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from contend.errors import FileFormatError
from contend.samples.reader import Reader, ReadOptions
from contend.samples.readers._blocks import block
from contend.samples.readers._text import Line, agree, numbered_lines, sample_at
from contend.samples.sample import Sample

COLLECTIVES = (
    "Allgather", "Allgatherv", "Allreduce", "Alltoall", "Alltoallv", "Bcast", "Gather", "Gatherv",
    "Reduce", "Reduce_scatter", "Reduce_scatter_block", "Scatter", "Scatterv",
)  # fmt: skip
TIME_COLUMNS = {name: "t_max[usec]" for name in COLLECTIVES} | {"PingPong": "t[usec]"}
_BENCHMARK = re.compile(r"#\s*Benchmarking (\S+)")
_PROCESSES = re.compile(r"#\s*#processes\s*=\s*(\d+)")
_HEADER = re.compile(r"#\s*(Date|Machine|System|Release|Version|MPI Version)\s*:\s*(.*)")
_COMMAND = re.compile(r"#\s*((?:\S*/)?IMB-\S+.*)")
_NOT_RUN = re.compile(r"\d+\s+(?:\d+\s+)?((?:out-of-mem|int-overflow|time-out)\..*)")
_ROW = re.compile(r"\d+\s+\d+\s+[\d.]+")


@dataclass
class Table:
    """What one benchmark printed for one number of processes."""

    title: Line
    benchmark: str
    header: dict[str, str]
    n: int | None = None
    has_groups: bool = False
    columns: list[str] = field(default_factory=list)
    rows: list[Line] = field(default_factory=list)
    is_open: bool = True


class ImbReader(Reader):
    """Reader of the Intel MPI Benchmarks."""

    name = "imb"
    title = "Intel MPI Benchmarks: PingPong and collectives of IMB-MPI1"

    def recognises(self, head: str) -> bool:
        """Whether the title of the benchmarks or of a table is there."""
        pattern = r"^#.*Intel ?\(R\) MPI Benchmark|^#\s*Benchmarking \S"
        return re.search(pattern, head, re.MULTILINE) is not None

    def read(self, path: Path, options: ReadOptions) -> Iterator[Sample]:
        """Samples of the tables that contend has a place for, in file order."""
        launches: Counter[tuple[str, int | None]] = Counter()
        tables = [table for table in _tables(path) if _is_wanted(table)]
        if not tables:
            raise FileFormatError(
                f"{path} has no table of {', '.join(TIME_COLUMNS)}", "run one of these benchmarks"
            )
        for table in tables:
            kind = (table.benchmark, table.n)
            yield from self._samples(table, options, launches[kind])
            launches[kind] += 1

    def _samples(self, table: Table, options: ReadOptions, launch: int) -> Iterator[Sample]:
        where = table.title.where
        is_collective = table.benchmark in COLLECTIVES
        experiment = agree(table.benchmark.lower(), options.experiment, "experiment", where)
        n = agree(table.n, options.n, "n", where)
        native = options.algorithm or "native"
        provenance = _provenance(f"{self.name}: {table.title.path.name}", table)
        for row, size, microseconds in _rows(table):
            m = block(row, size, experiment, n)
            if m is None:
                continue
            yield sample_at(
                row.where,
                experiment=experiment,
                algorithm=native if is_collective else "half_round_trip",
                n=n,
                processes_per_node=options.processes_per_node,
                m=m,
                launch=launch,
                statistic="mean",
                times_s=(microseconds / 1e6,),
                provenance=provenance,
            )


def _tables(path: Path) -> list[Table]:
    tables: list[Table] = []
    header: dict[str, str] = {}
    for line in numbered_lines(path):
        text = line.text.strip()
        table = tables[-1] if tables else None
        if match := _BENCHMARK.match(text):
            tables.append(Table(line, match[1], dict(header)))
        elif match := _HEADER.match(text):
            header[match[1]] = match[2].strip()
        elif match := _COMMAND.match(text):
            header["command"] = match[1]
        elif table:
            _add(table, line, text)
    return tables


def _add(table: Table, line: Line, text: str) -> None:
    """Take up a line that follows the title of the table."""
    if match := _PROCESSES.match(text):
        table.n = line.whole(match[1], "#processes")
    elif "#repetitions" in text:
        table.columns = text.split()
    elif text.startswith("#"):
        table.has_groups |= "groups of" in text
    elif not text:
        table.is_open = not table.rows
    elif table.columns and table.is_open:
        table.rows.append(line)
    elif _ROW.match(text):
        raise line.error("a row outside a table", "restore the title line or remove the row")


def _is_wanted(table: Table) -> bool:
    if table.benchmark not in TIME_COLUMNS:
        table.title.skip(f"{table.benchmark} has no place in contend", "nothing is wrong with it")
        return False
    if table.has_groups:
        table.title.skip("several groups ran at once", "measure without -multi")
        return False
    if not table.rows:
        raise table.title.error("no row follows this title", "remove it or run it again")
    return True


def _rows(table: Table) -> Iterator[tuple[Line, int, float]]:
    """Line, bytes and microseconds of each size."""
    time = TIME_COLUMNS[table.benchmark]
    if not {"#bytes", time} <= set(table.columns):
        raise table.title.error(
            f"the table has the columns {' '.join(table.columns)}, not #bytes and {time}",
            "restore its column line",
        )
    for row in table.rows:
        words = row.text.split()
        if match := _NOT_RUN.match(row.text.strip()):
            row.skip(f"IMB did not run this size ({match[1]})", "run it with the flag named there")
            continue
        if len(words) != len(table.columns):
            raise row.error(f"{len(words)} columns where {' '.join(table.columns)} are due")
        named = dict(zip(table.columns, words, strict=True))
        microseconds = row.duration(named[time], time)
        if microseconds == 0:
            row.skip(f"{time} is 0", "it is shorter than IMB prints")
            continue
        yield row, row.whole(named["#bytes"], "#bytes"), microseconds


def _provenance(source: str, table: Table) -> dict[str, Any]:
    header = table.header
    kernel = " ".join(header[key] for key in ("System", "Release", "Version") if key in header)
    return {
        "source": source,
        "date": _date(table) if "Date" in header else None,
        "mpi_standard": header.get("MPI Version"),
        "kernel": kernel or None,
        "cpu": header.get("Machine"),
        "command": header.get("command", "").split(),
    }


def _date(table: Table) -> str:
    try:
        return datetime.strptime(table.header["Date"], "%a %b %d %H:%M:%S %Y").isoformat()
    except ValueError:
        raise table.title.error(
            f"the header above has the date {table.header['Date']!r}",
            "write it like Thu Mar 24 04:29:15 2022",
        ) from None
