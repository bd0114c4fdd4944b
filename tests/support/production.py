"""Records of watched jobs with calls of known times, for tests of what is made of them."""

import json
import secrets
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

LIBRARY = "Open MPI v4.1.4"


class Key(NamedTuple):
    """What calls of a job have in common; the first sample of a key opens connections."""

    operation: str = "alltoall"
    n: int = 8
    m: int = 4096
    algorithm: str | None = None
    nodes: int | None = None


Timed = tuple[float, float]  # spread and time from the last begin on, seconds


def call(key: Key, times: Sequence[Timed], *, ppn: int | None = 1) -> dict[str, Any]:
    """Return a row of a record: a first call that takes three times as long, then these."""
    first = (0.0, 3 * times[0][1])
    samples = [[key.m, key.n, spread, took, spread / 2] for spread, took in (first, *times)]
    count = key.n * len(samples)
    return {
        "operation": key.operation, "n": key.n, "nodes": key.nodes or key.n, "ppn": ppn,
        "size": 1 << (key.m - 1).bit_length() if key.m else 0, "algorithm": key.algorithm,
        "calls": count, "bytes": count * key.m, "seconds": 0.0, "bins": [], "samples": samples,
    }  # fmt: skip


def record(*calls: dict[str, Any], ranks: int | None = None, **head: Any) -> dict[str, Any]:
    """Return the record of a job with these rows."""
    most = ranks or max(one["n"] for one in calls)
    return {
        "format": "contend-watch", "version": 1, "job": secrets.token_hex(8), "name": None,
        "began": 1.7e9, "seconds": 9.0, "ranks": most, "nodes": most, "library": LIBRARY,
        "clock_error": 0.0, "ended": "finalize", "not_kept": 0, "other_calls": {},
        "calls": list(calls),
    } | head  # fmt: skip


def usual_jobs(rng: np.random.Generator) -> list[dict[str, Any]]:
    """Return the records of jobs of several operations, numbers of ranks and sizes."""
    return [
        record(*(call(Key(operation, n, m), _times(rng, n, m)) for m in (64, 4096, 262144)))
        for operation in ("allreduce", "alltoall", "bcast")
        for n in (4, 8, 16, 32)
    ]


def _times(rng: np.random.Generator, n: int, m: int) -> list[Timed]:
    seconds = (n - 1) * (1e-5 + 1e-9 * m)
    return [(0.02 * seconds, float(seconds * rng.uniform(0.98, 1.02))) for _ in range(4)]


def write(path: Path, jobs: Iterable[dict[str, Any]]) -> Path:
    """Write a site's file."""
    path.write_text("".join(json.dumps(one) + "\n" for one in jobs), encoding="utf-8")
    return path
