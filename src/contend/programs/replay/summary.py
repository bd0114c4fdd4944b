"""What a replay comes to: its time, what contention costs, by calls and ranks, and by jobs."""

from collections.abc import Iterator
from typing import Any

import pandas as pd

from contend.base.number_text import percent, signed_seconds
from contend.base.result import Cell, Part, Result, Table
from contend.base.units import format_seconds
from contend.programs.replay.choice import in_words
from contend.programs.replay.interference import Interference
from contend.programs.replay.replay import Replay

MOST_RANKS = 32  # in the table
_TIMES = ("seconds", "worst", "lost", "computing", "in_calls", "alone", "together", "low", "high")
_FIELDS = (
    "seconds", "lost", "first", "model", "baseline", "messages", "unreceived", "calls", "ranks",
)  # fmt: skip


def result_of(
    replay: Replay,
    jobs: Interference | None = None,
    interval: tuple[float, float] | None = None,
) -> Result:
    """Return the tables of calls and ranks, and of jobs that ran together.

    `interval` are the seconds within which nine runs of ten are.
    """
    beside = {"jobs": jobs.jobs, "lost_to": _lost_to(jobs)} if jobs else {}
    warnings = [replay.shortfall] if replay.shortfall else []
    data = _data(replay) | {"interval": interval} | beside
    return Result(data, list(_parts(replay, jobs, interval)), warnings=warnings)


def _data(replay: Replay) -> dict[str, Any]:
    path, names = (
        replay.derivatives,
        ("seconds", "messages", "bytes", "is_steady", "calls", "links"),
    )
    return {name: getattr(replay, name) for name in _FIELDS} | {
        "shortfall": replay.shortfall or None,
        "derivatives": path and {name: getattr(path, name) for name in names},
        "algorithms": {name: sorted(used) for name, used in replay.algorithms.items()},
        "library": replay.chooser.about if replay.chooser else None,
        "choices": [
            {
                "operation": choice.operation,
                "library_algorithm": choice.library_name or None,
                "algorithm": choice.algorithm.name,
                "options": choice.options,
                "note": choice.note or None,
            }
            for choice in replay.choices
        ],
    }


def _parts(
    replay: Replay, jobs: Interference | None, interval: tuple[float, float] | None
) -> Iterator[Part]:
    if jobs is not None:
        yield _table(jobs.jobs, "jobs")
        if jobs.to.size > 4 or "background" in jobs.to:
            to = _lost_to(jobs)
            yield Table(to, {name: _cell(name, name != "job") for name in to}, "lost to")
    share = replay.lost / replay.seconds if replay.seconds else 0.0
    yield (
        f"{format_seconds(replay.seconds)} on {replay.trace.ranks} ranks, "
        f"{replay.messages} messages, {replay.model}; "
        f"{format_seconds(abs(replay.lost))} ({percent(share)}) "
        f"{'lost to' if replay.lost >= 0 else 'less by'} contention"
    )
    if interval is not None:
        bounds = " to ".join(map(format_seconds, interval))
        is_noisy = jobs is None and replay.trace.end.size > 0  # where the trace has times
        shown = "; shown is a median one, as noisy as the trace" if is_noisy else ""
        yield f"nine runs of ten take {bounds}{shown}"
    if replay.algorithms:
        used = (f"{name} {', '.join(sorted(each))}" for name, each in replay.algorithms.items())
        yield f"collectives: {'; '.join(used)}"
        yield from in_words(replay.chooser, replay.choices)
    if replay.first:
        yield f"{signed_seconds(replay.first)} of it by first messages, at which ranks connect"
    if replay.unreceived:
        yield f"{replay.unreceived} messages are sent that no rank receives"
    yield _table(replay.calls, "calls, mean over ranks")
    shown = replay.ranks.nlargest(MOST_RANKS, "seconds", keep="first").sort_index()
    yield _table(shown, "ranks")
    if len(shown) < len(replay.ranks):
        yield f"{len(replay.ranks) - len(shown)} ranks are done before these; --json shows all"


def _lost_to(jobs: Interference) -> pd.DataFrame:
    return jobs.to.reset_index(names="job")


def _table(rows: pd.DataFrame, title: str) -> Table:
    return Table(rows, {name: _cell(name, name in _TIMES) for name in rows}, title)


def _cell(name: str, is_time: bool) -> Cell:
    if name == "share":
        return name, percent
    return (name, signed_seconds) if is_time else name
