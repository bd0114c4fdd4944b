"""OSU Micro-Benchmarks: text output of osu_latency and of the blocking collectives, v5 to v7.

Source: D. K. Panda and others, The Ohio State University, mvapich.cse.ohio-state.edu/benchmarks.

Layout: `# OSU MPI All-to-All Personalized Exchange Latency Test v7.3`, in newer versions
`# Datatype: MPI_CHAR.`, then `# Size  Avg Latency(us)` (with -f also Min, Max and Iterations, with
-z tail latencies such as P50, with validation Pass or Fail) and a row per size. The version may
carry a suffix of whoever built it (`v7.0-site3`). Outputs may follow each other in one file; each
further table of a test is a further launch. Text before a title or after a blank line that ends a
table is the launcher's and passed over.

One value is a mean, in microseconds: of half a round trip over the iterations of osu_latency; of
a collective over its iterations and ranks. The Max column, the slowest rank's mean, would be
nearer to the end of the operation, but only -f prints it, and samples of the same run must not
depend on that: the average is taken always, and is low by what the ranks differ.

Restrictions: the output does not say how many processes ran, so a collective needs `n`; tests of
bandwidth, non-blocking, persistent and several-pair operations are refused. The size is taken as
printed: per pair of ranks for all-to-all, the whole vector for reductions; of a reduce-scatter m is
the n-th part of it, and rows without equal parts are left out with a warning. `algorithm` of the
options is for collectives alone.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from contend.errors import FileFormatError
from contend.samples.reader import Reader, ReadOptions
from contend.samples.readers._blocks import block
from contend.samples.readers._text import Line, agree, numbered_lines, sample_at
from contend.samples.sample import Sample

EXPERIMENTS = {
    "Latency": "pingpong",
    "All-to-All Personalized Exchange Latency": "alltoall",
    "All-to-Allv Personalized Exchange Latency": "alltoallv",
    "All-to-Allw Personalized Exchange Latency": "alltoallw",
    "Allgather Latency": "allgather",
    "Allgatherv Latency": "allgatherv",
    "Allreduce Latency": "allreduce",
    "Broadcast Latency": "bcast",
    "Gather Latency": "gather",
    "Gatherv Latency": "gatherv",
    "Reduce Latency": "reduce",
    "Reduce_scatter Latency": "reduce_scatter",
    "Reduce_scatter_block Latency": "reduce_scatter_block",
    "Scatter Latency": "scatter",
    "Scatterv Latency": "scatterv",
}
_TITLE = re.compile(r"# OSU (?:MPI(?:-\w+)? )?(?P<test>.*?)(?: Test)?(?: v\d\S*)?\s*$")
_TIME = re.compile(r"(?:Avg )?Latency ?\(us\)")
_BETWEEN_COLUMNS = re.compile(r"\s{2,}|\t|(?<=\))\s|(?<=^Size)\s")  # a wide name leaves one space
_ROW = re.compile(r"\s*\d+\s+[\d.]+\s*")


@dataclass
class Table:
    """What one run of one test printed."""

    title: Line
    test: str
    columns: list[str] = field(default_factory=list)
    rows: list[Line] = field(default_factory=list)
    is_open: bool = True


class OsuReader(Reader):
    """Reader of the OSU Micro-Benchmarks."""

    name = "osu"
    title = "OSU Micro-Benchmarks: osu_latency and blocking collectives"

    def recognises(self, head: str) -> bool:
        """Whether a line begins like a title of the OSU benchmarks."""
        return re.search(r"^# OSU ", head, re.MULTILINE) is not None

    def read(self, path: Path, options: ReadOptions) -> Iterator[Sample]:
        """Samples of all tables, in file order."""
        launches: Counter[str] = Counter()
        tables = _tables(path)
        if not tables:
            raise FileFormatError(f"{path} has no line '# OSU ...'", "name an OSU output")
        for table in tables:
            experiment = _experiment(table)
            yield from self._samples(table, experiment, options, launches[experiment])
            launches[experiment] += 1

    def _samples(
        self, table: Table, experiment: str, options: ReadOptions, launch: int
    ) -> Iterator[Sample]:
        where = table.title.where
        is_collective = experiment != "pingpong"
        experiment = agree(experiment, options.experiment, "experiment", where)
        n = agree(None, options.n, "n", where) if is_collective else 2
        native = options.algorithm or "native"
        for row in table.rows:
            size, microseconds = _row(row, table.columns)
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
                provenance={"source": f"{self.name}: {row.path.name}"},
            )


def _tables(path: Path) -> list[Table]:
    tables: list[Table] = []
    for line in numbered_lines(path):
        table = tables[-1] if tables else None
        if match := _TITLE.match(line.text):
            tables.append(Table(line, match["test"]))
        elif table and line.text.startswith("# Size"):
            table.columns = _BETWEEN_COLUMNS.split(line.text.removeprefix("# ").strip())
        elif table and not line.text.strip():
            table.is_open = not table.rows
        elif line.text.startswith("#"):
            continue
        elif table and table.columns and table.is_open:
            table.rows.append(line)
        elif _ROW.match(line.text):
            raise line.error("a row outside a table", "restore the title line or remove the row")
    return tables


def _experiment(table: Table) -> str:
    if "Bandwidth" in table.test or "Message Rate" in table.test:
        raise table.title.error(
            f"{table.test!r} gives rates of many messages in flight, not the time of one",
            "use osu_latency or a collective; remove this table",
        )
    if table.test not in EXPERIMENTS:
        raise table.title.error(
            f"the test {table.test!r} is not one of {', '.join(EXPERIMENTS)}", "remove this table"
        )
    if not table.rows:
        raise table.title.error("no row follows this title", "remove it or run the test again")
    return EXPERIMENTS[table.test]


def _row(row: Line, columns: list[str]) -> tuple[int, float]:
    """Bytes and microseconds of a row."""
    words = row.text.split()
    times = [index for index, name in enumerate(columns) if _TIME.fullmatch(name)]
    if not times or len(words) != len(columns):
        raise row.error(f"{len(words)} columns where {', '.join(columns)} are due")
    if "Validation" in columns and words[columns.index("Validation")] != "Pass":
        raise row.error("validation failed", "mend the MPI library; times of wrong data are void")
    return row.whole(words[0], "Size"), row.duration(words[times[0]], columns[times[0]])
