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
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from contend.errors import FileFormatError
from contend.samples.reader import Reader, ReadOptions
from contend.samples.readers._text import Line, agree, numbered_lines, sample_at
from contend.samples.sample import Sample

STARTS = {
    "MPI_Barrier": "barrier", "BBarrier": "barrier", "dissem_barrier": "barrier",
    "window": "window", "JK": "window", "HCA": "window", "SKaMPI": "window",
    "roundsync": "window", "roundtime": "window",
}  # fmt: skip
SUMMARIES = {"median_sec": "median", "mean_sec": "mean", "min_sec": "minimum"}
_SETTING = re.compile(r"#@(\w+)=(.*)")
_COMMAND = re.compile(r"#Command-line arguments:\s*(.*)")
_TRAILER = re.compile(r"# (?:Benchmark started at (?P<date>.*)|Execution time.*)")
_CALL = re.compile(r"(?:MPI|GL)_(?P<experiment>\w+?)(?:_as_(?P<algorithm>\w+))?")

Cells = Mapping[str, str]
Row = tuple[Line, Cells]


@dataclass
class Run:
    """What one start of the benchmark printed."""

    settings: dict[str, str] = field(default_factory=dict)
    columns: list[str] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)


class ReprompiReader(Reader):
    """Reader of ReproMPI."""

    name = "reprompi"
    title = "ReproMPI: mpibenchmark, raw (with or without -v) or --summary"

    def recognises(self, head: str) -> bool:
        """Whether a setting or the column line of a table is there."""
        columns = r"^\s*(?:process\s+)?test\s+(?:nrep|count|msize_bytes)\s"
        return re.search(rf"^#@\w+=|{columns}", head, re.MULTILINE) is not None

    def read(self, path: Path, options: ReadOptions) -> Iterator[Sample]:
        """Samples of all runs, in file order."""
        runs = _runs(path)
        if not runs:
            raise FileFormatError(
                f"{path} has no row under a line with the columns test and count or msize_bytes",
                "name what mpibenchmark printed",
            )
        launches: Counter[tuple[str, int]] = Counter()
        for run in runs:
            n = agree(_setting(run, "nprocs"), options.n, "n", f"the header of {path}")
            points = _points(run)
            for (test, m), rows in points.items():
                if (match := _CALL.fullmatch(test)) is None:
                    rows[0][0].skip(f"{test} is no collective", "nothing is wrong with it")
                    continue
                yield sample_at(
                    rows[0][0].where,
                    **self._names(match, options, rows[0][0].where),
                    **_values(rows, n),
                    n=n,
                    processes_per_node=options.processes_per_node,
                    m=m,
                    launch=launches[test, n],
                    start=_start(run),
                    provenance=_provenance(f"{self.name}: {path.name}", run),
                )
            launches.update({(test, n) for test, _ in points})

    def _names(self, call: re.Match[str], options: ReadOptions, where: str) -> dict[str, str]:
        mock_up = call["algorithm"] and f"as_{call['algorithm'].lower()}"
        experiment = call["experiment"].lower()
        return {
            "experiment": agree(experiment, options.experiment, "experiment", where),
            "algorithm": mock_up or options.algorithm or "native",
        }


def _runs(path: Path) -> list[Run]:
    """Runs that have rows; a setting or a column line after rows begins the next one."""
    runs = [Run()]
    for line in numbered_lines(path):
        words = line.text.split()
        has_columns = "test" in words and not {"count", "msize_bytes"}.isdisjoint(words)
        trailer = _TRAILER.match(line.text)
        if runs[-1].rows and (has_columns or (line.text.startswith("#") and not trailer)):
            runs.append(Run())
        run = runs[-1]
        if trailer:
            run.settings["date"] = trailer["date"] or run.settings.get("date", "")
        elif match := _SETTING.match(line.text):
            run.settings[match[1]] = match[2].strip()
        elif match := _COMMAND.match(line.text):
            run.settings["command"] = match[1]
        elif has_columns:
            run.columns = words
        elif run.columns and words and not line.text.startswith("#"):
            run.rows.append((line, _cells(line, words, run.columns)))
    return [run for run in runs if run.rows]


def _cells(line: Line, words: list[str], columns: list[str]) -> Cells:
    if len(words) != len(columns):
        raise line.error(f"{len(words)} columns where {' '.join(columns)} are due")
    return dict(zip(columns, words, strict=True))


def _points(run: Run) -> dict[tuple[str, int], list[Row]]:
    """Rows by call and bytes, in file order."""
    points: defaultdict[tuple[str, int], list[Row]] = defaultdict(list)
    for line, cells in run.rows:
        if "msize_bytes" in cells:
            m = line.whole(cells["msize_bytes"], "msize_bytes")
        else:
            size = _setting(run, "datatype_size_bytes")
            if size is None:
                raise line.error(
                    "count needs the size of an element", "restore #@datatype_size_bytes=..."
                )
            m = line.whole(cells["count"], "count") * size
        points[cells["test"], m].append((line, cells))
    return dict(points)


def _values(rows: list[Row], n: int) -> dict[str, Any]:
    """Fields of the sample that hold its times."""
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
    """Whether a start came late or a window was too short."""
    return line.whole(cells.get("errorcode", "0"), "errorcode") != 0


def _per_process(rows: list[Row], n: int) -> dict[str, Any]:
    repetitions: defaultdict[int, dict[int, Row]] = defaultdict(dict)
    for line, cells in rows:
        repetition = repetitions[line.whole(cells["nrep"], "nrep")]
        process = line.whole(cells["process"], "process")
        if process in repetition:
            raise line.error(f"process {process} has a row of this repetition already")
        repetition[process] = (line, cells)
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
    line, cells = next(iter(repetition.values()))
    if sorted(repetition) != list(range(n)):
        raise line.error(f"the repetition has rows of {len(repetition)} of {n} processes")
    clock = "gl" if {"gl_tstart_sec", "gl_tend_sec"} <= set(cells) else "loc"
    columns = (f"{clock}_tstart_sec", f"{clock}_tend_sec")
    rows = [repetition[process] for process in range(n)]
    starts, ends = ([row.decimal(c[name], name) for row, c in rows] for name in columns)
    if clock == "gl":
        starts = [min(starts)] * n
    return [end - start for start, end in zip(starts, ends, strict=True)]


def _setting(run: Run, key: str) -> int | None:
    """A whole number of the header."""
    if key not in run.settings:
        return None
    return run.rows[0][0].whole(run.settings[key], f"{key} in the header above")


def _start(run: Run) -> str:
    method = run.settings.get("procsync", run.settings.get("sync", ""))
    return STARTS.get(method, "unknown")


def _provenance(source: str, run: Run) -> dict[str, Any]:
    date = run.settings.get("date")
    return {
        "source": source,
        "date": _iso(date, run.rows[0][0]) if date else None,
        "command": run.settings.get("command", "").split(),
    }


def _iso(date: str, line: Line) -> str:
    try:
        return datetime.strptime(date.strip(), "%a %b %d %H:%M:%S %Y").isoformat()
    except ValueError:
        raise line.error(
            f"the line after this table has the date {date.strip()!r}",
            "write it like Mon Oct 12 22:14:38 2020",
        ) from None
