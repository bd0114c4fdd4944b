"""A site's file of `contend watch`: what collective calls of production cost, as samples.

Source: this project; the record of a job is that of `contend.samples.watch.record`.
Idea: a call that all ranks began together is a repetition as a benchmark takes it, and others are
nearly so. Each job is a launch of its own; of a job, an operation, a setting and a size the calls
are the repetitions.
A call counts from its last begin to its last end. Had all ranks begun then, it would take as long
or longer, by at most the spread of the begins, since ranks may do ahead what others wait for. Where
no rank can leave before the last has begun that is next to nothing; elsewhere (a broadcast, a
gather) half of what a rank waited for the last, in the mean, counts with it: that lies in between.
So of the calls of a job that are alike those count whose ranks began together, the last by less
than `TOGETHER` of the call's time behind the first, clocks included; and, up to `APART` of it, the
`FEWEST` that come nearest to that: most programs have unequal work. Where no rank can leave before
the last has begun, `APART_IF_WAITING` is the limit: what can be done ahead is done when ranks have
begun a third of the time apart, and nothing changes from there on (python -m
benchmarks.watched_arrivals). What is not together does not count where several algorithms ran,
since ranks of one may have begun further apart. Where messages of ranks that are out of step meet
at a port a call takes longer: exchanges in lockstep of large blocks up to twice as long. A
program's do so too, a benchmark's not.
The first call of each kind in a job opens connections, and is none.
Sizes: programs have any. Those of an algorithm within a quarter of an octave, or what keeps an
operation at `MOST_POINTS`, are one: the size that half of the calls have, else the mean, to which
times are carried by their slope over the sizes around.
Restrictions: calls among ranks that nodes hold unequal numbers of are left out. Those of a part of
a job are series of their own (`communicator=part`), as other parts may have been in the network
meanwhile. Of several MPI libraries the one of most jobs is read, and that is reported.
"""

import re
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import numpy as np

from contend.base.document import Floats
from contend.base.errors import FileFormatError, InvalidInputError
from contend.samples.reader import Reader, ReadOptions
from contend.samples.readers._text import SkippedWarning, sample_at
from contend.samples.sample import PRODUCTION, Sample
from contend.samples.setting import NATIVE, OF_LIBRARY
from contend.samples.watch.record import CallRecord, JobRecord
from contend.samples.watch.store import read_jobs
from contend.samples.watch.totals import WAITS_FOR_ALL

TOGETHER = 0.1  # of a call's time: ranks that begin so far apart begin together
APART = 1.0  # the same: the most that its ranks may begin apart
APART_IF_WAITING = 3.0  # the same, where no rank can leave before the last has begun
FEWEST = 5  # calls of a job that are alike, if so many are not further apart
WIDTHS = (0.25, 0.5, 1.0, 2.0)  # octaves of sizes that are one
MOST_POINTS = 120  # n and m of an operation and setting: a fit takes the cube of their number
NEAR = 2.0  # octaves on either side that tell the slope of time over size
LIBRARIES = {"Open MPI": "openmpi", "MPICH": "mpich", "Intel": "intel"}  # as they say themselves
PART = {"communicator": "part"}
_HEAD = re.compile(r'^\s*\{\s*"format"\s*:\s*"contend-watch"')


class Series(NamedTuple):
    """What calls have in common that are one series over n and m but for their algorithm."""

    operation: str
    ppn: int
    is_part: bool  # of a job


class Calls(NamedTuple):
    """Calls of a series: jobs by number, algorithms by name, n, bytes and seconds; (k,) each."""

    job: np.ndarray
    algorithm: np.ndarray
    n: np.ndarray
    m: Floats
    seconds: Floats


