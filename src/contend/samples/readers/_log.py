"""Reading of logs: the samples of all tables that contend has a place for, the rest in warnings.

Idea: a reader of a benchmark says how its tables look (`Layout`) and what they mean (`about`,
`row`). A table or a row that cannot be read is left out with a warning that names it and never
keeps another from being read; only where nothing can be read is the first reason an error.

A launch is a run of the benchmark. Two tables of the same series are two launches where they are
of two runs; a size that a run has printed before, with all settings alike, is left out.
It reads no format; readers share it.
"""

import copy
import re
from abc import abstractmethod
from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from contend.base.errors import ContendError, FileFormatError
from contend.samples.reader import READERS, Reader, ReadOptions
from contend.samples.readers._scanner import Layout, Log, Table, cleaned, scan
from contend.samples.readers._text import Line, block, numbered_lines, sample_at, warn_of
from contend.samples.sample import Sample

PER_SECOND = {
    "us": 1e6, "usec": 1e6, "ms": 1e3, "msec": 1e3, "s": 1.0, "sec": 1.0, "ns": 1e9, "nsec": 1e9,
}  # fmt: skip
BLOCKS = 20  # of rows outside tables, which are named one by one
_LAUNCHER = (
    r"\b(?:mpirun(?:_rsh)?|mpiexec(?:\.\w+)?|srun|orterun|prun|prterun|aprun|ibrun|flux run)\b"
)
_AND_THEN = re.compile(r"&&|\|\|?|;")  # ends a command
_PARTS = re.compile(rf"{_LAUNCHER}.*\s:\s")
_RANKS = re.compile(rf"{_LAUNCHER}.*?\s(?:-n|-np|--n|--np|--ntasks)(?:[ =]|(?<=-n))(\d+)\s")
_PER_NODE = re.compile(  # nodes and processes on each, in either order
    r"\b(?:srun|flux run)\b(?=.*?\s(?:-N|--nodes)[ =]?(?P<nodes>\d+)\s)"
    r"(?=.*?\s--n?tasks-per-node[ =](?P<each>\d+)\s)"
)
_FIXED = re.compile(  # of mpirun and mpiexec, and of aprun
    r"\s--?(?:ppn|perhost|npernode)[ =](\d+)\s|\sppr:(\d+):node\b"
    r"|\baprun\b.*?\s-N[ =]?(\d+)\s"
)

Head = dict[str, str]  # what the text around a table says
Fields = dict[str, Any]


@dataclass(frozen=True)
class About:
    """What all samples of a table have in common.

    `element` is that of the datatype where the size printed is of all blocks together, whose n-th
    part is m; 0 where the size is m.
    """

    fields: Fields
    element: int = 0
    place: int = 0  # which of several times of a row is read
    unit: str = "us"
    head: Head = field(default_factory=dict)

    def m(self, line: Line, size: int) -> int:
        """Bytes of a message where the line says `size`."""
        return block(line, size, self.fields["n"], self.element) if self.element else size


class LogReader(Reader, Layout):
    """Base of the readers of text that benchmarks print."""

    is_of_logs = True
    mark: ClassVar[re.Pattern[str]]  # what this benchmark alone prints
    lacks: ClassVar[str]  # of a file without its tables
    remedy: ClassVar[str]

    def __init__(self) -> None:
        self._together: Sequence[LogReader] = (self,)

    def recognises(self, head: str) -> bool:
        return "\0" not in head and self.mark.search(cleaned(head.replace("\r", ""))) is not None

    def together(self, others: Sequence[Reader]) -> Reader:
        joint = copy.copy(self)
        joint._together = (self, *(other for other in others if isinstance(other, LogReader)))
        return joint

    def read(self, path: Path, options: ReadOptions) -> Iterator[Sample]:
        yield from _Reading(path, options, self._together).samples()

    def head(self, table: Table, above: Head) -> Head:
        """What the text around the table says; `above` is the head of the table before."""
        return {}

    @abstractmethod
    def about(self, table: Table, head: Head, options: ReadOptions) -> About:
        """What all samples of the table have in common; an error where they have no place."""

    def run(self, table: Table, head: Head) -> Hashable:
        """What tells runs of the benchmark apart."""
        return table.title.number

    def points(self, table: Table, about: About) -> Iterator[tuple[Line, Fields] | ContendError]:
        """The line and the other fields of each sample, or why there is none."""
        for line in table.rows:
            try:
                yield line, self.row(line, table.names, about)
            except ContendError as error:
                yield error

    def row(self, line: Line, names: Sequence[str], about: About) -> Fields:
        """Return size, time and what else a row says; for readers whose rows are points."""
        raise line.error("a row of this benchmark is no point by itself")


