"""Sums over jobs as Prometheus reads them: text exposition format 0.0.4, for a textfile collector.

Source: prometheus.io, "Exposition formats" and "Metric and label naming".
Counters hold jobs with a record alone: what is noted of a job that still runs is replaced when it
ends, and may be removed by hand. So none falls while records are appended. Limits of buckets are
limits of bins of the sketch, so that each count is exact.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from math import fsum

from contend.samples.watch.record import RATIO
from contend.samples.watch.totals import Kind, Sampled, Total, Totals

PREFIX = "contend_collective"
LIMITS = tuple(range(70, 260, 7))  # bins: a factor of two each, from a microsecond to minutes
Labels = Mapping[str, object]

_SUMS: dict[tuple[str, str], Callable[[Total], float]] = {
    ("calls_total", "Calls of ranks."): lambda total: total.calls,
    ("bytes_total", "Bytes of blocks in calls of ranks."): lambda total: total.bytes,
    ("seconds_total", "Time of ranks in calls, waiting included."): lambda total: total.seconds,
}
# Sums that are rounded once, so that no count more makes one less.
_SAMPLED: dict[tuple[str, str], Callable[[Sampled], float]] = {
    ("sampled_calls_total", "Calls that all ranks kept."): lambda total: total.took.size,
    (
        "sampled_wait_seconds_total",
        "Time of a rank from its begin to the last rank's, in the mean, of sampled calls.",
    ): lambda total: fsum(total.waited),
    (
        "sampled_transfer_seconds_total",
        "Time from the last begin to the last end of sampled calls.",
    ): lambda total: fsum(total.took),
}


def exposition(totals: Totals, unfinished: int) -> str:
    return "".join(f"{line}\n" for line in _lines(totals, unfinished))


def _lines(totals: Totals, unfinished: int) -> Iterator[str]:
    yield from _metric("jobs_total", "counter", "Jobs with a record.", [({}, totals.jobs)])
    yield from _metric(
        "unfinished_jobs", "gauge", "Jobs without a record: they were killed, or still run.",
        [({}, unfinished)],
    )  # fmt: skip
    yield from _metric(
        "rank_seconds_total", "counter", "Time of all ranks from MPI_Init to the end of MPI.",
        [({}, totals.seconds)],
    )  # fmt: skip
    yield from _metric(
        "not_kept_total", "counter", "Calls of ranks for which no memory was left.",
        [({}, totals.not_kept)],
    )  # fmt: skip
    kinds = [(_labels(kind), kind, total) for kind, total in totals.kinds.items()]
    for (name, about), value in _SUMS.items():
        rows = [(labels, value(total)) for labels, _, total in kinds]
        yield from _metric(name, "counter", about, rows)
    sampled = [(labels, total.sampled()) for labels, kind, total in kinds]
    for (name, about), count in _SAMPLED.items():
        yield from _metric(
            name, "counter", about, [(labels, count(total)) for labels, total in sampled]
        )
    yield from _durations(totals)


def _labels(kind: Kind) -> Labels:
    place = kind.place
    return {
        "operation": place.operation,
        "ranks": place.n,
        "nodes": place.nodes,
        "ppn": "" if place.ppn is None else place.ppn,
        "size": place.size,
        "library": kind.library,
        "algorithm": kind.algorithm or "",
    }


def _metric(
    name: str, kind: str, about: str, rows: Iterable[tuple[Labels, float]]
) -> Iterator[str]:
    yield from _head(name, kind, about)
    for labels, value in rows:
        yield _sample(name, labels, value)


def _head(name: str, kind: str, about: str) -> Iterator[str]:
    yield f"# HELP {PREFIX}_{name} {about}"
    yield f"# TYPE {PREFIX}_{name} {kind}"


def _durations(totals: Totals) -> Iterator[str]:
    """A histogram of the durations of calls, by operation and size."""
    yield from _head("duration_seconds", "histogram", "Durations of calls, of each rank.")
    groups: defaultdict[tuple[str, int], list[Total]] = defaultdict(list)
    for kind, total in totals.kinds.items():
        groups[kind.place.operation, kind.place.size].append(total)
    for (operation, size), several in groups.items():
        labels = {"operation": operation, "size": size}
        bins: defaultdict[int, int] = defaultdict(int)
        for total in several:
            for index, count in total.bins.items():
                bins[index] += count
        for limit in LIMITS:
            count = sum(count for index, count in bins.items() if index <= limit)
            bound = f"{1e-9 * RATIO**limit:.6g}"
            yield _sample("duration_seconds_bucket", {**labels, "le": bound}, count)
        whole = sum(bins.values())
        yield _sample("duration_seconds_bucket", {**labels, "le": "+Inf"}, whole)
        yield _sample("duration_seconds_sum", labels, sum(total.seconds for total in several))
        yield _sample("duration_seconds_count", labels, whole)


def _sample(name: str, labels: Labels, value: float) -> str:
    text = ",".join(f'{key}="{_escaped(str(label))}"' for key, label in labels.items())
    braces = f"{{{text}}}" if text else ""
    return f"{PREFIX}_{name}{braces} {value if isinstance(value, int) else float(value)!r}"


def _escaped(text: str) -> str:
    r"""Return the value of a label as the format has it.

    >>> print(_escaped('a "b"\n'))
    a \"b\"\n
    """
    return text.replace("\\", "\\\\").replace("\n", "\\n").replace('"', '\\"')