class WatchReader(Reader):
    """Reader of a site's file, with what killed jobs left beside it."""

    name = "contend_watch"
    title = "contend watch: a site's file of watched jobs"
    says_all = True

    def recognises(self, head: str) -> bool:
        return _HEAD.match(head) is not None

    def read(self, path: Path, options: ReadOptions) -> Iterator[Sample]:
        if options != ReadOptions():
            raise InvalidInputError(f"{path} says itself what was called", "give no option for it")
        jobs = _of_one_library(path, read_jobs(path))
        series, sampled = series_in(jobs)
        count = sum(len(calls.m) for calls in series.values())
        if not count:
            raise FileFormatError(
                f"{path}: in none of the {sampled} sampled calls did all ranks begin within "
                f"{APART_IF_WAITING:g} times its time ({APART:g} of a broadcast and the like)",
                "watch more jobs, or measure: contend measure --help",
            )
        warnings.warn(
            f"{path}: {count} of {sampled} sampled calls are taken, whose ranks began nearest to "
            "each other; the others tell how long ranks waited for each other",
            SkippedWarning,
            stacklevel=2,
        )
        for key, calls in series.items():
            yield from _samples(path, jobs, key, pooled(calls))


def _of_one_library(path: Path, jobs: Sequence[JobRecord]) -> list[JobRecord]:
    libraries = Counter(job.library for job in jobs).most_common()
    kept = [job for job in jobs if job.library == libraries[0][0]]
    for library, count in libraries[1:]:
        warnings.warn(
            f"{path}: {count} of {len(jobs)} jobs ran by {library}, not by {kept[0].library}, and "
            "were left out; put their lines into a file of their own",
            SkippedWarning,
            stacklevel=3,
        )
    return sorted(kept, key=lambda job: (job.began, job.job))


def series_in(jobs: Sequence[JobRecord]) -> tuple[dict[Series, Calls], int]:
    """Return the calls that ranks began together, by series, and how many were sampled."""
    rows_of: defaultdict[Series, list[tuple[float, tuple[int, str, int, int, float]]]]
    rows_of = defaultdict(list)
    sampled = 0
    for number, job in enumerate(jobs):
        for call in job.calls:
            sampled += len(call.samples)
            if call.ppn is not None and call.n > 1:
                algorithm, key = _algorithm(job, call), _series(job, call)
                rows_of[key] += [
                    (share, (number, algorithm, call.n, m, seconds))
                    for share, m, seconds in _nearest(call, job.clock_error)
                ]
    series = {key: _comparable(rows) for key, rows in sorted(rows_of.items())}
    return {key: _columns(rows) for key, rows in series.items() if rows}, sampled


def _comparable(
    rows: Sequence[tuple[float, tuple[int, str, int, int, float]]],
) -> list[tuple[int, str, int, int, float]]:
    """Leave out, where several algorithms ran, what begins apart may have made shorter."""
    algorithms: defaultdict[tuple[int, int], set[str]] = defaultdict(set)
    for _, (_, algorithm, n, m, _) in rows:
        for octave in range(m.bit_length() - 1, m.bit_length() + 2):
            algorithms[n, octave].add(algorithm)
    return [
        row
        for share, row in rows
        if share <= TOGETHER or len(algorithms[row[2], row[3].bit_length()]) == 1
    ]


def _nearest(call: CallRecord, clock_error: float) -> Iterator[tuple[float, int, float]]:
    """Share of its time, bytes and seconds of the calls whose ranks began nearest to each other."""
    whole = [sample for sample in call.samples[1:] if sample[1] == call.n and sample[3] > 0]
    apart = [(spread + 2 * clock_error) / together for _, _, spread, together, _ in whole]
    limit, ahead = (APART_IF_WAITING, 0.0) if call.operation in WAITS_FOR_ALL else (APART, 0.5)
    most = min(max([TOGETHER, *sorted(apart)[:FEWEST]]), limit)
    for (m, _, _, together, waited), share in zip(whole, apart, strict=True):
        if share <= most:
            yield share, m, together + ahead * waited


def _series(job: JobRecord, call: CallRecord) -> Series:
    return Series(call.operation, call.ppn or 1, is_part=call.n < job.ranks)


