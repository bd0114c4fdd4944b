"""When a schedule ends whose messages between groups share links, and whether one is lost.

Source: pLogP per level (`schedules.levels`); a link as a queue: Lindley 1952, see schedule.hpp.
Idea: a message enters its link when its sender begins it, and leaves it when the link has carried
all that came before. What it waits there makes its latency longer, which makes others later. The
most that ever waits at a link is what its buffer has to hold; where it is more than that, a message
is lost, and a time-out is added once. With a window a rank has at most so many messages between
groups that are not answered: where it has more than that, its sends are synchronous, and end when
the receiver has acknowledged.
Restrictions: first come, first served. Real ranks do not keep step as those of a schedule do, so
that more may wait than is found.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from contend.alltoall.plan.links import Links
from contend.base.document import Floats
from contend.schedules.groups import Groups, Layout
from contend.schedules.ragged_rows import Ints, ints
from contend.schedules.schedule import Schedule
from contend.schedules.timing.levels import crosses

# Of what is spaced, as in mpi/interpose/exchange/schedule/spacing.c: more than the link's time, and
# bytes that come with a message, with each packet, and in a packet.
SLACK, ENVELOPE, HEADERS, PACKET = 1.03, 50.0, 100.0, 1448.0
WIRE = 1.0 + HEADERS / PACKET  # bytes that a link carries for each of a long message


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
    """The messages of a schedule that go between groups, and the operations that they are of."""

    sends: Ints
    source: Ints  # group of each send
    destination: Ints
    far: NDArray[np.bool_]  # (n_ops,) both ends

    @classmethod
    def of(cls, schedule: Schedule, groups: Groups) -> "Crossing":
        """Those of ranks in groups."""
        far, group = crosses(schedule, groups), Layout(groups).group
        sends = ints(np.flatnonzero(schedule.is_send & far))
        return cls(sends, group[schedule.rank[sends]], group[schedule.peer[sends]], far)

    @property
    def link(self) -> Ints:
        """Link of each send, numbered from 0 without a gap."""
        count = int(self.source.max(initial=0)) + int(self.destination.max(initial=0)) + 1
        return ints(np.unique(self.source * count + self.destination, return_inverse=True)[1])

    def awaited(self, schedule: Schedule, window: int | None) -> Ints:
        """The send that has to be answered before each operation, -1 for none; (n_ops,)."""
        before = np.full(schedule.kind.size, -1)
        if window is not None:
            later, earlier = self.sends[window:], self.sends[:-window]
            same = schedule.rank[later] == schedule.rank[earlier]
            before[later[same]] = earlier[same]
        return ints(before)

    def answered(self, schedule: Schedule, window: int) -> NDArray[np.bool_]:
        """Sends of ranks that have more of them than the window; (n_sends,)."""
        rank = schedule.rank[self.sends]
        return np.asarray(np.bincount(rank)[rank] > window)

    def local(self, schedule: Schedule, gap: Floats) -> Floats:
        """Seconds of what the rank of each send sends before the next one; (n_sends,)."""
        begun = np.cumsum(gap * (schedule.is_send & ~self.far))
        last = np.searchsorted(schedule.rank, schedule.rank[self.sends], side="right") - 1
        following = np.append(self.sends[1:], last[-1:])
        is_same = schedule.rank[following] == schedule.rank[self.sends]
        return begun[np.where(is_same, following, last)] - begun[self.sends]


def on_link(size: ArrayLike) -> Floats:
    """Bytes that messages of a size are taken for where they are spaced, with their headers.

    >>> on_link([64, 1448, 8192]).tolist()
    [214.0, 1598.0, 8842.0]
    """
    return np.asarray(np.asarray(size) + ENVELOPE + HEADERS * np.ceil(np.asarray(size) / PACKET))


def predict(
    schedule: Schedule,
    groups: Groups,
    links: Links,
    m: int = 1,
    *,
    window: int | None = None,
    is_spaced: bool = False,
) -> Predicted:
    """Time of a schedule whose bytes are `m` times those that it says.

    `window`: messages between groups that a rank may have unanswered; None: any, and none is
    answered, as at ranks that have no more than that. `is_spaced`: a rank sends no faster to
    another group than the link carries what all ranks of its group send; what it sends inside goes
    in between.

    >>> import numpy as np
    >>> from contend.schedules import algorithms
    >>> from contend.schedules.timing.timeline import fast_ethernet
    >>> table = np.full((2, 2), 1e6)
    >>> links = Links(fast_ethernet(), fast_ethernet(), table * 0, table, table, table)
    >>> predict(algorithms("alltoall").get("direct").build(4, 1000), (0, 0, 1, 1), links).is_lossy
    False
    """
    crossing, size = Crossing.of(schedule, groups), m * schedule.bytes
    sends, way = crossing.sends, (crossing.source, crossing.destination)
    gap = np.where(crossing.far, links.between.gap_at(size), links.inside.gap_at(size))
    latency = np.where(crossing.far, links.between.latency_at(size), links.inside.latency_at(size))
    latency[sends] += links.later[way]
    latency = np.maximum(latency, 0.0)
    link = np.full(size.shape, -1)
    link[sends] = crossing.link
    service, answer = np.zeros(size.shape), np.zeros(size.shape)
    service[sends] = size[sends] / links.bandwidth[way]
    if is_spaced:
        layout = Layout(groups)
        shared = layout.size[crossing.source] / (layout.size.size - 1)
        spacing = SLACK * shared * on_link(size[sends]) / (WIRE * links.bandwidth[way])
        gap[sends] = np.maximum(gap[sends], spacing - crossing.local(schedule, gap))
    if window is not None:
        back = np.maximum(links.one_way[way[::-1]], 0.0)
        answer[sends] = np.where(crossing.answered(schedule, window), back, 0.0)
    done, waits = schedule.order.queued(
        gap=gap, latency=latency, link=link, service=service,
        awaited=crossing.awaited(schedule, window), answer=answer,
    )  # fmt: skip
    end = max(
        float(done.max(initial=0.0)),
        float((done + waits + latency + answer)[answer > 0].max(initial=0.0)),
    )
    waiting = waits[sends] * links.bandwidth[way]
    fill = waiting / links.buffer[way]
    most = float(fill.max(initial=0.0))
    timeout = float(links.timeout[way][np.argmax(fill)]) if fill.size else 0.0
    return Predicted(end + timeout * (most > 1.0), float(waiting.max(initial=0.0)), most, timeout)
