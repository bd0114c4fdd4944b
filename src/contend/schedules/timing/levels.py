"""When each operation is done where messages between groups have parameters of their own.

Idea: as `evaluate`, with the gap and the latency of the slow link for messages that cross from one
group to another. A rank still sends one message at a time, each by the g of its own level.
Restrictions: the slow link carries any number of messages at a time, each at its own rate; where
they share it, put the messages through `contend.flows`.
"""

import numpy as np
from numpy.typing import NDArray

from contend.document import Floats
from contend.errors import InvalidInputError
from contend.pointtopoint import PLogP
from contend.schedules.groups import Groups
from contend.schedules.schedule import Schedule


def crosses(schedule: Schedule, groups: Groups) -> NDArray[np.bool_]:
    """Which operations are of messages that go from one group to another; (n_ops,)."""
    if len(groups) != schedule.ranks:
        raise InvalidInputError(
            f"groups of {len(groups)} ranks for a schedule of {schedule.ranks}",
            "name the group of every rank",
        )
    group = np.asarray(groups)
    return np.asarray(group[schedule.rank] != group[schedule.peer])


def finish_times(schedule: Schedule, groups: Groups, inside: PLogP, between: PLogP) -> Floats:
    """When each operation is done, seconds; shape (n_ops,).

    >>> from contend.schedules import algorithms
    >>> from contend.schedules.groups import given
    >>> from contend.schedules.timing.timeline import fast_ethernet
    >>> lg = algorithms("alltoall").get("lg").grouped(given((0, 0, 1, 1))).build(4, 100)
    >>> times = finish_times(lg, (0, 0, 1, 1), fast_ethernet(), fast_ethernet())
    >>> f"{times.max() * 1e6:.0f} us"
    '174 us'
    """
    far, size = crosses(schedule, groups), schedule.bytes
    gap = np.where(far, between.gap_at(size), inside.gap_at(size))
    latency = np.where(far, between.latency_at(size), inside.latency_at(size))
    times = schedule.order.finish_times(gap=gap[None], latency=latency[None])
    return times.reshape(schedule.kind.shape)


def seconds(schedule: Schedule, groups: Groups, inside: PLogP, between: PLogP) -> float:
    """Time from the common start until the last operation is done."""
    return float(finish_times(schedule, groups, inside, between).max(initial=0.0))
