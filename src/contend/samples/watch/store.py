"""Sites' files of watched jobs, read line by line, and what is left beside them of killed jobs.

Beside a site's file FILE stands a folder FILE.jobs: a file for each job without a record, in which
the last line of a rank counts. It is read first: a job that ends meanwhile has its record then.
"""

import re
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from contend.base.errors import FileFormatError
from contend.base.textfile import read_lines
from contend.samples.watch.record import (
    KILLED,
    CallRecord,
    JobRecord,
    RankCallRecord,
    RankRecord,
    is_torn,
    job_of,
    rank_of,
)

JOBS = ".jobs"  # behind the name of a site's file, its folder of jobs without a record
_RANK = re.compile(rb'"rank":\s*(\d+)')
_HEAD = re.compile(rb'.\{\s*"format"')
_WATCHED = re.compile(rb'\{\s*"format"\s*:\s*"contend-watch"')
Key = tuple[str, int, int, int | None, int, str | None]


def is_of_watch(path: str | Path) -> bool:
    """Whether a file holds watched jobs, or a folder beside it those without a record.

    >>> is_of_watch("no-such-file")
    False
    """
    site = Path(path)
    if site.with_name(f"{site.name}{JOBS}").is_dir():
        return True
    if not site.is_file():  # what is read of a pipe cannot be read again
        return False
    return any(_WATCHED.search(line) for line in islice(read_lines(site), 3))


class WatchWarning(UserWarning):
    """A part of a site's file that is left out."""


class Site:
    """The jobs of several files that have a record, each once, and what is to be reported of them.

    Iterate over it once: `killed`, the jobs without a record, and `remarks` are complete then.
    """

    def __init__(self, paths: Iterable[Path]) -> None:
        self.paths = tuple(paths)
        self.remarks: list[str] = []
        self.killed: list[JobRecord] = []
        self._seen: dict[str, tuple[str, int]] = {}  # of each job, where it is and its hash

    def __iter__(self) -> Iterator[JobRecord]:
        killed = [job for path in self.paths for job in self._without_record(path)]
        for path in self.paths:
            yield from self._recorded(path, is_needed=not killed)
        self.killed = [job for job in killed if job.job not in self._seen]
        if not self._seen and not self.killed:
            raise FileFormatError(
                f"{self.paths[0]} holds no job", "watch one: contend watch -- mpiexec ./my_app"
            )

    def _recorded(self, path: Path, *, is_needed: bool) -> Iterator[JobRecord]:
        if not is_needed and not path.exists():
            return
        twice, first = 0, ""
        for where, line, job in self._records(path):
            digest = hash(line.strip())
            before = self._seen.setdefault(job.job, (where, digest))
            if before[0] == where:
                yield job
            elif before[1] == digest:
                twice, first = twice + 1, first or f"{where}, as {before[0]}"
            else:
                raise FileFormatError(
                    f"{where} and {before[0]} are of one job, {job.job}, and differ",
                    "remove the wrong line",
                )
        if twice:
            self.remarks.append(f"{twice} jobs are there twice, and count once: {first}")

    def _records(self, path: Path) -> Iterator[tuple[str, bytes, JobRecord]]:
        for where, line in _lines(path):
            try:
                yield where, line, job_of(line, where)
            except FileFormatError:
                rest = self._rest(line, where)
                if rest is None:
                    raise
                if rest:
                    yield where, rest, job_of(rest, where)

    def _rest(self, line: bytes, where: str) -> bytes | None:
        """What follows in a line on the begin of a record; None where it is no such begin."""
        head = _HEAD.search(line)
        end = head.start() + 1 if head else len(line)
        if not is_torn(line[:end]):
            return None
        self.remarks.append(f"{where} is incomplete (a writer was killed) and was skipped")
        return line[end:]

    def _without_record(self, site: Path) -> Iterator[JobRecord]:
        folder = site.with_name(f"{site.name}{JOBS}")
        for path in sorted(folder.glob("*.jsonl")) if folder.is_dir() else ():
            try:
                ranks = self._last_of_ranks(path)
            except FileFormatError:
                if path.exists():
                    raise
                continue  # the job has ended, and its record is in the site's file
            if ranks:
                yield merged((rank_of(line, where) for where, line in ranks), str(path))

    def _last_of_ranks(self, path: Path) -> list[tuple[str, bytes]]:
        """The last line of each rank whose writer was not killed before its end."""
        noted: dict[int, tuple[tuple[str, bytes], ...]] = {}
        for where, line in _lines(path):
            rank = _RANK.search(line)
            if rank is None and self._rest(line, where) is None:
                rank_of(line, where)  # says what is wrong
            elif rank is not None:
                number = int(rank[1])
                noted[number] = (*noted.get(number, ())[-1:], (where, line))
        return [record for lines in noted.values() if (record := self._whole(lines))]

    def _whole(self, lines: tuple[tuple[str, bytes], ...]) -> tuple[str, bytes] | None:
        """The last of the lines that is not cut short."""
        for where, line in reversed(lines):
            if self._rest(line, where) is None:
                return where, line
        return None


