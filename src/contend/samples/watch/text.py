"""What is shown of collective calls in production: kinds of calls, and who loses how much."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from contend.base.number_text import percent
from contend.base.result import Cell, Line, Part, Result, Table, next_step
from contend.base.units import format_bytes, format_seconds
from contend.samples.watch.record import JobRecord
from contend.samples.watch.report import PREDICTED, Loss, losses, waiting
from contend.samples.watch.store import Site
from contend.samples.watch.totals import Totals

HOUR = 3600.0
MOST_COSTLY = 3  # calls of a summary
MOST_ROWS = 30  # of kinds of calls as text
MOST_REMARKS = 5
NOTE = (
    "rank time: of all ranks, waiting included; waiting: for the last rank, by the sampled calls; "
    "median and 99 %: of a rank's calls, within 5 %; a call: median of sampled calls from the last "
    "begin to the last end; could be gained: an estimate, calls times the difference to the best "
    "known, where the middle halves of both do not overlap"
)


def result_of(
    file: Path, site: Site, totals: Totals, rows: list[Loss], *, has_network: bool
) -> Result:
    """Return kinds of calls with what they cost and could gain, the most costly first."""
    data: dict[str, Any] = {
        "jobs": totals.jobs,
        "without_record": [
            {"job": job.job, "began": job.began, "seconds": job.seconds, "ranks": job.ranks}
            for job in site.killed
        ],
        "rank_seconds": totals.seconds,
        "collective_seconds": totals.collective,
        "not_kept": totals.not_kept,
        "other_calls": totals.others,
        "calls": rows,
    }
    parts = _parts(file, site, totals, rows, has_network=has_network)
    return Result(data, parts, warnings=remarks(site))


def remarks(site: Site) -> list[str]:
    more = len(site.remarks) - MOST_REMARKS
    return site.remarks[:MOST_REMARKS] + ([f"{more} more lines like these"] if more > 0 else [])


def _parts(
    file: Path, site: Site, totals: Totals, rows: list[Loss], *, has_network: bool
) -> Iterator[Part]:
    yield from map(Line, overview(totals, rows))
    if site.killed:
        yield Line(without_record(site.killed))
    if rows:
        yield Table(rows[:MOST_ROWS], columns(rows, has_network=has_network))
        if (more := len(rows) - MOST_ROWS) > 0:
            yield f"{more} more kinds of calls; --json shows all"
        yield NOTE
    yield next_step("contend", "fit", file, "-o", file.with_suffix(".json"))


def overview(totals: Totals, rows: Sequence[Loss]) -> Iterator[str]:
    """Yield how long jobs ran, and what of it they were in collective calls."""
    jobs = "1 job" if totals.jobs == 1 else f"{totals.jobs} jobs"
    share = totals.collective / totals.seconds if totals.seconds else None
    waited = waiting(rows)
    late = "" if waited is None else f", {percent(waited)} of that waiting for the last rank"
    yield (
        f"{jobs}, {format_time(totals.seconds)} of rank time: "
        f"{format_time(totals.collective)} ({percent(share)}) in collective calls{late}"
    )
    if totals.not_kept:
        yield f"{totals.not_kept} calls of ranks are not in it: the table of the ranks was full"
    if totals.others:
        names = ", ".join(f"{name} {count}" for name, count in sorted(totals.others.items()))
        yield f"counted by name alone, calls of ranks: {names}"


def without_record(jobs: Sequence[JobRecord]) -> str:
    last = max(jobs, key=lambda job: job.began + job.seconds)
    when = datetime.fromtimestamp(last.began + last.seconds, UTC).isoformat(" ", "minutes")
    some = "1 of these has" if len(jobs) == 1 else f"{len(jobs)} of these have"
    return (
        f"{some} no record: killed, or still running (last noted {when[:16]} UTC by {last.job}); "
        "what the ranks noted until then is in the sums"
    )


def columns(rows: Sequence[Loss], *, has_network: bool) -> dict[str, Cell]:
    shown: dict[str, Cell] = {
        "operation": "operation",
        "n": "n",
        "ppn": ("ppn", str),
        "up to": ("size", format_bytes),
        "algorithm": ("algorithm", str),
        "calls": lambda row: f"{row.calls / row.n:.0f}",
        "rank time": ("seconds", format_time),
        "waiting": ("waiting", percent),
        "median": ("median", format_seconds),
        "99 %": ("percentile_99", format_seconds),
        "a call": ("together", format_seconds),
    }
    if has_network:
        shown["bound"] = ("bound", format_seconds)
    shown |= {"best known": _best_text, "could be gained": ("gain", _gain_text)}
    if len({row.library for row in rows}) > 1:
        shown["library"] = "library"
    return shown


def _best_text(row: Loss) -> str:
    best = row.best
    if best is None:
        return "–"
    if best.source != PREDICTED and (best.algorithm, best.library) == (row.algorithm, row.library):
        return "itself"
    named = best.algorithm or "the library's choice"
    other = f" of {best.library}" if best.library not in (None, row.library) else ""
    return f"{format_seconds(best.seconds)} {named}{other}, {best.source}"


def _gain_text(gain: float) -> str:
    return f"~{format_time(gain)}" if gain else "none"


def format_time(seconds: float) -> str:
    """Return rank time: hours where these are many.

    >>> format_time(7200.0), format_time(12.5)
    ('2 h', '12.5 s')
    """
    return f"{seconds / HOUR:.3g} h" if seconds >= HOUR else format_seconds(seconds)


def summary(totals: Totals) -> Iterator[str]:
    rows = losses(totals)
    yield from list(overview(totals, rows))[:3]
    for row in sorted(rows, key=lambda row: -row.seconds)[:MOST_COSTLY]:
        yield (
            f"{row.operation} of {row.n} ranks, up to {format_bytes(row.size)}, "
            f"{row.algorithm or 'algorithm unknown'}: {row.calls / row.n:.0f} calls, "
            f"{percent(row.seconds / totals.seconds if totals.seconds else None)} of the time, "
            f"median {format_seconds(row.median or 0.0)}, "
            f"99 % {format_seconds(row.percentile_99 or 0.0)}"
        )
