"""Hosts and links of a SimGrid platform as they are read.

Idea: links and hosts that are alike are added together, so that a cluster of a million hosts is a
few long arrays; names of links are made where somebody asks for them.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from contend.base.errors import InvalidInputError
from contend.simulate.topologies.paths import LinkTable
from contend.simulate.topologies.simgrid.zones import Zone

MOST_HOSTS = 2**20  # a name and a place in tables each, together some 200 bytes
Names = Callable[[], Iterable[str]]  # made where somebody asks for them
WAYS = {"SHARED": ("NONE",), "FATPIPE": ("NONE",), "SPLITDUPLEX": ("UP", "DOWN")}


class Platform:
    def __init__(self) -> None:
        self.hosts: list[str] = []
        self.number_of: dict[str, int] = {}  # of a host
        self.zone_of: dict[str, Zone] = {}
        self._by_name: dict[str, tuple[int, int]] = {}  # number upwards and downwards
        self._unnamed: list[tuple[int, Names, int]] = []  # first link, names, ways: not there yet
        self._names: list[Names] = []
        self._tables: list[LinkTable] = []
        self._links = 0
        self._ends: dict[int, set[str]] = {}  # hosts at an end of every route over a link

    def add_hosts(self, names: Sequence[str], zone: Zone) -> None:
        if len(self.hosts) + len(names) > MOST_HOSTS:
            raise InvalidInputError(f"there are more than {MOST_HOSTS} hosts", "name a smaller one")
        places = dict(zip(names, range(len(self.hosts), MOST_HOSTS), strict=False))
        if len(places) < len(names) or not self.zone_of.keys().isdisjoint(places):
            counts = Counter([*(self.zone_of.keys() & places), *names])
            twice = counts.most_common(1)[0][0]
            raise InvalidInputError(f"two elements have the id {twice!r}", "rename one")
        self.number_of.update(places)
        self.zone_of.update(dict.fromkeys(places, zone))
        self.hosts += names

    def add_point(self, name: str, zone: Zone, inner: Zone | None = None) -> None:
        if name in self.zone_of:
            raise InvalidInputError(f"two elements have the id {name!r}", "rename one")
        self.zone_of[name] = zone
        zone.members[name] = inner

    def add_link(self, name: str, rate: float, latency: float, policy: str) -> tuple[int, int]:
        """One link, or one for each direction; its number upwards and downwards."""
        if name in self._by_name:
            raise InvalidInputError(f"two links have the id {name!r}", "rename one")
        first = self.add_links(lambda: [name], rate, latency, policy, count=1)
        self._by_name[name] = (first, first + len(WAYS[policy]) - 1)
        return self._by_name[name]

    def add_links(
        self, names: Names, rate: float | np.ndarray, latency: float,
        policy: str, count: int, host_links: int = 0,
    ) -> int:  # fmt: skip
        """Links that are alike, those of both directions side by side; the number of the first.

        The first `host_links` of them belong to a host each.
        """
        first, ways = self._links, WAYS[policy]
        size = count * len(ways)
        self._tables.append(LinkTable(
            np.repeat(np.broadcast_to(rate, count), len(ways)).astype(float),
            np.full(size, latency),
            np.arange(size) < host_links * len(ways),
            np.full(size, policy == "FATPIPE"),
        ))  # fmt: skip
        self._unnamed.append((first, names, len(ways)))
        self._names.append(
            names if len(ways) == 1
            else lambda: (f"{name}:{way}" for name in names() for way in ways)
        )  # fmt: skip
        self._links += size
        return first

    def link(self, name: str) -> tuple[int, int]:
        """Number of a link upwards and downwards; NAME_UP and NAME_DOWN are those of one."""
        for text, pick in ((name, (0, 1)), (name.removesuffix("_UP"), (0, 0)),
                           (name.removesuffix("_DOWN"), (1, 1))):  # fmt: skip
            numbers = self._by_name.get(text) or self._named().get(text)
            if numbers is not None and (text == name or numbers[0] != numbers[1]):
                return numbers[pick[0]], numbers[pick[1]]
        raise InvalidInputError(
            f"a route passes the link {name!r}, which there is not", "define it above the route"
        )

    def _named(self) -> dict[str, tuple[int, int]]:
        """Put the names of all links into the table, which takes long where they are many."""
        while self._unnamed:
            first, names, ways = self._unnamed.pop()
            for place, name in enumerate(names()):
                at = first + place * ways
                self._by_name.setdefault(name, (at, at + ways - 1))
        return self._by_name

    def note_ends(self, numbers: Sequence[int], src: str, dst: str) -> None:
        """Keep the hosts that are an end of every route over these links."""
        ends = {end for end in (src, dst) if end in self.number_of}
        for number in numbers:
            self._ends[number] = self._ends.get(number, ends) & ends

    def links(self) -> LinkTable:

        def joined(name: str) -> np.ndarray:
            return np.concatenate([getattr(table, name) for table in self._tables] or [np.empty(0)])

        is_of_host = joined("is_of_host")
        for number, ends in self._ends.items():
            is_of_host[number] = len(ends) == 1
        return LinkTable(
            joined("bandwidth"), joined("latency"), is_of_host, joined("is_unshared"),
            names=self.link_names,
        )  # fmt: skip

    def link_names(self) -> list[str]:
        return [name for names in self._names for name in names()]
