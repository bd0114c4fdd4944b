"""The time of a traced program on a network that its messages share.

Idea: the trace is run twice: as it is, and with every message as if it were alone. The difference
is the time lost to contention, call by call.
A receive from any source takes what comes first in the replay, though the trace knows what it was;
where that cannot end, it takes what it was.
Where the record of a rank ends early, all end at the last point that all reached.
By TCP a library that connects two ranks at their first message pays for that, as often as it does.
Restrictions: the program does the same whatever the network does; what was recorded of a test is
repeated.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from contend import _core
from contend.base.document import Floats
from contend.base.errors import InvalidInputError
from contend.programs.replay.carriage import Carriage
from contend.programs.replay.choice import Choice, Chooser, chooser, per_host
from contend.programs.replay.common_prefix import reached, shortfall, until
from contend.programs.replay.deadlock import DeadlockError, deadlock
from contend.programs.replay.derivatives import Derivatives, derivatives_of
from contend.programs.replay.message_times import MessageTimes, beside_frames, table
from contend.programs.replay.programs import Expanded, SizeNumbers, expand, whole
from contend.programs.replay.traffic import KEPT_MESSAGES, Traffic, bins_for, link_names, traffic_of
from contend.programs.traces.kinds import COMPUTE, OpKind
from contend.programs.traces.summary import is_part
from contend.programs.traces.trace import Trace
from contend.schedules.ragged_rows import Ints
from contend.simulate.flows.models import ALONE, DEFAULT, TCP

Columns = dict[str, NDArray[np.generic]]


@dataclass(frozen=True, eq=False)
class Replay:
    """Times of a replayed trace; seconds everywhere.

    `first` is how much of the time goes to the first messages between two ranks, beyond what later
    ones take; 0 where that was not compared.

    `call_time` (ranks, calls) is what ranks spend in the calls of each name, `alone` the same
    replay with every message by itself. `start` and `end` (n_ops,) are empty unless asked for; so
    are `waited`, the seconds that an operation waits for a rank that is late, and `awaited`, that
    rank (-1: none). `trace` is what was replayed; `shortfall` says how much that is, and why, where
    the record of a rank ends early. `traffic` is what the network did, if it was asked for;
    `derivatives` is what the critical path is made of, likewise, but for TCP and runs of more than
    some million messages.
    """

    trace: Trace
    model: str
    baseline: str
    rank_end: Floats  # (ranks,)
    call_time: Floats
    computing: Floats  # (ranks,)
    messages: int
    unreceived: int
    start: Floats
    end: Floats
    waited: Floats = field(default_factory=lambda: np.zeros(0))
    awaited: NDArray[np.int32] = field(default_factory=lambda: np.zeros(0, dtype=np.int32))
    traffic: Traffic | None = None
    derivatives: Derivatives | None = None
    algorithms: Mapping[str, set[str]] = field(default_factory=dict)
    choices: tuple[Choice, ...] = ()
    chooser: Chooser | None = None
    alone: "Replay | None" = None
    first: float = 0.0
    shortfall: str = ""

    @property
    def seconds(self) -> float:
        """Time of the whole run, until the last rank is done."""
        return float(self.rank_end.max(initial=0.0))

    @property
    def lost(self) -> float:
        """Seconds of the whole run that messages lose by sharing the network."""
        return 0.0 if self.alone is None else self.seconds - self.alone.seconds

    @cached_property
    def calls(self) -> pd.DataFrame:
        """A row per kind of call, the longest first: call, count, seconds, worst, worst_rank, lost.

        Computation is no call. `seconds` is the mean over ranks, `worst` that of the rank
        `worst_rank`, `lost` the mean of what contention adds.
        """
        names = self.trace.calls
        count = np.bincount(self.trace.call[~is_part(self.trace)], minlength=len(names))
        mean = self.call_time.mean(axis=0)
        lost = np.zeros_like(mean)
        if self.alone is not None:
            lost = mean - self.alone.call_time.mean(axis=0)
        table = pd.DataFrame(
            {
                "call": names,
                "count": count,
                "seconds": mean,
                "worst": self.call_time.max(axis=0),
                "worst_rank": self.call_time.argmax(axis=0),
                "lost": lost,
            }
        )
        is_call = (count > 0) & (table["call"] != COMPUTE)
        return table[is_call].sort_values("seconds", ascending=False, ignore_index=True)

    @cached_property
    def ranks(self) -> pd.DataFrame:
        """A row per rank: rank, seconds until it is done, of these computing and in calls, lost."""
        before = self.rank_end if self.alone is None else self.alone.rank_end
        return pd.DataFrame(
            {
                "rank": np.arange(self.trace.ranks),
                "seconds": self.rank_end,
                "computing": self.computing,
                "in_calls": self.rank_end - self.computing,
                "lost": self.rank_end - before,
            }
        )

    @cached_property
    def operations(self) -> pd.DataFrame:
        """A row per operation: rank, call, start, end, lost; only if they were asked for."""
        if not self.start.size:
            raise InvalidInputError(
                "the times of single operations were not kept", "replay with is_recorded=True"
            )
        lost = np.zeros(self.start.size)
        if self.alone is not None:
            lost = (self.end - self.start) - (self.alone.end - self.alone.start)
        return pd.DataFrame(
            {
                "rank": self.trace.rank,
                "call": np.array(self.trace.calls, dtype=object)[self.trace.call],
                "start": self.start,
                "end": self.end,
                "lost": lost,
            }
        )


def replay(
    trace: Trace,
    times: MessageTimes,
    model: str = DEFAULT,
    *,
    carriage: Carriage | None = None,
    parameters: Mapping[str, float] | None = None,
    algorithms: Mapping[str, str] | None = None,
    library: str = "",
    compute: float = 1.0,
    baseline: str = ALONE,
    is_recorded: bool = False,
    has_traffic: bool = False,
    has_derivatives: bool = False,
) -> Replay:
    """Replay a trace, and what contention costs it.

    Parameters
    ----------
    times
        What a message takes that is alone: `Plogp`, `Line` or `LogGOPS`.
    model
        A sharing model; "ports": one message at a time; "alone".
    carriage
        Hosts and what is between them; without it a host per rank, on one switch.
    parameters
        Of the model, where they differ from their initial values.
    algorithms
        By collective operation, where what the library runs by itself shall not hold.
    library
        Whose algorithms calls are run by, e.g. "openmpi-4.1.4"; without it that of the trace, or
        MPICH where it names none.
    compute
        Factor for all computation.
    baseline
        What the time is compared to: "alone", or "ports".
    is_recorded
        Whether the times of all operations are kept, and whom they waited for.
    has_traffic
        Whether the load of the links is kept, and the messages that were under way longest.
    has_derivatives
        Whether the critical path is followed.

    >>> from contend.programs.replay import Line
    >>> from contend.programs.traces.builder import TraceBuilder
    >>> builder = TraceBuilder(ranks=2)
    >>> builder.rank(0).add(OpKind.SEND, "send", peer=1, bytes=100)
    >>> builder.rank(1).add(OpKind.RECEIVE, "recv", peer=0, bytes=100)
    >>> replay(builder.trace(), Line(latency=1.0, bandwidth=100.0)).seconds
    2.0
    """
    if not (np.isfinite(compute) and compute >= 0):
        raise InvalidInputError(f"computation times {compute}", "give a factor from 0")
    trace.require_seconds()
    if carriage is None:
        carriage = Carriage(
            trace.ranks, np.arange(trace.ranks, dtype=np.int64), min(times.bandwidth, 1e300)
        )
    chooses = chooser(algorithms or {}, trace.library, library)
    once = partial(
        _replay, times=times, model=model, carriage=carriage, parameters=parameters,
        chooser=replace(chooses, ppn=per_host(carriage.host[_calling(trace)])), compute=compute,
        baseline=baseline, is_recorded=is_recorded, has_traffic=has_traffic,
        has_derivatives=has_derivatives,
    )  # fmt: skip
    part = reached(trace)
    while True:
        try:
            return replace(once(part), shortfall=shortfall(trace, part))
        except DeadlockError as error:
            if not trace.is_cut:
                raise
            part = reached(until(part, np.where(error.stuck < 0, part.first[1:], error.stuck)))


def _calling(trace: Trace) -> Ints:
    """The ranks that make collective calls."""
    calls = np.flatnonzero(trace.kind >= OpKind.BARRIER)
    return np.unique(np.searchsorted(trace.first, calls, side="right") - 1)


def _replay(
    trace: Trace,
    times: MessageTimes,
    model: str,
    carriage: Carriage,
    parameters: Mapping[str, float] | None,
    chooser: Chooser,
    compute: float,
    baseline: str,
    is_recorded: bool,
    has_traffic: bool,
    has_derivatives: bool,
) -> Replay:
    is_graph = trace.requires_offsets.size > 0
    expanded = whole(trace) if is_graph else expand(trace, chooser)
    run = _joint(trace) if is_graph else trace
    numbers = SizeNumbers([run.bytes, *(part.bytes for part in expanded.parts)])
    columns = _columns(run, expanded, numbers, 1.0 if is_graph else compute)
    eager = times.eager
    if model == TCP and not np.isfinite(eager):
        eager = chooser.library.eager_by_tcp
    sizes = table(times, numbers.sizes, eager)
    # Frames by TCP have no gap that overheads could be within.
    has_own = times.takes_overheads or model == TCP
    programs = expanded.tables(numbers, takes_overheads=has_own and _has_overheads(sizes))
    trips = chooser.library.first_trips if model == TCP else 0
    if is_graph:
        programs["seconds"] = np.asarray(programs["seconds"]) * compute
    of_frames = (
        beside_frames(sizes, times.bandwidth, has_handshake=times.has_handshake)
        if model == TCP
        else sizes
    )
    pairs = _pairs(run, expanded, carriage, has_ways=model == TCP)
    computing = np.zeros(trace.ranks) if is_graph else _computing(run, compute)

    def once(name: str, before: Replay | None, columns: Columns, trips: int = trips) -> Replay:
        if name == TCP and has_traffic:
            raise InvalidInputError(
                "links are not looked at where messages go by TCP", "choose another --model"
            )
        network = carriage.table(name, parameters if name == model else None,
                                 times.handshake / 2, pairs)  # fmt: skip
        network |= {"first_trips": float(trips), "connected": trace.connected}
        is_kept = has_traffic and name == model
        replayed = _core.replay(
            columns, len(run.calls), programs, of_frames if name == TCP else sizes, network,
            is_recorded,
            bins_for(carriage) if is_kept else 0, KEPT_MESSAGES if is_kept else 0,
            has_derivatives and name == model,
        )  # fmt: skip
        if (replayed.stuck >= 0).any():
            raise deadlock(run, replayed.stuck)
        shape = (trace.ranks, len(run.calls))
        return Replay(
            trace=run,
            model=name,
            baseline=baseline,
            rank_end=replayed.rank_end,
            call_time=replayed.call_time.reshape(shape),
            computing=computing,
            messages=replayed.messages,
            unreceived=replayed.unreceived,
            start=replayed.start,
            end=replayed.end,
            waited=replayed.waited,
            awaited=replayed.awaited,
            traffic=traffic_of(
                replayed,
                carriage,
                name,
                network,
                numbers.sizes,
                float(replayed.rank_end.max(initial=0.0)),
            )
            if is_kept
            else None,
            derivatives=derivatives_of(
                replayed, times, numbers.sizes, run.calls, link_names(carriage, name, network)
            )
            if replayed.path_calls.size
            else None,
            algorithms=expanded.algorithms,
            choices=tuple(sorted(expanded.choices, key=lambda choice: choice.words)),
            chooser=chooser if expanded.choices else None,
            alone=before,
        )

    def both(columns: Columns) -> Replay:
        if model == baseline:
            return once(model, None, columns)
        joint = once(model, once(baseline, None, columns), columns)
        if not trips:
            return joint
        return replace(joint, first=joint.seconds - once(model, None, columns, 0).seconds)

    if run.has_asked:
        peer, tag = run.as_asked()
        try:
            return both(columns | {"peer": peer, "tag": tag})
        except DeadlockError:
            pass  # what the program does next depends on whom it met
    return both(columns)


def _has_overheads(sizes: Columns) -> bool:
    return any(bool(sizes[name].any()) for name in ("send_overhead", "receive_overhead"))


def _joint(trace: Trace) -> Trace:
    """One operation for each rank, in which all that it does is done."""
    count = trace.ranks
    narrow = np.zeros(count, dtype=np.int32)
    return Trace(
        ranks=count,
        first=np.arange(count + 1, dtype=np.int64),
        kind=np.full(count, OpKind.BARRIER, dtype=np.int8),
        call=narrow.astype(np.int16),
        peer=narrow - 1,
        tag=narrow,
        bytes=np.zeros(count, dtype=np.int64),
        comm=narrow,
        request=narrow - 1,
        list=narrow - 1,
        seconds=np.zeros(count),
        line=narrow - 1,
        calls=("schedule",),
        communicators=(np.arange(count, dtype=np.int64),),
        files=trace.files,
    )


def _columns(trace: Trace, expanded: Expanded, numbers: SizeNumbers, compute: float) -> Columns:
    names = ("first", "kind", "call", "peer", "tag", "comm", "request", "list",
             "list_offsets", "list_values")  # fmt: skip
    columns: Columns = {name: np.ascontiguousarray(getattr(trace, name)) for name in names}
    # Files, and other times that are no computation, do not scale with the processor.
    members = trace.communicators
    sizes = np.array([members_of.size for members_of in members], dtype=np.int64)
    return columns | {
        "seconds": trace.seconds * np.where(trace.is_computation, compute, 1.0) if compute != 1.0
        else np.ascontiguousarray(trace.seconds),
        "size": numbers(trace.bytes),
        "program": expanded.program,
        "comm_offsets": np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        "members": np.concatenate(members).astype(np.int64),
    }  # fmt: skip


def _computing(trace: Trace, compute: float) -> Floats:
    total = np.zeros(len(trace) + 1)
    np.cumsum(trace.seconds * trace.is_computation, out=total[1:])
    computing: Floats = np.diff(total[trace.first]) * compute
    return computing


def _pairs(trace: Trace, expanded: Expanded, carriage: Carriage, has_ways: bool = False) -> Ints:
    """Pairs of different hosts, src * hosts + dst, between which there are messages."""
    if carriage.topology is None and not has_ways:
        return np.zeros(0, dtype=np.int64)
    hosts, host = max(carriage.hosts, 2), carriage.host
    sends = np.flatnonzero((trace.kind == OpKind.SEND) | (trace.kind == OpKind.SYNC_SEND))
    src = np.searchsorted(trace.first, sends, side="right") - 1
    pairs_of = [np.unique(host[src] * hosts + host[trace.peer[sends]])]
    calls = np.flatnonzero(expanded.program >= 0)
    for program, comm in np.unique(
        np.stack([expanded.program[calls], trace.comm[calls]]), axis=1
    ).T.tolist():
        part, members = expanded.parts[program], trace.communicators[comm]
        ends = part.partner >= 0
        src, dst = members[part.rank[ends]], members[part.rank[part.partner[ends]]]
        pairs_of += [np.unique(host[src] * hosts + host[dst])]
    pairs = np.unique(np.concatenate(pairs_of))
    apart: Ints = pairs[pairs // hosts != pairs % hosts]
    return apart
