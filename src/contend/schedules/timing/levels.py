"""Parameters of messages where those between groups of ranks have others than those within.

Idea: the gap and the latency of the slow link for messages that cross from one group to another. A
rank still sends one message at a time, each by the g of its own level.
Restrictions: two levels. Without contention the slow link carries any number of messages at a time,
each at its own rate.
"""

from dataclasses import dataclass
from math import inf
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from contend.base.document import Floats
from contend.base.errors import InvalidInputError
from contend.schedules.groups import Groups
from contend.schedules.pointtopoint import PLogP
from contend.schedules.schedule import Schedule


@dataclass(frozen=True)
class Levels:
    """Parameters of a pair of ranks of one group and of two.

    `bandwidth` (bytes per second) is what all messages together get out of a group, and into it;
    infinite: more than its ranks have.
    """

    groups: Groups
    inside: PLogP
    between: PLogP
    bandwidth: float = inf

    def at_bounds(self) -> "tuple[Levels, Levels] | None":
        """With all lower bounds and with all upper ones; None where either level has none."""
        near, far = self.inside.at_bounds(), self.between.at_bounds()
        if not near or not far:
            return None
        low, high = (
            Levels(self.groups, *pair, self.bandwidth) for pair in zip(near, far, strict=True)
        )
        return low, high


Parameters: TypeAlias = PLogP | Levels


def crosses(schedule: Schedule, groups: Groups) -> NDArray[np.bool_]:
    """Return which operations are of messages that go from one group to another, (n_ops,)."""
    if len(groups) != schedule.ranks:
        raise InvalidInputError(
            f"groups of {len(groups)} ranks for a schedule of {schedule.ranks}",
            "name the group of every rank",
        )
    group = np.asarray(groups)
    return np.asarray(group[schedule.rank] != group[schedule.peer])


def costs(schedule: Schedule, network: Parameters) -> tuple[Floats, Floats]:
    """Return gap and latency of the message of each operation, alone, seconds; (n_ops,) each."""
    size = schedule.bytes
    if isinstance(network, PLogP):
        return np.asarray(network.gap_at(size)), np.asarray(network.latency_at(size))
    far, inside, between = crosses(schedule, network.groups), network.inside, network.between
    return (
        np.where(far, between.gap_at(size), inside.gap_at(size)),
        np.where(far, between.latency_at(size), inside.latency_at(size)),
    )
