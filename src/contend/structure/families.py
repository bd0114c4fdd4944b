"""Families of all-to-all algorithms: what a process sends by each, counted in the catalogue.

Idea: times tell algorithms apart by how start-ups and bytes grow with n. The catalogue's algorithms
fall into families of equal counts: a message of m bytes for each other process, or fewer messages
of many blocks, which are passed on. Closed forms count at any n: of a network on which a message
costs 1, or as many as it has bytes.
Restrictions: algorithms that look at groups of hosts are left out; their counts depend on these.
"""

from dataclasses import dataclass, replace
from functools import cache
from typing import Literal, get_args

import numpy as np

from contend.document import Floats, Quantity
from contend.pointtopoint import PLogP
from contend.schedules import Schedule, algorithms

_TOLD_BY = (8, 16, 32)  # n that all serve, at which the members of a family send the same
Counted = Literal["schedule", "rounds", "logarithm"]


@dataclass(frozen=True)
class Family:
    """Algorithms by name, all of which send as many messages and bytes as the first."""

    members: tuple[str, ...]
    is_direct: bool
    counted: Counted = "schedule"

    @property
    def title(self) -> str:
        """In words of the literature."""
        return "direct or pairwise exchange" if self.is_direct else "store-and-forward (Bruck)"

    @property
    def variants(self) -> "tuple[Family, ...]":
        """As its schedule counts, and as textbooks do: half of all blocks in each round.

        The latter holds where a library pads its messages, and for powers of two is the former.
        """
        if self.is_direct:
            return (self,)
        return tuple(replace(self, counted=way) for way in get_args(Counted))

    def sent(self, counts: Floats) -> tuple[Floats, Floats]:
        """Messages of a process, and bytes of it per byte of m, at each n; shape (n_counts,)."""
        if self.is_direct:
            return counts - 1.0, counts - 1.0
        if self.counted != "schedule":
            rounds = np.log2(counts) if self.counted == "logarithm" else np.ceil(np.log2(counts))
            return rounds, rounds * counts / 2
        entry = algorithms("alltoall").get(self.members[0])
        found = np.array([[entry.seconds(net, int(n), 1) for net in _counting()] for n in counts])
        return found[:, 0], found[:, 1]


@cache
def families() -> tuple[Family, ...]:
    """All of the catalogue, the direct one first.

    >>> [family.title for family in families()]
    ['direct or pairwise exchange', 'store-and-forward (Bruck)']
    """
    known = algorithms("alltoall")
    counted: dict[tuple[tuple[float, float], ...], list[str]] = {}
    for name in known.names():
        if not known.get(name).needs_groups:
            counted.setdefault(tuple(_sent(name, n) for n in _TOLD_BY), []).append(name)
    found = [
        Family(
            tuple(names),
            all(pair == (n - 1, n - 1) for pair, n in zip(sent, _TOLD_BY, strict=True)),
        )
        for sent, names in counted.items()
    ]
    return tuple(sorted(found, key=lambda family: (not family.is_direct, family.members)))


@cache
def _counting() -> tuple[PLogP, PLogP]:
    """Networks on which a message costs 1, and on which it costs its bytes."""
    sizes, none = Quantity(value=(0.0, 1.0), unit="B"), Quantity(value=0.0, unit="s")

    def net(*gap: float) -> PLogP:
        table = Quantity(value=gap, unit="s")
        return PLogP(latency=none, size=sizes, gap=table, method="schedules")

    return net(1.0, 1.0), net(0.0, 1.0)


@cache
def _sent(name: str, n: int) -> tuple[float, float]:
    """Messages and bytes of the rank that sends most, m of one byte, by its schedule."""
    schedule: Schedule = algorithms("alltoall").get(name).build(n, 1, with_blocks=False)
    rank, size = schedule.rank[schedule.is_send], schedule.bytes[schedule.is_send]
    return float(np.bincount(rank).max()), float(np.bincount(rank, weights=size).max())
