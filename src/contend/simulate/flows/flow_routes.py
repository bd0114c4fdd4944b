"""What carries the flows of one run: capacities, the route and the latency of each flow.

Idea: a link that every flow gets in full is one link per flow. A model of penalties knows what
happens at the links of hosts; it is given those between switches alone, and those of hosts that are
slower than the bandwidth it holds for.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from contend.base.errors import InvalidInputError
from contend.simulate.flows.flows import Flows
from contend.simulate.flows.models import SharingModel
from contend.simulate.topologies.topology import Routes, Topology, listed

SOME = 1 << 18  # flows whose links are looked at together


@dataclass(frozen=True, eq=False)
class Carried:
    """Routes over links (n_links,) of a capacity; the latency of each flow, or empty."""

    capacity: np.ndarray
    routes: Routes
    latency: np.ndarray
    is_of_host: np.ndarray
    is_unshared: np.ndarray

    def alone(self, bandwidth: float) -> np.ndarray:
        """Rate of each flow without any other, or of all."""
        if not self.routes.links.size:
            return np.array(bandwidth)
        return _along(np.minimum, self.capacity, self.routes)

    def between_switches(self, bandwidth: float) -> "Carried":
        """The same without the links of hosts that have the bandwidth; routes may be empty."""
        is_left = ~(self.is_of_host & (self.capacity >= bandwidth * (1 - 1e-9)))
        is_kept = is_left[self.routes.links]
        before = np.concatenate([[0], np.cumsum(is_kept)])
        routes = Routes(before[self.routes.offsets], self.routes.links[is_kept])
        return replace(self, routes=routes)

    def with_own_links(self) -> "Carried":
        """The same with a link of its own for each flow over a link that is not shared."""
        if not self.is_unshared.any():
            return self
        is_own = self.is_unshared[self.routes.links]
        if not is_own.any():
            return self
        links = self.routes.links.copy()
        capacity = np.concatenate([self.capacity, self.capacity[links[is_own]]])
        links[is_own] = np.arange(len(self.capacity), len(capacity))
        return replace(self, capacity=capacity, routes=Routes(self.routes.offsets, links))


def carried_by(network: Topology, flows: Flows) -> Carried:
    """The flows on a topology, by the routes they name or else those that it has."""
    capacity = network.capacity()
    if flows.route is not None:
        if not capacity.size:
            raise InvalidInputError(
                "the flows have routes, the links no capacity", "give a topology"
            )
        routes = listed(_numbers(flows.route, network))
    else:
        routes = network.carrying(flows.src, flows.dst, flows.bytes, flows.start)
    _check_routes(routes, len(capacity))
    latency, of_links = flows.latency, network.latency()
    if not latency.size and of_links.any() and len(flows):
        latency = _along(np.add, of_links, routes)
    return Carried(capacity, routes, latency, network.of_hosts(), network.unshared())


def _along(combine: np.ufunc, of_link: np.ndarray, routes: Routes) -> np.ndarray:
    flows = len(routes.offsets) - 1
    combined = np.empty(flows)
    for first in range(0, flows, SOME):
        offsets = routes.offsets[first : first + SOME + 1]
        links = routes.links[offsets[0] : offsets[-1]]
        combined[first : first + SOME] = combine.reduceat(of_link[links], offsets[:-1] - offsets[0])
    return combined


def _check_routes(routes: Routes, links: int) -> None:
    lengths = np.diff(routes.offsets)
    if (lengths == 0).any():
        raise InvalidInputError(
            f"flow {int(np.argmin(lengths))}: its route has no link", "give at least one"
        )
    if not routes.links.size or routes.links.max() < links:
        return
    hop = int(np.argmax(routes.links >= links))
    flow = int(np.searchsorted(routes.offsets, hop, side="right")) - 1
    raise InvalidInputError(
        f"flow {flow}: its route names link {routes.links[hop]}, but with {links} links they are "
        f"0 to {links - 1}",
        "name one of these",
    )


def _numbers(
    route: Sequence[Sequence[int | str]], network: Topology
) -> Sequence[Sequence[int | str]]:
    """Routes by the numbers of their links; what is a number already stays."""
    number: dict[int | str, int] = {name: place for place, name in enumerate(network.link_names())}
    numbered: list[Sequence[int | str]] = []
    for links in route:
        is_named = np.ndim(links) == 1 and any(isinstance(link, str) for link in links)
        numbered.append([number.get(link, link) for link in links] if is_named else links)
        if not is_named:
            continue
        if unknown := [link for link in numbered[-1] if isinstance(link, str)]:
            raise InvalidInputError(
                f"a route names the link {unknown[0]!r}",
                f"the links are {', '.join(network.link_names()[:8]) or 'numbers: list them'}",
            )
    return numbered


def usual_bandwidth(network: Topology, model: SharingModel) -> float:
    capacity = network.capacity()
    if model.has_routes and capacity.size:
        return float(np.max(capacity))
    bandwidths = capacity[network.of_hosts()]
    if bandwidths.size and bandwidths.max() <= bandwidths.min() * (1 + 1e-9):
        return float(bandwidths[0])
    problem = (
        "the links of the hosts differ" if bandwidths.size else "no topology gives the bandwidth"
    )
    raise InvalidInputError(problem, "give the bandwidth of a message that is alone")
