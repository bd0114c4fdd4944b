"""Blocks of an all-to-all that travel by way of others: out of a group, and into another.

Idea: the block from i to j goes to the rank of i's group that carries it out, from there to the
rank of j's group that takes it in, and on to j; a step in which it stays where it is falls away.
Blocks that go between the same two ranks in the same phase travel as one message. In the phases
inside the groups rank r sends to the positions r + 1, r + 2, ...; the turns between groups are
those of the algorithm. A rank sends, and receives, at most one message per step.
Cost: the sum over the steps of g of their longest message, and for each phase the L of its longest:
a step is over when the longest message of it would be, had all ranks waited for it. So this is at
most too much; it is the time itself where all ranks send as much in each step.
"""

from dataclasses import dataclass

import numpy as np

from contend.base.document import Floats
from contend.schedules.groups import Layout
from contend.schedules.messages import Listed, Messages
from contend.schedules.pointtopoint import PLogP
from contend.schedules.ragged_rows import Ints, ints, offsets_of


@dataclass(frozen=True)
class Route:
    """Way of the block from i to j, arrays (n, n); inside a group both ranks are j."""

    leaves: Ints  # the rank of i's group that sends it out
    enters: Ints  # the rank of j's group that takes it in
    turn: Ints  # of the message between the groups; a function of the ranks that it goes between

    @classmethod
    def through(cls, layout: Layout, leaves: Ints, enters: Ints, turn: Ints) -> "Route":
        """By way of those at these positions of the group of i and of that of j."""
        dst, is_inside = np.arange(layout.n), layout.distance == 0
        first = np.where(is_inside, dst, layout.rank_at(layout.group[:, None], leaves))
        last = np.where(is_inside, dst, layout.rank_at(layout.group, enters))
        return cls(ints(first), ints(last), turn)


@dataclass(frozen=True)
class Relay:
    """Messages (n_messages,) in the order of their steps, with the blocks of each as rows."""

    n: int
    src: Ints
    dst: Ints
    step: Ints
    phase: Ints  # 0: in the group of the source; 1: between groups; 2: in that of the destination
    begin: Ints  # (3,) first step of each phase
    offsets: Ints
    blocks: Ints

    @property
    def starts(self) -> Ints:
        """The first message of each step that has any, (steps,)."""
        return ints(np.flatnonzero(np.diff(self.step, prepend=-1)))

    def messages(self, block_bytes: Ints) -> Messages:
        """Each phase waits for what came in those before."""
        return Messages(
            ranks=self.n,
            src=self.src,
            dst=self.dst,
            step=self.step,
            carries=Listed(self.offsets, self.blocks),
            block_bytes=block_bytes,
            after=self.begin[self.phase] - 1,
        )

    def profile(self) -> "Profile":
        """The longest message of each step where all blocks are as large."""
        largest = np.zeros(0, dtype=np.int64)
        if self.src.size:
            largest = ints(np.maximum.reduceat(np.diff(self.offsets), self.starts))
        return Profile(largest, self.phase[self.starts])

    def steps(self, sizes: Ints) -> Floats:
        """Bytes of the longest message of each step, for `sizes` (..., n, n); (steps, ...)."""
        flat = sizes.reshape(*sizes.shape[:-2], -1)[..., self.blocks]
        each = np.add.reduceat(flat, self.offsets[:-1], axis=-1)
        return np.moveaxis(np.maximum.reduceat(each, self.starts, axis=-1), -1, 0)


@dataclass(frozen=True)
class Profile:
    """Hold the blocks of the longest message of each step (steps,), and its phase."""

    blocks: Ints
    phase: Ints

    def of_phase(self, *phases: int) -> Ints:
        """The blocks of the steps of some phases."""
        return self.blocks[np.isin(self.phase, phases)]


def relay(layout: Layout, route: Route) -> Relay:
    n = layout.n
    pair = np.arange(n * n)
    stops = np.stack([pair // n, route.leaves.ravel(), route.enters.ravel(), pair % n])
    phase, block = np.nonzero(stops[1:] != stops[:-1])
    src, dst = stops[phase, block], stops[phase + 1, block]
    inside = layout.position[dst] - layout.position[src]
    turn = np.where(
        phase == 1, route.turn.ravel()[block], inside % layout.size[layout.group[src]] - 1
    )
    turns = np.zeros(3, dtype=np.int64)
    np.maximum.at(turns, phase, turn + 1)
    begin = ints(np.cumsum(turns) - turns)
    key = ((begin[phase] + turn) * n + src) * n + dst
    distinct, first, which = np.unique(key, return_index=True, return_inverse=True)
    return Relay(
        n=n,
        src=src[first],
        dst=dst[first],
        step=ints(distinct // (n * n)),
        phase=phase[first],
        begin=begin,
        offsets=offsets_of(np.bincount(which, minlength=distinct.size)),
        blocks=ints(block[np.argsort(which, kind="stable")]),
    )


def stepwise(net: PLogP, sizes: Floats, phase: Ints) -> Floats:
    """The closed form for the bytes of the longest message of each step, (steps, ...)."""
    if not len(sizes):
        return np.zeros(np.shape(sizes)[1:])
    starts = np.flatnonzero(np.diff(phase, prepend=-1))
    longest = np.maximum.reduceat(sizes, starts, axis=0)
    return np.asarray(net.gap_at(sizes).sum(axis=0) + net.latency_at(longest).sum(axis=0))
