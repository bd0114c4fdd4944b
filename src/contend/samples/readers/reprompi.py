"""ReproMPI: text output of mpibenchmark, one row per repetition, per process, or per summary.

Source: Hunold and Carpen-Amarie, "Reproducible MPI Benchmarking Is Still Not as Easy as You
Think", IEEE TPDS 27(12), 2016; github.com/hunsa/reprompi.

Layout: `#@key=value` lines (nprocs, datatype_size_bytes, sync or procsync, ...), then a table
whose first line names its columns: `test nrep count runtime_sec`; with -v
`process test nrep count loc_tstart_sec loc_tend_sec`; with --summary
`test count total_nrep valid_nrep mean_sec median_sec min_sec max_sec`. Window starts add
`errorcode` and, with -v, `gl_tstart_sec gl_tend_sec`. `msize_bytes` may stand for `count`.

One value is a repetition, in seconds: from the first start to the last end by the global clock
where the file has one, else the longest duration over the processes. Of a summary the median is
taken, else the mean, else the minimum, over repetitions that ReproMPI found valid. Repetitions
with an error code are kept, as everywhere in contend, and counted as late starts.

Restrictions: MPI_* and mock-up (GL_*_as_*) collectives; other calls are left out with a warning.
Tables of the library interface (`measure_type`) are not read. Each further run with the same
collective and process count in one file is a further launch. The date has no time zone.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from contend.base.errors import ContendError
from contend.samples.reader import ReadOptions
from contend.samples.readers._log import About, Fields, Head, LogReader
from contend.samples.readers._scanner import Table
from contend.samples.readers._text import Line, agree

STARTS = {
    "MPI_Barrier": "barrier", "BBarrier": "barrier", "dissem_barrier": "barrier",
    "window": "window", "JK": "window", "HCA": "window", "SKaMPI": "window",
    "roundsync": "window", "roundtime": "window",
}  # fmt: skip
SUMMARIES = {
    "median_sec": "median", "median_runtime_sec": "median", "mean_sec": "mean",
    "mean_runtime_sec": "mean", "min_sec": "minimum", "min_runtime_sec": "minimum",
}  # fmt: skip
_SETTING = re.compile(r"#@(\w+)=(.*)")
_COMMAND = re.compile(r"#Command-line arguments:\s*(.*)")
_TRAILER = re.compile(r"# (?:Benchmark started at (?P<date>.*)|Execution time.*)")
_CALL = re.compile(r"(?:MPI|GL)_(?P<experiment>\w+?)(?:_as_(?P<algorithm>\w+))?")

BARRIER = "MPI_Barrier"  # which the sizes of the command do not matter to
OF_A_BYTE = ("MPI_BYTE", "MPI_CHAR", "UInt8")  # the default, in other versions too
ROOTED = ("bcast", "gather", "gatherv", "reduce", "scatter", "scatterv")
REDUCTIONS = (
    "allreduce", "exscan", "reduce", "reduce_scatter", "reduce_scatter_block", "scan",
)  # fmt: skip

Cells = Mapping[str, str]
Row = tuple[Line, Cells]


class ReprompiReader(LogReader):
    name = "reprompi"
    title = "ReproMPI: mpibenchmark, raw (with or without -v) or --summary"
    mark = re.compile(r"#@\w+=|\b(?:process\s+)?test\s+(?:nrep|count|msize_bytes)\s")
    columns = re.compile(r"(?:process\s+)?test\s+(?:nrep|count|msize_bytes)\s[\w\s]*$")
    first_word = re.compile(r"(?:\d+\s+)?(?:(?:MPI|GL)_|\w+(?:\s+[-+.\deE]+)+$)")
    lacks = "has no row under a line with the columns test and count or msize_bytes"
    remedy = "name what mpibenchmark printed"

    def fits(self, words: Sequence[str], names: Sequence[str]) -> bool:
        """Whether there is a number for each column but the call's name."""
        return super().fits(words, names) and _no_number(words, names) is None

    def flaw(self, text: str, names: Sequence[str]) -> str:
        words = text.split()
        if super().fits(words, names) and (cell := _no_number(words, names)):
            return f"{cell[0]} is {cell[1]!r}, not a number"
        return super().flaw(text, names)

    def goes_on(self, words: Sequence[str], last: Sequence[str], names: Sequence[str]) -> bool:
        return True

    def head(self, table: Table, above: Head) -> Head:
        head: Head = {}
        for line in table.before:
            if _TRAILER.match(line.text):
                head = {}
            elif match := _SETTING.match(line.text):
                head[match[1]] = match[2].strip()
            elif match := _COMMAND.match(line.text):
                head = {"command": match[1]}
        for line in table.after:
            if match := _TRAILER.match(line.text):
                head["date"] = match["date"] or head.get("date", "")
            elif line.text.startswith("#"):
                break
        return head

    def about(self, table: Table, head: Head, options: ReadOptions) -> About:
        line = table.title
        n = line.whole(head["nprocs"], "nprocs in the header above") if "nprocs" in head else None
        fields = {
            "experiment": options.experiment,
            "algorithm": options.algorithm,
            "n": agree(n, options.n, "n", f"the header of {line.path}"),
            "processes_per_node": options.processes_per_node,
            "start": _start(head),
            "provenance": {
                "source": f"{self.name}: {line.path.name}",
                "date": line.date(head["date"].strip(), "the line after this table")
                if head.get("date")
                else None,
                "command": head.get("command", "").split(),
            },
        }
        return About(fields, head=head)

    def points(self, table: Table, about: About) -> Iterator[tuple[Line, Fields] | ContendError]:
        points: defaultdict[tuple[str, str], list[Row]] = defaultdict(list)
        for line in table.rows:
            cells = dict(zip(table.names, line.text.split(), strict=True))
            is_sized = cells["test"] != BARRIER
            size = cells.get("msize_bytes", cells.get("count", "")) if is_sized else ""
            points[cells["test"], size].append((line, cells))
        skipped: set[str] = set()
        for (test, _), members in points.items():
            try:
                if (match := _CALL.fullmatch(test)) is None:
                    if test not in skipped:
                        raise members[0][0].error(
                            f"{test} is no collective", "nothing is wrong with it"
                        )
                    continue
                rows, problems = _once(members)
                if "process" in table.names:
                    rows, incomplete = _complete(rows, about.fields["n"])
                    problems += incomplete
                yield from problems
                if not rows:
                    continue
                fields = _names(match, about, rows[0][0].where)
                yield (
                    rows[0][0],
                    fields
                    | _values(rows, about.fields["n"])
                    | {
                        "m": _bytes(rows[0], about.head),
                        "conditions": _conditions(fields["experiment"], about.head) or None,
                    },
                )
            except ContendError as error:
                skipped.add(test)
                yield error


