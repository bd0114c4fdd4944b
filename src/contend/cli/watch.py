"""Watched calls on the console, and what a network says of them."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from contend.base.units import format_bytes, format_seconds
from contend.cli.output import percent
from contend.cli.result import Cell
from contend.samples.watch.record import JobRecord
from contend.samples.watch.report import (
    PREDICTED,
    Best,
    Loss,
    Reference,
    References,
    losses,
    waiting,
)
from contend.samples.watch.totals import Place, Totals

if TYPE_CHECKING:
    from contend.models.network import Network

HOUR = 3600.0
MOST_COSTLY = 3  # calls of a summary
NOTE = (
    "rank time: of all ranks, waiting included; waiting: for the last rank, by the sampled calls; "
    "median and 99 %: of a rank's calls, within 5 %; a call: median of sampled calls from the last "
    "begin to the last end; could be gained: an estimate, calls times the difference to the best "
    "known, where the middle halves of both do not overlap"
)


def references(path: Path) -> References:
    """Return what a network file says of calls: their bounds, and predictions of its fits."""
    from contend.models.explanation.bound import least_seconds
    from contend.models.explanation.message import known_message
    from contend.models.network import Network

    network = Network.load(path)
    message = known_message([], network)

    def known(calls: Sequence[tuple[Place, float]]) -> list[Reference]:
        best = _predicted(network, calls)
        found = []
        for at, (place, m) in enumerate(calls):
            bound = np.array([np.nan])
            if place.n > 1 and (place.ppn is not None or place.nodes == 1):
                per_node = place.n if place.nodes == 1 else place.ppn
                bound = least_seconds(place.operation, place.n, per_node, np.array([m]), message)
            is_known = bool(np.isfinite(bound[0])) and bound[0] > 0
            found.append(Reference(float(bound[0]) if is_known else None, best.get(at)))
        return found

    return known


def _predicted(network: "Network", calls: Sequence[tuple[Place, float]]) -> dict[int, Best]:
    """The fastest prediction of each call that does not extrapolate, by its place in the list."""
    from contend.models.prediction.library_default import predicted_as_run

    best: dict[int, Best] = {}
    groups: defaultdict[tuple[str, int | None], list[int]] = defaultdict(list)
    for at, (place, _) in enumerate(calls):
        if place.n > 1:
            groups[place.operation, None if place.nodes == 1 else place.ppn].append(at)
    for operation in network.operations:
        several = groups.get((operation.operation, operation.processes_per_node), [])
        if not several or operation.conditions:
            continue
        n, m = np.array([(calls[at][0].n, calls[at][1]) for at in several]).T
        rows = predicted_as_run(network, operation, n, m)
        columns = (rows[name].tolist() for name in ("seconds", "high", "extrapolates"))
        for at, seconds, high, extrapolates in zip(several, *columns, strict=True):
            is_usable = not extrapolates and np.isfinite(high)
            if is_usable and (at not in best or seconds < best[at].seconds):
                best[at] = Best(seconds, high, operation.algorithm, None, PREDICTED)
    return best


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
    """Return a sentence on jobs that were killed or still run."""
    last = max(jobs, key=lambda one: one.began + one.seconds)
    when = datetime.fromtimestamp(last.began + last.seconds, UTC).isoformat(" ", "minutes")
    some = "1 of these has" if len(jobs) == 1 else f"{len(jobs)} of these have"
    return (
        f"{some} no record: killed, or still running (last noted {when[:16]} UTC by {last.job}); "
        "what the ranks noted until then is in the sums"
    )


def columns(rows: Sequence[Loss], *, has_network: bool) -> dict[str, Cell]:
    """Return the columns of a table of kinds of calls."""
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
    """Yield what the calls of one command cost, in six lines at most."""
    rows = losses(totals)
    yield from list(overview(totals, rows))[:3]
    for row in sorted(rows, key=lambda one: -one.seconds)[:MOST_COSTLY]:
        yield (
            f"{row.operation} of {row.n} ranks, up to {format_bytes(row.size)}, "
            f"{row.algorithm or 'algorithm unknown'}: {row.calls / row.n:.0f} calls, "
            f"{percent(row.seconds / totals.seconds if totals.seconds else None)} of the time, "
            f"median {format_seconds(row.median or 0.0)}, "
            f"99 % {format_seconds(row.percentile_99 or 0.0)}"
        )
