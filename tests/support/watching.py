"""Records of watched jobs by a known law: files of sites, and ranks of jobs that were killed."""

import json
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

ALPHA = 0.05  # relative error of the sketch of durations
GROWTH = (1 + ALPHA) / (1 - ALPHA)
MOST_SAMPLES = 16  # of a row
MOST_OF_A_JOB = 448  # samples
DRAWN = 50  # calls that the bins of a row are made of, at most
LATENCY, BYTE = 2e-6, 1e-10  # seconds of a message and of a byte, of `usual_seconds`
BEGAN = 1_790_000_000.0  # of the first job, unix seconds
APART = 3600.0  # seconds between jobs

Record = dict[str, Any]


@dataclass(frozen=True)
class Row:
    """Calls of a job with an entry of their own; `calls` of each rank, `m` of the size class."""

    operation: str = "alltoall"
    n: int = 32
    ppn: int | None = 8
    m: int = 4096
    algorithm: str | None = "pairwise"
    calls: int = 100

    @property
    def nodes(self) -> int:
        return -(-self.n // (self.ppn or 1))

    @property
    def size(self) -> int:
        return size_class(self.m)


Law = Callable[[Row], float]


def usual_seconds(row: Row) -> float:
    """Seconds of a call whose ranks begin together: linear messages, or a tree of them."""
    message = LATENCY + BYTE * row.m
    if row.operation.startswith(("alltoall", "allgather")):
        return (row.n - 1) * message
    return math.ceil(math.log2(row.n)) * message


@dataclass(frozen=True)
class Watched:
    """A program as it is watched: times by a law, with noise and ranks that come late.

    `late` is the mean of the exponential time after which the last rank comes, in times of the
    call; `noise` the standard deviation of the logarithm of a call's time.
    """

    rows: Sequence[Row] = (Row(),)
    law: Law = usual_seconds
    late: float = 0.3
    noise: float = 0.05
    about: Record = field(default_factory=dict)  # what differs from the usual head of a record

    @property
    def ranks(self) -> int:
        return max((row.n for row in self.rows), default=1)


def size_class(m: int) -> int:
    """The power of two that bounds a size from above; 0 for none.

    >>> size_class(0), size_class(1), size_class(4096), size_class(4097)
    (0, 1, 4096, 8192)
    """
    return 0 if m == 0 else 1 << (m - 1).bit_length()


def bins_of(seconds: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The bins of durations, (GROWTH^(i-1), GROWTH^i] ns, and how many are in each."""
    bins = np.ceil(np.log(seconds * 1e9) / math.log(GROWTH)).astype(int)
    return np.unique(bins, return_counts=True)


def head(rng: np.random.Generator, program: Watched) -> Record:
    """What stands before the calls."""
    nodes = max((row.nodes for row in program.rows), default=1)
    record = {
        "format": "contend-watch",
        "version": 1,
        "job": rng.bytes(8).hex(),
        "name": None,
        "began": BEGAN,
        "seconds": 600.0,
        "ranks": program.ranks,
        "nodes": nodes,
        "library": "Open MPI v4.1.4",
        "clock_error": 2e-7 if nodes > 1 else 0.0,
        "ended": "finalize",
        "not_kept": 0,
        "other_calls": {},
    }
    return record | program.about


def job(rng: np.random.Generator, program: Watched = Watched(), **about: object) -> Record:
    """The record of a job that came to MPI_Finalize; `about` replaces what its head says."""
    most = min(MOST_SAMPLES, MOST_OF_A_JOB // max(len(program.rows), 1))
    calls = [_calls_of(rng, program, row, most) for row in program.rows]
    within = sum(one["seconds"] / one["n"] for one in calls)
    return head(rng, program) | {"seconds": max(3 * within, 1.0)} | about | {"calls": calls}


def _calls_of(rng: np.random.Generator, program: Watched, row: Row, most: int) -> Record:
    drawn = min(row.calls, DRAWN)
    spreads, together = _times(rng, program, row, drawn)
    durations = np.repeat(together, row.n) + _waits(rng, spreads, row.n).ravel()
    kept = min(row.calls, most)
    waited = _waits(rng, spreads[:kept], row.n).mean(axis=1)
    times = zip(spreads[:kept].tolist(), together[:kept].tolist(), waited.tolist(), strict=True)
    return {
        **_key(row),
        "calls": row.calls * row.n,
        "bytes": row.calls * row.n * row.m,
        "seconds": float(durations.mean()) * row.calls * row.n,
        "bins": _scaled(*bins_of(durations), row.calls * row.n),
        "samples": [[row.m, row.n, *(round(part, 9) for part in one)] for one in times],
    }


def _times(
    rng: np.random.Generator, program: Watched, row: Row, count: int
) -> tuple[np.ndarray, np.ndarray]:
    """Spread of the begins, and time from the last begin to the last end, of calls."""
    usual = program.law(row)
    together = usual * np.exp(program.noise * rng.standard_normal(count))
    return rng.exponential(program.late * usual, count), together


def _waits(rng: np.random.Generator, spreads: np.ndarray, n: int) -> np.ndarray:
    """How long each rank waits for the last one, shape (calls, n): the first one the spread."""
    shares = rng.random((spreads.size, n))
    shares[:, 0], shares[:, -1] = 1.0, 0.0
    return shares * spreads[:, None]


def _scaled(bins: np.ndarray, counts: np.ndarray, calls: int) -> list[list[int]]:
    """Counts in proportion that add up to the number of calls, of which bins have one at least."""
    whole = np.maximum(counts * calls // counts.sum(), 1)
    whole[np.argmax(counts)] += calls - whole.sum()
    return [[int(index), int(count)] for index, count in zip(bins, whole, strict=True)]


def _key(row: Row) -> Record:
    return {
        "operation": row.operation,
        "n": row.n,
        "nodes": row.nodes,
        "ppn": row.ppn,
        "size": row.size,
        "algorithm": row.algorithm,
    }


def rank_lines(
    rng: np.random.Generator, program: Watched = Watched(), **about: object
) -> list[Record]:
    """The last line of each rank of a job that was killed, of which all calls are of all ranks."""
    ranks = program.ranks
    common = head(rng, program) | {"ended": "running"} | about
    lines = [{**common, "rank": rank, "complete": False, "calls": []} for rank in range(ranks)]
    begin = 1_000_000_000
    for row in program.rows:
        spreads, together = _times(rng, program, row, row.calls)
        waits = _waits(rng, spreads, row.n)
        last = begin + np.arange(row.calls) * 10_000_000_000
        for rank in range(row.n):
            begins = last - (waits[:, rank] * 1e9).astype(np.int64)
            ends = last + (together * 1e9).astype(np.int64)
            lines[rank]["calls"].append(_of_rank(row, begins, ends))
    return lines


def _of_rank(row: Row, begins: np.ndarray, ends: np.ndarray) -> Record:
    durations = (ends - begins) * 1e-9
    times = zip(begins.tolist(), ends.tolist(), strict=True)
    kept = [
        [row.m, f"{row.n:016x}", ordinal, begin, end] for ordinal, (begin, end) in enumerate(times)
    ]
    return {
        **_key(row),
        "calls": row.calls,
        "bytes": row.calls * row.m,
        "seconds": float(durations.sum()),
        "bins": _scaled(*bins_of(durations), row.calls),
        "samples": kept[:MOST_SAMPLES],
    }


def line_of(record: Record) -> str:
    """The line of a file."""
    return json.dumps(record, separators=(",", ":")) + "\n"


def write_site(path: Path, records: Iterable[Record]) -> Path:
    """Write a site's file."""
    with path.open("w") as file:
        file.writelines(map(line_of, records))
    return path


def write_killed(site: Path, lines: Sequence[Record]) -> Path:
    """Write the file of a job that is left beside a site's file."""
    folder = site.with_name(f"{site.name}.jobs")
    folder.mkdir(exist_ok=True)
    return write_site(folder / f"{lines[0]['job']}.jsonl", lines)


OPERATIONS = ("alltoall", "allreduce", "bcast", "allgather", "barrier", "reduce", "alltoallv")
ALGORITHMS: dict[str, tuple[str | None, ...]] = {
    "alltoall": ("pairwise", "linear_sync", "modified_bruck"),
    "allreduce": ("recursive_doubling", "segmented_ring"),
    "bcast": ("binomial", "pipeline"),
}


def usual_rows(rng: np.random.Generator, count: int, n: int, ppn: int) -> list[Row]:
    """As many different rows, as a program on a cluster makes them."""
    rows: dict[Row, Row] = {}
    while len(rows) < count:
        operation = str(rng.choice(OPERATIONS))
        part = n >> int(rng.integers(0, 3))
        known = ALGORITHMS.get(operation, (None,))
        row = Row(
            operation, n=max(part, 2), ppn=min(ppn, max(part, 2)),
            m=0 if operation == "barrier" else int(4 ** rng.integers(1, 11)),
            algorithm=known[int(rng.integers(len(known)))], calls=0,
        )  # fmt: skip
        rows[row] = Row(**{**vars(row), "calls": int(10 ** rng.uniform(1, 5))})
    return list(rows.values())


def many_jobs(few: Sequence[Record], count: int) -> Iterable[Record]:
    """So many records, each of a job of its own that did what one of the few did."""
    for index in range(count):
        began = BEGAN + index * APART
        yield few[index % len(few)] | {"job": f"{index:016x}", "began": began}


def usual_jobs(rng: np.random.Generator, count: int) -> Iterable[Record]:
    """Records of jobs of a site, of 20 to 60 rows each, an hour after each other."""
    for index in range(count):
        n = 1 << int(rng.integers(5, 10))
        rows = usual_rows(rng, int(rng.integers(20, 61)), n, ppn=32)
        yield job(rng, Watched(rows), began=BEGAN + index * APART)
