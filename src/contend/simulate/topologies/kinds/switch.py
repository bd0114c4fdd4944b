"""One switch: host h sends through link h and receives through link hosts + h."""

from dataclasses import dataclass

import numpy as np
from pydantic import Field

from contend.base.errors import InvalidInputError
from contend.simulate.topologies.kind import Bandwidth, Latency, Member, Name, NamedByWord
from contend.simulate.topologies.paths import Link, Paths
from contend.simulate.topologies.topology import NO_ROUTES, Routes, Topology


@dataclass(frozen=True)
class OneSwitch(Topology):
    """A cluster on one switch: each host has a link in and a link out of the same bandwidth."""

    hosts: int

    def capacity(self) -> np.ndarray:
        """Empty: every link has the bandwidth."""
        return np.empty(0)

    def routes(self, src: np.ndarray, dst: np.ndarray) -> Routes:
        """Empty: out of the source, into the destination."""
        return NO_ROUTES


class Switch(Member):
    """One switch with a link from and to each host."""

    hosts: tuple[Name, ...] = Field(min_length=1)
    bandwidth: Bandwidth
    latency: Latency = 0.0

    def topology(self) -> Paths:
        count = len(self.hosts)
        if len(set(self.hosts)) < count:
            raise InvalidInputError("two hosts of the switch have one name", "rename one")
        links = [
            Link(f"{host}:{way}", self.bandwidth, self.latency, is_of_host=True)
            for way in ("out", "in")
            for host in self.hosts
        ]
        return Paths(self.hosts, links, lambda src, dst: (src, count + dst))


class SwitchKind(NamedByWord):
    """One switch: of the hosts that occur, or of those that a file names."""

    name = "switch"
    member = Switch
    syntax = "switch"

    def of_word(self, word: str, bandwidth: float | None) -> None:
        """None: the hosts are those that occur."""
