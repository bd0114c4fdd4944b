"""Topologies as JSON: one switch, a fat tree of two levels, or any graph of links.

Idea: a link joins two ends, each a host or a switch; it has its bandwidth in either direction,
unless it is said to be one-way. Where no route is given, a message takes a path of fewest links,
of these the one that networkx finds first.
Restrictions: a route that is given holds for its direction alone.
"""

from collections import Counter
from collections.abc import Callable
from itertools import pairwise
from typing import Annotated, ClassVar

from pydantic import BeforeValidator, Field, model_validator

from contend.document import Document, Record
from contend.errors import ContendError, InvalidInputError
from contend.sharing.paths import Link, Paths
from contend.sharing.topology import FatTree, Topology
from contend.units import parse_rate, parse_seconds

Name = Annotated[str, Field(min_length=1)]


def _rate(value: object) -> object:
    return _parsed(value, lambda text: parse_rate(text) / 8)


def _seconds(value: object) -> object:
    return _parsed(value, parse_seconds)


def _parsed(value: object, parse: Callable[[str], float]) -> object:
    if not isinstance(value, str):
        return value
    try:
        return parse(value)
    except ContendError as error:
        raise ValueError(str(error)) from None


Bandwidth = Annotated[
    float,
    BeforeValidator(_rate, json_schema_input_type=float | str),
    Field(gt=0, description="bytes per second, or a text such as 10Gbit/s"),
]
Latency = Annotated[
    float,
    BeforeValidator(_seconds, json_schema_input_type=float | str),
    Field(ge=0, description="seconds, or a text such as 1.5us"),
]


class Switch(Record):
    """One switch with a link from and to each host."""

    hosts: tuple[Name, ...] = Field(min_length=1)
    bandwidth: Bandwidth
    latency: Latency = 0.0


class Tree(Record):
    """Leaf switches of equal size under spine switches."""

    leaves: int = Field(ge=1, le=2**15)
    hosts_per_leaf: int = Field(ge=1, le=2**15)
    spines: int = Field(1, ge=1, le=2**15)
    bandwidth: Bandwidth = Field(description="of the links of hosts")
    oversubscription: float = Field(1.0, gt=0)


class JoiningLink(Record):
    """A link between two hosts or switches."""

    name: Name
    ends: tuple[Name, Name] = Field(description="from and to")
    bandwidth: Bandwidth
    latency: Latency = 0.0
    is_one_way: bool = False

    @property
    def directions(self) -> list[tuple[str, str, str]]:
        """Name, from and to of each direction."""
        a, b = self.ends
        there = (self.name, a, b)
        return [there] if self.is_one_way else [there, (f"{self.name}:back", b, a)]


class GivenRoute(Record):
    """The links from one host to another, in order."""

    ends: tuple[Name, Name] = Field(description="from and to")
    links: tuple[Name, ...] = Field(min_length=1, description="NAME, or NAME:back")


class Graph(Record):
    """Hosts and switches joined by links."""

    hosts: tuple[Name, ...] = Field(min_length=1)
    links: tuple[JoiningLink, ...] = Field(min_length=1)
    routes: tuple[GivenRoute, ...] = ()

    @model_validator(mode="after")
    def _is_consistent(self) -> "Graph":
        names = [name for link in self.links for name, _, _ in link.directions]
        for kind, there in (("host", self.hosts), ("link", names)):
            if len(set(there)) < len(there):
                raise ValueError(f"two {kind}s are named {Counter(there).most_common(1)[0][0]!r}")
        hosts, links = set(self.hosts), set(names)
        for route in self.routes:
            for end in route.ends:
                if end not in hosts:
                    raise ValueError(f"a route ends at {end!r}, which is no host")
            for link in route.links:
                if link not in links:
                    raise ValueError(f"a route names the link {link!r}, which there is not")
        return self


class TopologyFile(Document):
    """A topology: exactly one of its members says which."""

    schema_name: ClassVar[str] = "contend.topology"
    schema_version: ClassVar[int] = 1

    switch: Switch | None = None
    fat_tree: Tree | None = None
    graph: Graph | None = None

    @model_validator(mode="after")
    def _is_one(self) -> "TopologyFile":
        if sum(part is not None for part in (self.switch, self.fat_tree, self.graph)) != 1:
            raise ValueError("give one of switch, fat_tree and graph")
        return self

    def topology(self) -> Topology:
        """What it describes."""
        if self.switch is not None:
            return one_switch(self.switch)
        if self.fat_tree is not None:
            return FatTree(**self.fat_tree.model_dump())
        assert self.graph is not None  # one of the three is there
        return joined(self.graph)


def one_switch(switch: Switch) -> Paths:
    """A link out of each host and one into it."""
    count = len(switch.hosts)
    if len(set(switch.hosts)) < count:
        raise InvalidInputError("two hosts of the switch have one name", "rename one")
    links = [
        Link(f"{host}:{way}", switch.bandwidth, switch.latency, is_of_host=True)
        for way in ("out", "in")
        for host in switch.hosts
    ]
    return Paths(switch.hosts, links, lambda src, dst: (src, count + dst))


def joined(graph: Graph) -> Paths:
    """Links in the order of the file, both directions of each one after the other."""
    import networkx as nx

    hosts = set(graph.hosts)
    links: list[Link] = []
    number: dict[str, int] = {}
    network = nx.DiGraph()
    network.add_nodes_from(graph.hosts)
    for link in graph.links:
        is_of_host = len(hosts.intersection(link.ends)) == 1
        for name, a, b in link.directions:
            number[name] = len(links)
            if not network.has_edge(a, b):
                network.add_edge(a, b, link=len(links))
            links.append(Link(name, link.bandwidth, link.latency, is_of_host))
    given = {route.ends: [number[name] for name in route.links] for route in graph.routes}
    trees: dict[str, dict[str, list[str]]] = {}

    def path(src: int, dst: int) -> list[int]:
        ends = (graph.hosts[src], graph.hosts[dst])
        if ends in given:
            return given[ends]
        if ends[0] not in trees:
            trees[ends[0]] = nx.single_source_shortest_path(network, ends[0])
        nodes = trees[ends[0]].get(ends[1])
        if nodes is None:
            raise InvalidInputError(
                f"no link leads on from {ends[0]!r} to {ends[1]!r}", "join them, or give a route"
            )
        return [network.edges[edge]["link"] for edge in pairwise(nodes)]

    return Paths(graph.hosts, links, path)
