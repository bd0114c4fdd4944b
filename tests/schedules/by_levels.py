"""When each operation of a schedule is done, level by level: what the core is held against.

An operation is in the first level behind all that it waits for. Each level is one step in numpy.
"""

from dataclasses import dataclass

import numpy as np

from contend.base.document import Floats
from contend.base.errors import InvalidInputError
from contend.schedules.pointtopoint import PLogP
from contend.schedules.ragged_rows import Ints, offsets_of, rows_of
from contend.schedules.schedule import Kind, Schedule


@dataclass(frozen=True)
class Order:
    """Who waits for whom: edges into each operation, and operations by level."""

    source: Ints  # (n_edges,)
    target: Ints
    delays: Ints  # (n_edges,) what the target gets: its own g (port), its g after L, or nothing
    levels: list[tuple[Ints, Ints]]  # operations that wait for earlier levels only, edges into them


_NOTHING, _PORT, _LATENCY = range(3)


def order(schedule: Schedule) -> Order:
    """The order in which a schedule can be evaluated; an error if it never ends."""
    edges = [_required(schedule), _successive(schedule, schedule.is_send, _NOTHING),
             _successive(schedule, schedule.is_receive, _PORT), _messages(schedule)]  # fmt: skip
    source, target, delays = (np.concatenate(part) for part in zip(*edges, strict=True))
    return Order(source, target, delays, _levels(schedule, source, target))


def finish_times(schedule: Schedule, plogp: PLogP) -> Floats:
    """When each operation is done, seconds; shape (n_ops,)."""
    graph = order(schedule)
    gap = np.where(schedule.kind == Kind.COPY, 0.0, plogp.gap_at(schedule.bytes))
    latency = plogp.latency_at(schedule.bytes)
    is_send = schedule.is_send
    done = np.zeros(schedule.kind.size)
    sender_gap = np.where(is_send, gap, 0.0)
    for operations, edges in graph.levels:
        source, target, delay = graph.source[edges], graph.target[edges], graph.delays[edges]
        at = done[source] + np.where(delay == _NOTHING, 0.0, gap[target])
        is_message = delay == _LATENCY
        at = np.where(is_message, at - sender_gap[source] + latency[source], at)
        np.maximum.at(done, target, at)
        done[operations] += sender_gap[operations]
    return done


def _required(schedule: Schedule) -> tuple[Ints, Ints, Ints]:
    waiting = np.repeat(np.arange(schedule.kind.size), np.diff(schedule.requires_offsets))
    return schedule.requires, waiting, np.full_like(waiting, _NOTHING)


def _successive(schedule: Schedule, chosen: np.ndarray, delay: int) -> tuple[Ints, Ints, Ints]:
    places = np.flatnonzero(chosen)
    same = schedule.rank[places[1:]] == schedule.rank[places[:-1]]
    source, target = places[:-1][same], places[1:][same]
    return source, target, np.full_like(source, delay)


def _messages(schedule: Schedule) -> tuple[Ints, Ints, Ints]:
    sends = np.flatnonzero(schedule.is_send)
    return sends, schedule.partner[sends], np.full_like(sends, _LATENCY)


def _levels(schedule: Schedule, source: Ints, target: Ints) -> list[tuple[Ints, Ints]]:
    size = schedule.kind.size
    outgoing = np.argsort(source, kind="stable")
    leaving = offsets_of(np.bincount(source, minlength=size))
    incoming = np.argsort(target, kind="stable")
    entering = offsets_of(np.bincount(target, minlength=size))
    missing = np.diff(entering)
    ready, levels, left = np.flatnonzero(missing == 0), [], size
    while ready.size:
        levels.append((ready, rows_of(entering, incoming, ready)[1]))
        left -= ready.size
        reached = target[rows_of(leaving, outgoing, ready)[1]]
        np.subtract.at(missing, reached, 1)
        ready = np.unique(reached[missing[reached] == 0])
    if left:
        stuck = int(np.flatnonzero(missing > 0)[0])
        raise InvalidInputError(
            f"the schedule never ends: operation {stuck} of rank {schedule.rank[stuck]} waits "
            "for itself by way of others",
            "break the circle of what operations require",
        )
    return levels