def _algorithm(job: JobRecord, call: CallRecord) -> str:
    """By the library's name and its own; what a library does not tell is its own choice."""
    if call.algorithm is None:
        return NATIVE
    library = next((to for title, to in LIBRARIES.items() if job.library.startswith(title)), "")
    return f"{library}{OF_LIBRARY}{call.algorithm}" if library else call.algorithm


def _columns(rows: Iterable[tuple[int, str, int, int, float]]) -> Calls:
    job, algorithm, n, m, seconds = map(np.array, zip(*rows, strict=True))
    return Calls(job, algorithm, n, m.astype(float), seconds.astype(float))


def pooled(calls: Calls) -> Calls:
    """The same calls, at no more sizes than a fit can take."""
    for width in WIDTHS:
        common = calls._replace(m=calls.m.copy(), seconds=calls.seconds.copy())
        for n, algorithm in {*zip(calls.n.tolist(), calls.algorithm.tolist(), strict=True)}:
            rows = (calls.n == n) & (calls.algorithm == algorithm)
            common.m[rows], common.seconds[rows] = _at_common_sizes(
                calls.m[rows], calls.seconds[rows], width
            )
        if np.unique([common.n, common.m], axis=1).shape[1] <= MOST_POINTS:
            break
    return common


def _at_common_sizes(m: Floats, seconds: Floats, width: float) -> tuple[Floats, Floats]:
    """Sizes that calls of one n are carried to, and their times there; (k,) each."""
    sizes, times, octaves = m.copy(), seconds.copy(), np.log2(np.maximum(m, 1))
    for members in _neighbours(octaves, m > 0, width):
        common, counts = np.unique(m[members], return_counts=True)
        if common.size == 1:
            continue
        is_usual = 2 * counts.max() >= counts.sum()
        centre = common[counts.argmax()] if is_usual else np.round(2 ** octaves[members].mean())
        slope = _slope(octaves, np.log2(seconds), float(np.log2(centre)))
        sizes[members] = centre
        times[members] *= (centre / m[members]) ** slope
    return sizes, times


def _neighbours(octaves: Floats, has_bytes: np.ndarray, width: float) -> Iterator[np.ndarray]:
    """Places of the sizes that are one, from the smallest on."""
    remaining = has_bytes.copy()
    while remaining.any():
        members = remaining & (octaves < octaves[remaining].min() + width)
        yield np.flatnonzero(members)
        remaining &= ~members


def _slope(octaves: Floats, log_seconds: Floats, centre: float) -> float:
    """Return the slope of log time over log size around a size: 0 start-ups, 1 bytes."""
    near = np.abs(octaves - centre) <= NEAR
    x, y = octaves[near] - octaves[near].mean(), log_seconds[near]
    return float(np.clip(x @ y / max(float(x @ x), 1e-9), 0.0, 1.0))


def _samples(path: Path, jobs: Sequence[JobRecord], key: Series, calls: Calls) -> Iterator[Sample]:
    columns = zip(*(column.tolist() for column in calls), strict=True)
    groups: defaultdict[tuple[int, str, int, int], list[float]] = defaultdict(list)
    for number, algorithm, n, m, seconds in columns:
        groups[number, algorithm, n, int(m)].append(seconds)
    for (number, algorithm, n, m), times in groups.items():
        job = jobs[number]
        yield sample_at(
            f"{path}, job {job.job}",
            experiment=key.operation,
            algorithm=algorithm,
            n=n,
            processes_per_node=key.ppn,
            m=m,
            launch=number,
            times_s=times,
            start=PRODUCTION,
            conditions=PART if key.is_part else None,
            provenance={
                "source": f"{WatchReader.name}: {path.name}",
                "date": datetime.fromtimestamp(job.began, UTC).isoformat(timespec="seconds"),
                "mpi_library": job.library,
                "nodes": job.nodes,
            },
        )
