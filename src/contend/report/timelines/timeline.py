"""Timelines: intervals of all ranks, and messages between them, from a trace or a replay."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from contend.base.errors import InvalidInputError
from contend.programs.replay.replay import Replay
from contend.programs.traces.kinds import NONE
from contend.programs.traces.matching import ends_of, match
from contend.programs.traces.summary import is_part
from contend.programs.traces.trace import Floats, Narrow, Trace
from contend.report.timelines.kinds import Activity, activities
from contend.report.timelines.wait_states import waiting_of

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Messages:
    """Messages of a timeline, (n_shown,) each; `count` is how many there are in all."""

    begin: Floats  # of the send, seconds
    end: Floats  # when the receiver has it
    src: Ints
    dst: Ints
    bytes: Ints
    count: int

    def longest(self, most: int) -> "Messages":
        """Those that are under way longest, in order of their begins."""
        if self.begin.size <= most:
            return self
        chosen = np.argpartition(self.begin - self.end, most)[:most]
        chosen = chosen[np.argsort(self.begin[chosen], kind="stable")]
        return Messages(
            self.begin[chosen], self.end[chosen], self.src[chosen], self.dst[chosen],
            self.bytes[chosen], self.count,
        )  # fmt: skip


@dataclass(frozen=True, eq=False)
class Timeline:
    """Intervals by rank and time, (n_intervals,) each; seconds from the first beginning.

    `waiting` is for how long an interval waits, from its begin on, for the rank `awaited`.
    """

    ranks: int
    seconds: float
    rank: Ints
    begin: Floats
    end: Floats
    activity: NDArray[np.int8]
    call: NDArray[np.int64]  # of `calls`
    bytes: Ints
    waiting: Floats
    awaited: Narrow
    calls: tuple[str, ...]
    messages: Messages
    flight: Floats  # (n_bins,) messages under way, the mean of each bin of equal width


BINS_OF_FLIGHT = 512
MOST_ROWS = 512  # of ranks, each by itself


def timeline_of(trace: Trace) -> Timeline:
    """What a trace with times says that happened.

    Raises InvalidInputError for a trace without times.

    >>> from contend.programs.traces.builder import TraceBuilder
    >>> timeline_of(TraceBuilder(ranks=1).trace())
    Traceback (most recent call last):
    ...
    contend.base.errors.InvalidInputError: the trace knows no times; give --network, to replay it
    """
    if trace.start.size == 0:
        raise InvalidInputError("the trace knows no times", "give --network, to replay it")
    origin = float(trace.start.min(initial=np.inf)) if len(trace) else 0.0
    matches, ends = match(trace), ends_of(trace)
    begin = trace.start[matches.sends] - origin
    messages = Messages(
        begin=begin,
        end=np.maximum(trace.end[ends[matches.receives]] - origin, begin),
        src=trace.rank[matches.sends],
        dst=trace.rank[matches.receives],
        bytes=trace.bytes[matches.sends],
        count=matches.sends.size,
    )
    waits = waiting_of(trace)
    return made(trace, trace.start - origin, trace.end - origin, waits.seconds, waits.rank,
                messages)  # fmt: skip


def made(
    trace: Trace,
    begin: Floats,
    end: Floats,
    waiting: Floats,
    awaited: Narrow,
    messages: Messages,
    flight: Floats | None = None,
    *,
    computes_first: bool = False,
) -> Timeline:
    """A timeline from times of operations, (n_ops,); what is between calls is computation.

    So is what is before the first call of a rank, if it `computes_first`.
    """
    kept = ~is_part(trace)
    rank = trace.rank[kept]
    begin, end = begin[kept], np.maximum(end[kept], begin[kept])
    seconds = float(end.max(initial=0.0))
    activity = activities(trace)[kept]
    gap_rank, gap_begin, gap_end = _gaps(rank, begin, end, seconds, computes_first)
    columns: dict[str, tuple[np.ndarray, np.ndarray]] = {
        "rank": (rank, gap_rank),
        "begin": (begin, gap_begin),
        "end": (end, gap_end),
        "activity": (activity, np.full(gap_rank.size, Activity.COMPUTATION, dtype=np.int8)),
        "call": (trace.call[kept].astype(np.int64), np.full(gap_rank.size, NONE)),
        "bytes": (trace.bytes[kept], np.zeros(gap_rank.size, dtype=np.int64)),
        "waiting": (np.minimum(waiting[kept], end - begin), np.zeros(gap_rank.size)),
        "awaited": (awaited[kept], np.full(gap_rank.size, NONE, dtype=np.int32)),
    }
    joined = {name: np.concatenate(pair) for name, pair in columns.items()}
    is_long = joined["end"] > joined["begin"]
    order = np.flatnonzero(is_long)
    order = order[np.lexsort((joined["begin"][order], joined["rank"][order]))]
    if flight is None:
        flight = over_time(messages.begin, messages.end, seconds, BINS_OF_FLIGHT)
    return Timeline(
        ranks=trace.ranks,
        seconds=seconds,
        calls=trace.calls,
        messages=messages,
        flight=flight,
        **{name: column[order] for name, column in joined.items()},
    )


def _gaps(
    rank: Ints, begin: Floats, end: Floats, seconds: float, computes_first: bool
) -> tuple[Ints, Floats, Floats]:
    """What lies between the calls of each rank; calls of threads may overlap."""
    order = np.lexsort((begin, rank))
    rank, begin, end = rank[order], begin[order], end[order]
    shift = rank * (2.0 * seconds + 1.0)  # no rank's times reach those of the next one
    until = np.maximum.accumulate(end + shift) - shift
    is_first = np.r_[True, rank[1:] != rank[:-1]][: rank.size]
    before = np.where(is_first, 0.0 if computes_first else begin, np.roll(until, 1))
    gaps = np.flatnonzero(begin > before)
    return rank[gaps], before[gaps], begin[gaps]


def timeline_of_replay(replay: Replay) -> Timeline:
    """What a replay says that happened.

    Raises InvalidInputError for a replay whose times or whose traffic were not kept.
    """
    traffic = replay.traffic
    if not replay.start.size or traffic is None:
        raise InvalidInputError(
            "the times of the replay were not kept",
            "replay with is_recorded=True and has_traffic=True",
        )
    messages = Messages(
        traffic.begin, traffic.end, traffic.src, traffic.dst, traffic.bytes, replay.messages
    )
    return made(
        replay.trace, replay.start, replay.end, replay.waited, replay.awaited, messages,
        _flight(traffic.flight, traffic.bin, replay.seconds), computes_first=True,
    )  # fmt: skip


def _flight(mean: Floats, bin: float, seconds: float) -> Floats:
    """Messages under way, in the bins of a timeline; those of the replay reach beyond its end."""
    if not seconds or not bin:
        return np.zeros(1)
    bins = int(min(BINS_OF_FLIGHT, max(seconds / bin, 1)))
    edges = np.linspace(0.0, seconds, bins + 1)
    total = np.concatenate([[0.0], np.cumsum(mean) * bin])
    until = np.interp(edges, np.arange(total.size) * bin, total)
    flight: Floats = np.diff(until) / (seconds / bins)
    return flight


def over_time(begin: Floats, end: Floats, seconds: float, bins: int) -> Floats:
    """How many intervals there are at a time, the mean of each bin, (bins,).

    >>> over_time(np.array([0.0, 1.0]), np.array([2.0, 2.0]), 4.0, 4).tolist()
    [1.0, 2.0, 0.0, 0.0]
    """
    nothing = np.zeros(begin.size, dtype=np.int64)
    return np.asarray(spread(nothing, begin, end, 1, seconds, bins)[0])


def spread(row: Ints, begin: Floats, end: Floats, rows: int, seconds: float, bins: int) -> Floats:
    """Time of all intervals of a row within each bin, over the width of one: (rows, bins)."""
    if seconds <= 0:
        return np.zeros((rows, bins))
    first, last = (np.clip(time * (bins / seconds), 0.0, bins) for time in (begin, end))
    i, j = (np.minimum(place.astype(np.int64), bins - 1) for place in (first, last))
    # Up to the end of its first bin, up to its end in the last one, and all that lies between.
    at = row * bins
    size = rows * bins
    is_within = i == j
    low = np.bincount(at + i, np.where(is_within, last - first, i + 1 - first), size)
    high = np.bincount(at + j, np.where(is_within, 0.0, last - j), size)
    between = ~is_within
    wide = rows * (bins + 1)
    step: Ints = np.bincount((row * (bins + 1) + i + 1)[between], minlength=wide)
    step -= np.bincount((row * (bins + 1) + j)[between], minlength=wide)
    full = np.cumsum(step.reshape(rows, bins + 1), axis=1)[:, :bins]
    return np.asarray((low + high).reshape(rows, bins) + full)


def binned(timeline: Timeline, bins: int) -> NDArray[np.float32]:
    """Shares of activities in bins of equal width, (rows, bins, activities).

    Ranks share rows where they are many.
    """
    step = -(-timeline.ranks // MOST_ROWS)
    rows = -(-timeline.ranks // step)
    share = np.zeros((rows, bins, len(Activity)), dtype=np.float32)
    row = timeline.rank // step
    waits = timeline.waiting > 0
    turn = timeline.begin + timeline.waiting  # from waiting to the call itself
    ranks_of = np.bincount(np.arange(timeline.ranks) // step, minlength=rows)[:, None]
    for kind in Activity:
        of_kind = timeline.activity == kind
        begin, end, which = turn[of_kind], timeline.end[of_kind], row[of_kind]
        if kind is Activity.WAITING:
            begin, end, which = timeline.begin[waits], turn[waits], row[waits]
        if begin.size:
            time = spread(which, begin, end, rows, timeline.seconds, bins)
            share[:, :, kind] = time / ranks_of
    return share


def shares(timeline: Timeline) -> dict[Activity, float]:
    """Share of the time of all ranks by activity, waiting apart; what is left is NOTHING."""
    length = timeline.end - timeline.begin - timeline.waiting
    total = np.bincount(timeline.activity, length, minlength=len(Activity))
    total[Activity.WAITING] += timeline.waiting.sum()
    whole = timeline.seconds * timeline.ranks
    share = total / whole if whole else np.zeros(len(Activity))
    share[Activity.NOTHING] = max(1.0 - share.sum(), 0.0)
    return {kind: float(share[kind]) for kind in Activity}