def _lines(path: Path) -> Iterator[tuple[str, bytes]]:
    """Lines that are not blank, and where they stand."""
    for number, line in enumerate(read_lines(path), start=1):
        if not line.isspace():
            yield f"{path} line {number}", line


def read_jobs(path: Path) -> list[JobRecord]:
    """Return the jobs of a site's file, those that were killed last; what is left out is warned of.

    Raise FileFormatError for a line that is no record, and for a file without any.
    """
    site = Site([path])
    jobs = [*site, *site.killed]
    for remark in site.remarks:
        warnings.warn(remark, WatchWarning, stacklevel=2)
    return jobs


def appended_jobs(path: Path, size: int, start: str) -> list[JobRecord]:
    """Return the jobs whose id begins with `start`, from where a site's file had ended before."""
    if not path.is_file():
        return []
    begin = size if size <= path.stat().st_size else 0
    job = re.compile(rb'"job":\s*"' + start.encode())
    return [job_of(line, str(path)) for line in read_lines(path, begin) if job.search(line)]


class _Sum:
    """The calls that ranks have in common, and by communicator and ordinal when each noted one."""

    def __init__(self) -> None:
        self.calls, self.bytes, self.seconds = 0, 0, 0.0
        self.bins: Counter[int] = Counter()
        self.matches: defaultdict[tuple[str, int], list[tuple[int, int, int]]] = defaultdict(list)

    def add(self, row: RankCallRecord) -> None:
        self.calls += row.calls
        self.bytes += row.bytes
        self.seconds += row.seconds
        for index, count in row.bins:
            self.bins[index] += count
        for m, comm, ordinal, begin, end in row.samples:
            self.matches[comm, ordinal].append((m, begin, end))

    def samples(self, n: int) -> Iterator[tuple[int, int, float, float, float]]:
        """Calls that all ranks noted; none whose clocks say that it ended before it began."""
        whole = [tuple(zip(*of, strict=True)) for of in self.matches.values() if len(of) == n]
        for sizes, begins, ends in sorted(whole, key=lambda match: min(match[1])):
            first, last, end = min(begins), max(begins), max(ends)
            if end >= last:
                waited = last - sum(begins) / n
                skew, seconds = 1e-9 * (last - first), 1e-9 * (end - last)
                yield sum(sizes) // n, n, skew, seconds, 1e-9 * waited


def merged(ranks: Iterable[RankRecord], where: str) -> JobRecord:
    """Return the record of the job that the ranks are of.

    Raise FileFormatError where they are of different jobs.
    """
    head: RankRecord | None = None
    sums: dict[Key, _Sum] = {}
    began, seconds, error, not_kept, others = float("inf"), 0.0, 0.0, 0, dict[str, int]()
    for rank in ranks:
        if head is None:
            head = rank
        elif (rank.job, rank.ranks) != (head.job, head.ranks):
            raise FileFormatError(
                f"{where} holds ranks of several jobs: {head.job} and {rank.job}",
                "move the lines of each job to a file of its own",
            )
        began, seconds = min(began, rank.began), max(seconds, rank.seconds)
        error, not_kept = max(error, rank.clock_error), not_kept + rank.not_kept
        for name, count in rank.other_calls.items():
            others[name] = others.get(name, 0) + count
        for row in rank.calls:
            key = (row.operation, row.n, row.nodes, row.ppn, row.size, row.algorithm)
            sums.setdefault(key, _Sum()).add(row)
    if head is None:
        raise FileFormatError(f"{where} holds no rank", "remove the file")
    about = head.model_dump(exclude={"rank", "complete", "calls"}) | {
        "began": began, "seconds": seconds, "clock_error": error, "ended": KILLED,
        "not_kept": not_kept, "other_calls": others,
    }  # fmt: skip
    return JobRecord(**about, calls=tuple(_calls(key, total) for key, total in sums.items()))


def _calls(key: Key, total: _Sum) -> CallRecord:
    operation, n, nodes, ppn, size, algorithm = key
    return CallRecord(
        operation, n, nodes, ppn, size, algorithm, total.calls, total.bytes, total.seconds,
        tuple(sorted(total.bins.items())), tuple(total.samples(n)),
    )  # fmt: skip
