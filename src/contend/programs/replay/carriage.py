"""What carries the messages of a replay: hosts, their links, and how messages share them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from contend.base.errors import InvalidInputError
from contend.base.near_names import choose_from
from contend.programs.replay.message_times import HEADERS, SEGMENT
from contend.schedules.ragged_rows import Ints
from contend.simulate.flows import models as sharing_models
from contend.simulate.flows.flow_routes import carried_by
from contend.simulate.flows.flows import Flows
from contend.simulate.flows.models import ALONE, PORTS, TCP, carriage_names
from contend.simulate.topologies.kinds.switch import OneSwitch
from contend.simulate.topologies.paths import Link, Paths
from contend.simulate.topologies.topology import LINUX_TCP, Topology

_CARRIAGES = {ALONE: 0, PORTS: 1, TCP: 3}
_SHARED = 2
# Bytes of a segment and of its headers, segments of the first window; in the core those of a
# topology's `tcp` follow.
_TCP = (SEGMENT, HEADERS, 10)


@dataclass(frozen=True, eq=False)
class Carriage:
    """Where ranks are, and what is between their hosts; `bandwidth` is that of a host."""

    hosts: int
    host: Ints  # (ranks,)
    bandwidth: float
    topology: Topology | None = None  # None: one switch

    @property
    def has_buffers(self) -> bool:
        """Whether links drop what does not fit before them, as those under TCP do."""
        return self.topology is not None and bool(np.isfinite(self.topology.buffer()).any())

    def table(
        self,
        model: str,
        parameters: Mapping[str, float] | None,
        half_handshake: float,
        pairs: Ints,
    ) -> dict[str, object]:
        """As the core takes it; `pairs` are src * hosts + dst that have messages, ascending."""
        if model not in carriage_names():
            raise InvalidInputError(
                f"messages cannot share a network by {model!r}",
                choose_from(model, carriage_names()),
            )
        columns: dict[str, object] = {
            "carriage": _CARRIAGES.get(model, _SHARED),
            "hosts": max(self.hosts, 2),  # a model knows two hosts at least
            "host": self.host.astype(np.int32),
            "half_handshake": half_handshake,
            "model": model,
            "parameters": np.zeros(0),
            "buffer": np.zeros(0),
            "pair_delay": np.zeros(0),
        }
        if model == TCP:
            hosts = LINUX_TCP if self.topology is None else self.topology.tcp()
            values = [*_TCP, *(hosts[name] for name in LINUX_TCP)]
            columns["parameters"] = np.array(values, dtype=np.float64)
            return columns | self._ways(pairs)
        if model not in _CARRIAGES:
            values = sharing_models.parameters(sharing_models.get(model), parameters)
            columns["parameters"] = np.array(values, dtype=np.float64)
        return columns | self._routes(model, pairs)

    def _ways(self, pairs: Ints) -> dict[str, NDArray[np.generic]]:
        """For TCP: those of answers too; latencies are of frames, and not of messages."""
        hosts = max(self.hosts, 2)
        both = np.unique(np.concatenate([pairs, pairs % hosts * hosts + pairs // hosts]))
        network = (
            self
            if self.topology is not None
            else replace(self, topology=_star(hosts, self.bandwidth))
        )
        routes = network._routes(TCP, both)
        topology = network.topology
        if topology is None or (both.size and not np.asarray(routes["capacity"]).size):
            raise InvalidInputError(
                "TCP knows no such switch", "give a --topology file of links with buffers"
            )
        capacity = np.asarray(routes["capacity"])
        buffer = np.full(capacity.size, np.inf)
        buffers = topology.buffer()
        buffer[: buffers.size] = buffers
        delay = np.asarray(routes["pair_latency"])
        return routes | {
            "pair_latency": np.zeros(0),
            "pair_delay": delay if delay.size else np.zeros(both.size),
            "buffer": buffer,
            "capacity": capacity * self.bandwidth,
        }

    def _routes(self, model: str, pairs: Ints) -> dict[str, NDArray[np.generic]]:
        nothing: dict[str, NDArray[np.generic]] = {
            "pairs": np.zeros(0, dtype=np.int64),
            "pair_offsets": np.zeros(0, dtype=np.int64),
            "pair_links": np.zeros(0, dtype=np.int32),
            "pair_latency": np.zeros(0),
            "capacity": np.zeros(0),
        }
        if self.topology is None or isinstance(self.topology, OneSwitch) or not pairs.size:
            return nothing
        hosts = max(self.hosts, 2)
        src, dst = np.divmod(pairs, hosts)
        flows = Flows(
            hosts=hosts,
            src=src.astype(np.int32),
            dst=dst.astype(np.int32),
            bytes=np.ones(pairs.size),  # so that an adaptive routing spreads pairs
            start=np.zeros(pairs.size),
            latency=np.zeros(0),
        )
        carried = carried_by(self.topology, flows)
        if model not in _CARRIAGES and not sharing_models.get(model).has_routes:
            carried = carried.between_switches(self.bandwidth)
        carried = carried.with_own_links()
        return {
            "pairs": pairs.astype(np.int64),
            "pair_offsets": np.ascontiguousarray(carried.routes.offsets, dtype=np.int64),
            "pair_links": np.ascontiguousarray(carried.routes.links, dtype=np.int32),
            "pair_latency": np.ascontiguousarray(carried.latency, dtype=np.float64),
            "capacity": np.ascontiguousarray(carried.capacity / self.bandwidth, dtype=np.float64),
        }


def _star(hosts: int, bandwidth: float) -> Topology:
    """One switch, as links: a port out and a port in for each host."""
    names = [str(host) for host in range(hosts)]
    links = [Link(f"{name}{way}", bandwidth, is_of_host=True) for name in names for way in "+-"]
    return Paths(names, links, lambda src, dst: [2 * src, 2 * dst + 1])


def place_ranks(ranks: int, hosts: int | None = None, map: Sequence[int] | str = "block") -> Ints:
    """The host of each rank, (ranks,).

    `map` is a host per rank, or "block" (ranks 0, 1, ... on host 0) or "cyclic" (rank r on host
    r modulo hosts); without `hosts` every rank has a host of its own.

    >>> place_ranks(4, 2, "cyclic").tolist()
    [0, 1, 0, 1]
    """
    count = ranks if hosts is None else hosts
    if isinstance(map, str):
        if map not in ("block", "cyclic"):
            raise InvalidInputError(
                f"a map {map!r}", "give block, cyclic or a host per rank: 0,0,1,1"
            )
        number = np.arange(ranks, dtype=np.int64)
        return number % count if map == "cyclic" else number // max(-(-ranks // count), 1)
    host = np.asarray(map, dtype=np.int64)
    if host.shape != (ranks,):
        raise InvalidInputError(f"{host.size} hosts for {ranks} ranks", "give one for each rank")
    if host.size and not 0 <= host.min() <= host.max() < (count if hosts else host.max() + 1):
        raise InvalidInputError("a rank is on a host that is not there", "number hosts from 0")
    return host
