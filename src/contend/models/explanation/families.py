"""Families of all-to-all algorithms: what a process sends by each, counted in the catalogue.

Idea: times tell algorithms apart by how start-ups and bytes grow with n. The catalogue's algorithms
fall into families of equal counts: a message of m bytes for each other process, or fewer messages
of many blocks, which are passed on. Closed forms count at any n: of a network on which a message
costs 1, or as many as it has bytes.
Restrictions: algorithms that look at groups of hosts are left out; their counts depend on these.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np

from contend.base.document import Floats, Quantity
from contend.schedules import Schedule, algorithms
from contend.schedules.pointtopoint import PLogP

_AT = (8, 16, 32)  # n that all serve, at which the members of a family send the same


@dataclass(frozen=True)
class Family:
    """Algorithms by name, all of which send as many messages and bytes as the first."""

    members: tuple[str, ...]
    is_direct: bool

    @property
    def title(self) -> str:
        return "direct or pairwise exchange" if self.is_direct else "store-and-forward (Bruck)"

    def sent(self, counts: Floats) -> tuple[Floats, Floats]:
        """Messages of a process, and bytes of it per byte of m, at each n; shape (n_counts,)."""
        if self.is_direct:
            return counts - 1.0, counts - 1.0
        counted = np.array([_count(self.members[0], int(n)) for n in counts])
        return counted[:, 0], counted[:, 1]


@cache
def families() -> tuple[Family, ...]:
    """All of the catalogue, the direct one first.

    >>> [family.title for family in families()]
    ['direct or pairwise exchange', 'store-and-forward (Bruck)']
    """
    catalogue = algorithms("alltoall")
    counted: dict[tuple[tuple[float, float], ...], list[str]] = {}
    for name in catalogue.names():
        if not catalogue.get(name).needs_groups:
            counted.setdefault(tuple(_sent(name, n) for n in _AT), []).append(name)
    direct = tuple((n - 1, n - 1) for n in _AT)
    grouped = (Family(tuple(names), sent == direct) for sent, names in counted.items())
    return tuple(sorted(grouped, key=lambda family: (not family.is_direct, family.members)))


@cache
def _counting() -> tuple[PLogP, PLogP]:
    """Networks on which a message costs 1, and on which it costs its bytes."""
    sizes, none = Quantity(value=(0.0, 1.0), unit="B"), Quantity(value=0.0, unit="s")

    def net(*gap: float) -> PLogP:
        table = Quantity(value=gap, unit="s")
        return PLogP(latency=none, size=sizes, gap=table, method="schedules")

    return net(1.0, 1.0), net(0.0, 1.0)


@cache
def _count(name: str, n: int) -> tuple[float, float]:
    """Messages of a process and bytes per byte of m by the closed form of an algorithm."""
    entry = algorithms("alltoall").get(name)
    messages, volume = (float(entry.seconds(net, n, 1)) for net in _counting())
    return messages, volume


@cache
def _sent(name: str, n: int) -> tuple[float, float]:
    """Messages and bytes of the rank that sends most, m of one byte, by its schedule."""
    schedule: Schedule = algorithms("alltoall").get(name).build(n, 1, with_blocks=False)
    rank, size = schedule.rank[schedule.is_send], schedule.bytes[schedule.is_send]
    return float(np.bincount(rank).max()), float(np.bincount(rank, weights=size).max())