def _no_number(words: Sequence[str], names: Sequence[str]) -> tuple[str, str] | None:
    """Column and word of the first that is no number, but for the call's name."""
    for name, word in zip(names, words, strict=True):
        if name != "test" and re.fullmatch(r"[-+]?\d+(\.\d*)?([eE][-+]?\d+)?", word) is None:
            return name, word
    return None


def _names(call: re.Match[str], about: About, where: str) -> Fields:
    mock_up = call["algorithm"] and f"as_{call['algorithm'].lower()}"
    experiment = call["experiment"].lower()
    return {
        "experiment": agree(experiment, about.fields["experiment"], "experiment", where),
        "algorithm": mock_up or about.fields["algorithm"] or "native",
    }


def _once(rows: Sequence[Row]) -> tuple[list[Row], list[ContendError]]:
    """The first row of each repetition and process, and an error for each other one."""
    kept: dict[tuple[str | None, ...], Row] = {}
    problems: list[ContendError] = []
    for line, cells in rows:
        key = tuple(cells.get(name) for name in ("process", "nrep", "count", "msize_bytes"))
        if key in kept:
            whose = f"process {key[0]} has" if key[0] else "there is"
            problems.append(line.error(f"{whose} a row of this repetition already"))
        else:
            kept[key] = (line, cells)
    return list(kept.values()), problems


