"""Sites' files of watched jobs, read line by line, and what is left beside them of killed jobs.

Beside a site's file FILE stands a folder FILE.jobs: a file for each job without a record, in which
the last line of a rank counts. It is read first: a job that ends meanwhile has its record then.
"""

import re
import warnings
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from contend.base.errors import FileFormatError
from contend.base.textfile import read_lines
from contend.samples.watch.merge import merged
from contend.samples.watch.record import JobRecord, is_torn, job_of, rank_of

JOBS = ".jobs"  # behind the name of a site's file, its folder of jobs without a record
_RANK = re.compile(rb'"rank":\s*(\d+)')
_HEAD = re.compile(rb'.\{\s*"format"')
_WATCHED = re.compile(rb'\{\s*"format"\s*:\s*"contend-watch"')


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
