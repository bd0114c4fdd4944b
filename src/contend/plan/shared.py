"""When a schedule ends whose messages between groups share links, and whether one is lost.

Source: pLogP per level (`schedules.levels`); a link as a queue: Lindley 1952.
Idea: a message enters its link while its sender has it under way, and leaves it when the link has
carried all that came before, c = max(r, max over earlier j of (a_j + bytes from j on / B)), with a
its start and r its end at the sender. What it waits makes its latency longer, which makes others
later: so it is found again until nothing changes. The most that ever waits at a link is what its
buffer has to hold; where it is more than that, a message is lost, and a time-out is added once.
Cost: a pass over the schedule for each message that waits for one that waited, few in practice.
Restrictions: first come, first served. Real ranks do not keep step as those of a schedule do, so
that more may wait than is found.
"""

import itertools
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from contend.document import Floats
from contend.plan.links import Links
from contend.schedules.groups import Groups, Layout
from contend.schedules.levels import crosses
from contend.schedules.ragged import Ints, ints
from contend.schedules.schedule import Schedule

MOST_PASSES = 64
CLOSE = 1e-6  # of the whole time: nothing changes any more


@dataclass(frozen=True)
class Predicted:
    """Seconds of an exchange, the time-out of a loss included.

    `waiting` are the most bytes at a link, `fill` the largest share of a buffer that they are;
    `timeout` is what a loss costs where it is the fullest.
    """

    seconds: float
    waiting: float
    fill: float
    timeout: float

    @property
    def is_lossy(self) -> bool:
        """Whether more waits than the buffer holds."""
        return self.fill > 1.0


@dataclass(frozen=True, eq=False)
class Crossing:
    """The messages of a schedule that go between groups: the send of each, and its link."""

    sends: Ints
    link: Ints  # source * groups + destination
    far: NDArray[np.bool_]  # (n_ops,) both ends

    @classmethod
    def of(cls, schedule: Schedule, groups: Groups) -> "Crossing":
        """Those of ranks in groups."""
        far, group = crosses(schedule, groups), Layout(groups).group
        sends = ints(np.flatnonzero(schedule.is_send & far))
        count = int(group.max()) + 1
        link = group[schedule.rank[sends]] * count + group[schedule.peer[sends]]
        return cls(sends, ints(link), far)


def predict(
    schedule: Schedule, groups: Groups, links: Links, m: int = 1, *, is_answered: bool = False
) -> Predicted:
    """Time of a schedule whose bytes are `m` times those that it says.

    `is_answered`: a send between groups is over when the receiver has said so, a latency later;
    what waits for it in the schedule waits for a receipt.

    >>> import numpy as np
    >>> from contend.schedules import algorithms
    >>> from contend.schedules.timeline import fast_ethernet
    >>> table = np.full((2, 2), 1e6)
    >>> links = Links(fast_ethernet(), fast_ethernet(), table * 0, table, table, table)
    >>> predict(algorithms("alltoall").get("direct").build(4, 1000), (0, 0, 1, 1), links).is_lossy
    False
    """
    crossing = Crossing.of(schedule, groups)
    size = m * schedule.bytes
    gap = np.where(crossing.far, links.between.gap_at(size), links.inside.gap_at(size))
    latency = np.where(crossing.far, links.between.latency_at(size), links.inside.latency_at(size))
    latency[crossing.sends] += links.later.ravel()[crossing.link]
    answer = np.zeros(size.shape)
    if is_answered:
        answer[crossing.sends] = np.maximum(latency[crossing.sends], 0.0)
    waits = np.zeros(crossing.sends.size)
    done: Floats = np.empty(0)
    for _ in range(MOST_PASSES):
        delayed = latency + answer
        delayed[crossing.sends] += waits
        done = schedule.order.finish_times(
            gap=gap[None], latency=np.maximum(delayed, 0.0)[None]
        ).reshape(size.shape)
        before, waits = waits, _waits(done, gap, size, crossing, links)
        if np.abs(waits - before).max(initial=0.0) <= CLOSE * done.max(initial=0.0):
            break
    ends = done.copy()
    ends[schedule.partner[crossing.sends]] -= answer[crossing.sends]
    waiting = waits * links.bandwidth.ravel()[crossing.link]
    fill = waiting / links.buffer.ravel()[crossing.link]
    fullest = int(np.argmax(fill)) if fill.size else 0
    timeout = float(links.timeout.ravel()[crossing.link][fullest]) if fill.size else 0.0
    most = float(fill.max(initial=0.0))
    return Predicted(
        float(ends.max(initial=0.0)) + timeout * (most > 1.0),
        float(waiting.max(initial=0.0)),
        most,
        timeout,
    )


def _waits(done: Floats, gap: Floats, size: Ints, crossing: Crossing, links: Links) -> Floats:
    """Seconds that each message between groups waits at its link."""
    end = done[crossing.sends]
    start, service = (
        end - gap[crossing.sends],
        size[crossing.sends] / links.bandwidth.ravel()[crossing.link],
    )
    order = np.lexsort((end, start, crossing.link))
    found = np.zeros(end.size)
    bounds = np.flatnonzero(np.diff(crossing.link[order], prepend=-1, append=-1))
    for first, last in itertools.pairwise(bounds):
        own = order[first:last]
        total = np.cumsum(service[own])
        leaves = total + np.maximum.accumulate(start[own] - total + service[own])
        found[own] = np.maximum(leaves - end[own], 0.0)
    return found
