"""nccl-tests and rccl-tests: text tables of all_reduce_perf and the other collectives.

Source: github.com/NVIDIA/nccl-tests, src/common.cu and doc/PERFORMANCE.md; rccl-tests prints alike.

Layout: lines `#  Rank  0 Group  0 Pid  855 on node1 device  0 [0xa4] ...`, a rank each (older
versions without the group), a line of columns `#  size  count  type  redop  root  time  algbw
busbw #wrong  time  algbw  busbw #wrong` (out of place, then in place), a line of units, and a row
per size. Which collective it was stands in newer versions alone (`# Collective test starting:
all_reduce_perf`), else in the command that a launcher's log begins with. Outputs may follow each
other in one file; each further table of a collective and number of ranks is a further launch.

One value is a mean over iterations, in microseconds, as rank 0 has it. Out-of-place times are read;
in-place ones where `where` is `place=in`.

m: `size` is the larger of the buffers of a rank, so that m, a block, is the n-th part of it for
all-gather, reduce-scatter, all-to-all, gather and scatter. A size that does not split is left out
with a warning. Processes per node are the most ranks of one host.

Restrictions: sendrecv_perf, hypercube_perf and alltoallv_perf, and ranks in several groups, are no
collective that contend has a place for. Rows with wrong values are refused.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from contend.errors import FileFormatError, InvalidInputError
from contend.samples.reader import Reader, ReadOptions
from contend.samples.readers._text import Line, agree, numbered_lines, sample_at
from contend.samples.sample import Sample

EXPERIMENTS = {
    "all_gather": "allgather", "all_reduce": "allreduce", "alltoall": "alltoall",
    "broadcast": "bcast", "gather": "gather", "reduce": "reduce",
    "reduce_scatter": "reduce_scatter", "scatter": "scatter",
}  # fmt: skip
BY_BLOCK = {"allgather", "alltoall", "gather", "reduce_scatter", "scatter"}
PLACES = {"out": 0, "in": 1}  # which of the two columns `time`
_RANK = re.compile(
    r"#\s*Rank\s+(\d+)(?:\s+Group\s+(?P<group>\d+))?\s+Pid\s+\d+\s+on\s+(?P<host>\S+)"
)
_NAMED = re.compile(r"# Collective test (?P<when>starting|concluded): (?P<test>\w+)_perf")
_COMMAND = re.compile(r"(?:^|[\s/])(?P<test>[a-z_]+)_perf(?:_mpi)?(?=\s+-|\s*$)")
_COLUMNS = re.compile(r"#\s+size\s+count\s+type\s")
_ROW = re.compile(r"\s*\d+\s+\d+\s+\w+\s")
_FIXED = 5  # size, count, type, redop, root


@dataclass
class Table:
    """What one run printed."""

    title: Line
    test: str | None
    hosts: list[str] = field(default_factory=list)
    groups: set[str] = field(default_factory=set)
    columns: list[str] = field(default_factory=list)
    rows: list[Line] = field(default_factory=list)


class NcclTestsReader(Reader):
    """Reader of nccl-tests."""

    name = "nccl_tests"
    title = "nccl-tests and rccl-tests: tables of the collectives"

    def recognises(self, head: str) -> bool:
        """Whether a line of its header or of its columns is there."""
        pattern = r"^#\s*(nThread\s+\d|Collective test starting|size\s+count\s+type\s)"
        return re.search(pattern, head, re.MULTILINE) is not None

    def read(self, path: Path, options: ReadOptions) -> Iterator[Sample]:
        """Samples of all tables, in file order."""
        place = _place(options)
        launches: Counter[tuple[str, int]] = Counter()
        tables = _tables(path)
        if not tables:
            raise FileFormatError(f"{path} has no table of nccl-tests", "name its whole output")
        for table in tables:
            where = table.title.where
            if table.test is not None and table.test not in EXPERIMENTS:
                table.title.skip(f"{table.test}_perf has no place in contend", "others are read")
                continue
            if table.groups - {"0"}:
                table.title.skip("several groups ran at once", "run without NCCL_TESTS_SPLIT")
                continue
            said = None if table.test is None else EXPERIMENTS[table.test]
            experiment = agree(said, options.experiment, "experiment", where)
            n = agree(len(table.hosts) or None, options.n, "n", where)
            most = max(Counter(table.hosts).values(), default=0) or None
            fields = {
                "experiment": experiment,
                "algorithm": options.algorithm or "native",
                "n": n,
                "processes_per_node": options.processes_per_node or most,
                "launch": launches[experiment, n],
                "statistic": "mean",
                "provenance": {"source": f"{self.name}: {path.name}"},
            }
            yield from _samples(table, fields, n, place)
            launches[experiment, n] += 1


def _samples(table: Table, fields: dict[str, Any], n: int, place: int) -> Iterator[Sample]:
    """A sample of each row."""
    for row in table.rows:
        size, microseconds = _row(row, table.columns, place)
        if microseconds == 0:
            row.skip("the time is 0", "it is shorter than nccl-tests prints")
        elif fields["experiment"] in BY_BLOCK and size % n:
            row.skip(f"{size} bytes have no {n} equal blocks", "larger sizes have")
        else:
            m = size // n if fields["experiment"] in BY_BLOCK else size
            yield sample_at(row.where, **fields, m=m, times_s=(microseconds / 1e6,))


def _place(options: ReadOptions) -> int:
    """Which of the two times is read."""
    where = dict(options.where)
    word = where.pop("place", "out")
    if where or word not in PLACES:
        raise InvalidInputError(
            f"nccl-tests has no rows to choose by {dict(options.where)}",
            "give --where place=out or --where place=in",
        )
    return PLACES[word]


def _tables(path: Path) -> list[Table]:
    """Tables that have rows."""
    tables: list[Table] = []
    waiting: Table | None = None  # what was printed before the columns of the next table
    for line in numbered_lines(path):
        text = line.text.strip()
        named = _NAMED.match(text)
        if named and named["when"] == "concluded":
            if tables and tables[-1].test is None:
                tables[-1].test = named["test"]
            continue
        if match := named or (None if text.startswith("#") else _COMMAND.search(text)):
            waiting = Table(line, match["test"])
        elif match := _RANK.match(text):
            waiting = waiting or Table(line, None)
            waiting.hosts.append(match["host"])
            waiting.groups.add(match["group"] or "0")
        elif _COLUMNS.match(text):
            tables.append(waiting or Table(line, None))
            tables[-1].title, waiting = line, None
            tables[-1].columns = text.lstrip("#").split()
        elif _ROW.match(line.text):
            if not tables:
                raise line.error("a row outside a table", "restore the line of columns")
            tables[-1].rows.append(line)
    return [table for table in tables if table.rows]


def _row(row: Line, columns: list[str], place: int) -> tuple[int, float]:
    """Bytes and microseconds of a row."""
    words = row.text.split()
    times = [index for index, name in enumerate(columns) if name == "time"]
    if len(words) != len(columns) or len(times) <= place or columns[:_FIXED][-1] != "root":
        raise row.error(f"{len(words)} columns where {' '.join(columns)} are due")
    wrong = words[times[place] + 3] if times[place] + 3 < len(words) else "0"
    if re.fullmatch(r"\d+(\.\d*)?(e[+-]?\d+)?", wrong) and float(wrong) > 0 and _is_count(columns):
        raise row.error(f"{wrong} values are wrong", "mend the library; such times are void")
    return row.whole(words[0], "size"), row.duration(words[times[place]], "time")


def _is_count(columns: list[str]) -> bool:
    """Whether the column after busbw counts wrong values, and is not an error as of old."""
    return "#wrong" in columns
