"""Any graph of hosts and switches joined by links.

Idea: a link joins two ends, each a host or a switch; it has its bandwidth in either direction,
unless it is declared one-way. Where no route is given, a message takes a path of fewest links,
of these the one that networkx finds first.
Restrictions: a route that is given holds for its direction alone.
"""

from collections import Counter
from itertools import pairwise
from typing import Annotated

import numpy as np
from pydantic import Field, model_validator

from contend.base.document import Record
from contend.base.errors import InvalidInputError
from contend.simulate.topologies.kind import Bandwidth, Buffer, Latency, Member, Name, TopologyKind
from contend.simulate.topologies.paths import Link, Paths
from contend.simulate.topologies.topology import LINUX_TCP


class JoiningLink(Record):
    name: Name
    ends: tuple[Name, Name] = Field(description="from and to")
    bandwidth: Bandwidth
    latency: Latency = 0.0
    is_one_way: bool = False
    buffer: Buffer | None = None  # of frames that wait before it in a switch; none: no limit

    @property
    def directions(self) -> list[tuple[str, str, str]]:
        a, b = self.ends
        forward = (self.name, a, b)
        return [forward] if self.is_one_way else [forward, (f"{self.name}:back", b, a)]


class GivenRoute(Record):
    """The links from one host to another, in order."""

    ends: tuple[Name, Name] = Field(description="from and to")
    links: tuple[Name, ...] = Field(min_length=1, description="NAME, or NAME:back")


class HostTcp(Record):
    """What hosts' TCP does, where it is not as Linux is by default."""

    minimum_timeout: Annotated[Latency, Field(gt=0)] = LINUX_TCP["minimum_timeout"]
    queue_time: Latency = LINUX_TCP["queue_time"]  # of what a connection paces, in its host


class Graph(Member):
    hosts: tuple[Name, ...] = Field(min_length=1)
    links: tuple[JoiningLink, ...] = Field(min_length=1)
    routes: tuple[GivenRoute, ...] = ()
    tcp: HostTcp = HostTcp()

    @model_validator(mode="after")
    def _is_consistent(self) -> "Graph":
        names = [name for link in self.links for name, _, _ in link.directions]
        for kind, listed in (("host", self.hosts), ("link", names)):
            if len(set(listed)) < len(listed):
                raise ValueError(f"two {kind}s are named {Counter(listed).most_common(1)[0][0]!r}")
        hosts, links = set(self.hosts), set(names)
        for route in self.routes:
            for end in route.ends:
                if end not in hosts:
                    raise ValueError(f"a route ends at {end!r}, which is no host")
            for link in route.links:
                if link not in links:
                    raise ValueError(f"a route names the link {link!r}, which there is not")
        return self

    def topology(self) -> Paths:
        """Links in the order of the file, both directions of each one after the other."""
        import networkx as nx

        hosts = set(self.hosts)
        links: list[Link] = []
        number: dict[str, int] = {}
        network = nx.DiGraph()
        network.add_nodes_from(self.hosts)
        for link in self.links:
            is_of_host = len(hosts.intersection(link.ends)) == 1
            for name, a, b in link.directions:
                number[name] = len(links)
                if not network.has_edge(a, b):
                    network.add_edge(a, b, link=len(links))
                buffer = np.inf if link.buffer is None else link.buffer
                links.append(Link(name, link.bandwidth, link.latency, is_of_host, buffer=buffer))
        given = {route.ends: [number[name] for name in route.links] for route in self.routes}
        trees: dict[str, dict[str, list[str]]] = {}

        def path(src: int, dst: int) -> list[int]:
            ends = (self.hosts[src], self.hosts[dst])
            if ends in given:
                return given[ends]
            if ends[0] not in trees:
                trees[ends[0]] = nx.single_source_shortest_path(network, ends[0])
            nodes = trees[ends[0]].get(ends[1])
            if nodes is None:
                raise InvalidInputError(
                    f"no link leads on from {ends[0]!r} to {ends[1]!r}",
                    "join them, or give a route",
                )
            return [network.edges[edge]["link"] for edge in pairwise(nodes)]

        return Paths(self.hosts, links, path, self.tcp.model_dump())


class GraphKind(TopologyKind):
    name = "graph"
    member = Graph