def _complete(rows: Sequence[Row], n: int) -> tuple[list[Row], list[ContendError]]:
    """Rows of repetitions that all processes print, and an error for each other repetition."""
    repetitions: defaultdict[str, list[Row]] = defaultdict(list)
    for row in rows:
        repetitions[row[1].get("nrep", "")].append(row)
    kept: list[Row] = []
    problems: list[ContendError] = []
    for members in repetitions.values():
        line = members[0][0]
        if {each.whole(c["process"], "process") for each, c in members} == set(range(n)):
            kept += members
        else:
            problems.append(
                line.error(f"the repetition has rows of {len(members)} of {n} processes")
            )
    return kept, problems


def _bytes(row: Row, head: Head) -> int:
    line, cells = row
    if cells["test"] == BARRIER:
        return 0
    if "msize_bytes" in cells:
        return line.whole(cells["msize_bytes"], "msize_bytes")
    if "datatype_size_bytes" not in head:
        raise line.error("count needs the size of an element", "restore #@datatype_size_bytes=...")
    size = line.whole(head["datatype_size_bytes"], "datatype_size_bytes in the header above")
    return line.whole(cells["count"], "count") * size


def _conditions(experiment: str, head: Head) -> dict[str, str]:
    conditions = {}
    if head.get("datatype", OF_A_BYTE[0]) not in OF_A_BYTE:
        conditions["datatype"] = head["datatype"]
    if experiment in REDUCTIONS and head.get("operation", "MPI_BOR") != "MPI_BOR":
        conditions["reduction"] = head["operation"]
    if experiment in ROOTED and head.get("root_proc", "0") != "0":
        conditions["root"] = head["root_proc"]
    return conditions


def _values(rows: Sequence[Row], n: int) -> dict[str, Any]:
    line, cells = rows[0]
    if "runtime_sec" in cells:
        return {
            "times_s": [row.duration(c["runtime_sec"], "runtime_sec") for row, c in rows],
            "late_starts": sum(_is_marked(row, c) for row, c in rows),
        }
    if {"process", "nrep", "loc_tstart_sec", "loc_tend_sec"} <= set(cells):
        return _per_process(rows, n)
    for column, statistic in SUMMARIES.items():
        if column in cells:
            times = [row.duration(c[column], column) for row, c in rows]
            return {"times_s": times, "statistic": statistic}
    raise line.error(
        f"no column of {' '.join(cells)} is a time that contend reads",
        "run mpibenchmark without --summary, or with --summary=median",
    )


def _is_marked(line: Line, cells: Cells) -> bool:
    return line.whole(cells.get("errorcode", "0"), "errorcode") != 0


def _per_process(rows: Sequence[Row], n: int) -> dict[str, Any]:
    repetitions: defaultdict[int, dict[int, Row]] = defaultdict(dict)
    for line, cells in rows:
        process = line.whole(cells["process"], "process")
        repetitions[line.whole(cells["nrep"], "nrep")][process] = (line, cells)
    ends = [_rank_times(repetitions[key], n) for key in sorted(repetitions)]
    return {
        "times_s": [max(times) for times in ends],
        "rank_times_s": ends,
        "late_starts": sum(
            any(_is_marked(*row) for row in repetition.values())
            for repetition in repetitions.values()
        ),
    }


def _rank_times(repetition: Mapping[int, Row], n: int) -> list[float]:
    """Seconds until each process ended, since the first start or, on local clocks, its own."""
    cells = repetition[0][1]
    clock = "gl" if {"gl_tstart_sec", "gl_tend_sec"} <= set(cells) else "loc"
    columns = (f"{clock}_tstart_sec", f"{clock}_tend_sec")
    rows = [repetition[process] for process in range(n)]
    starts, ends = ([row.decimal(c[name], name) for row, c in rows] for name in columns)
    if clock == "gl":
        starts = [min(starts)] * n
    return [end - start for start, end in zip(starts, ends, strict=True)]


def _start(head: Head) -> str:
    method = head.get("procsync", head.get("sync", ""))
    return STARTS.get(method, "unknown")
