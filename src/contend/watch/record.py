"""The record that a watched job leaves in a site's file, one JSON object a line."""

from dataclasses import dataclass

FORMAT, VERSION = "contend-watch", 1


@dataclass(frozen=True)
class CallRecord:
    """Calls of one operation among as many ranks, of one class of sizes, by one algorithm."""

    operation: str
    n: int
    nodes: int
    ppn: int | None
    size: int
    algorithm: str | None
    calls: int
    bytes: int
    seconds: float
    bins: tuple[tuple[int, int], ...] = ()
    samples: tuple[tuple[int, int, float, float, float], ...] = ()


@dataclass(frozen=True)
class JobRecord:
    """A job: where it ran, how long, and its calls."""

    job: str
    name: str | None
    began: float
    seconds: float
    ranks: int
    nodes: int
    library: str
    clock_error: float
    ended: str
    not_kept: int
    calls: tuple[CallRecord, ...]