class _Reading:
    def __init__(self, path: Path, options: ReadOptions, readers: Sequence[LogReader]) -> None:
        self.path = path
        self.options = options
        self.readers = {reader.name: reader for reader in readers}
        self._samples: list[Sample] = []
        self.problems: list[ContendError] = []
        self.launches: defaultdict[Hashable, dict[Hashable, int]] = defaultdict(dict)
        self.points: set[Hashable] = set()

    def samples(self) -> list[Sample]:
        layouts = [reader for reader in READERS.all() if isinstance(reader, LogReader)]
        log = scan(list(numbered_lines(self.path)), layouts)
        heads: defaultdict[Hashable, Head] = defaultdict(dict)
        for table in log.tables:
            reader = table.layout
            assert isinstance(reader, LogReader)
            place = (table.stream, reader.name)
            head = heads[place] = reader.head(table, heads[place])
            try:
                self._table(table, reader, head)
            except ContendError as error:
                self.problems.append(error)
        self._add_loose(log)
        return self._warned(log)

    def _table(self, table: Table, reader: LogReader, head: Head) -> None:
        if reader.name not in self.readers:
            raise table.title.error(
                f"a table of {reader.title}",
                f"--as reader={reader.name} reads it, and no reader all",
            )
        about = reader.about(table, head, self.options)
        if not table.rows and not table.flaws:
            raise table.title.error("no row follows this title", "run it again")
        for line, flaw in table.flaws:
            self.problems.append(line.error(flaw))
        for point in reader.points(table, about):
            if isinstance(point, ContendError):
                self.problems.append(point)
                continue
            line, fields = point
            self._add(line, about.fields | fields, reader.run(table, head))
        if table.amid:
            self.problems.append(
                table.amid[0].error(
                    f"other text amid the rows ({len(table.amid)} lines)", "all rows were read"
                )
            )

    def _add(self, line: Line, fields: Fields, run: Hashable) -> None:
        try:
            sample = sample_at(line.where, **fields)
        except ContendError as error:
            self.problems.append(error)
            return
        launches = self.launches[sample.series]
        launch = launches.setdefault(run, len(launches))
        if (sample.series, sample.m, launch) in self.points:
            self.problems.append(
                line.error(f"this run has a row of {sample.m} bytes already", "keep the right row")
            )
            return
        self.points.add((sample.series, sample.m, launch))
        self._samples.append(sample.model_copy(update={"launch": launch}))

    def _add_loose(self, log: Log) -> None:
        blocks = log.loose[:BLOCKS]
        if rest := [line for block in log.loose[BLOCKS:] for line in block]:
            blocks.append(rest)
        for rows in blocks:
            last = f" (to line {rows[-1].number})" if len(rows) > 1 else ""
            self.problems.append(
                rows[0].error(
                    f"{len(rows)} rows{last} of no table that contend knows, or a row outside a "
                    "table",
                    "restore the title above them where they are of a benchmark",
                )
            )

    def _warned(self, log: Log) -> list[Sample]:
        """The samples, with a warning for each thing that was left out."""
        first = next(iter(self.readers.values()))
        names = {table.layout.name for table in log.tables if isinstance(table.layout, LogReader)}
        if not names & set(self.readers):
            raise FileFormatError(f"{self.path} {first.lacks}", first.remedy)
        if not self._samples:
            raise self.problems[0]
        warn_of(self.problems, stacklevel=4)
        return self._samples


def ranks_of_command(lines: Sequence[Line], program: str) -> tuple[int | None, int | None]:
    """Numbers of ranks, and of those on a node, by the last command that starts the program.

    None where it does not say, as one with several parts (mpirun -n 4 A : -n 4 B) does not.
    """
    for line in reversed(lines):
        if program not in line.text:
            continue
        if _PARTS.search(line.text):
            return None, None
        command = _AND_THEN.split(line.text.partition(program)[0])[-1]
        match, nodes = _RANKS.search(command), _PER_NODE.search(command)
        product = int(nodes["nodes"]) * int(nodes["each"]) if nodes else None
        if match is None and nodes is None:
            continue
        if nodes and (match is None or int(match[1]) == product):
            return product, int(nodes["each"])
        assert match is not None
        return int(match[1]), _per_node(command, int(match[1]))
    return None, None


def _per_node(command: str, n: int) -> int | None:
    """Ranks on each node where options that fix it say so and all nodes have as many."""
    match = _FIXED.search(command)
    each = min(n, int(next(filter(None, match.groups())))) if match else 0
    return each if each and n % each == 0 else None
