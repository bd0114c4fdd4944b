"""What a replay tells of the network: how busy its links were, and who lost time there.

Idea: time has bins; a link's load is what it carried in each, as a share of what it could. A
message that takes longer in the network than alone loses that time at one link of its way: the one
with the most messages for its capacity while it was under way, in equal parts where several have.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from contend import _core
from contend.base.document import Floats
from contend.programs.replay.carriage import Carriage
from contend.schedules.ragged_rows import Ints
from contend.simulate.flows import models as sharing_models
from contend.simulate.topologies.kinds.switch import OneSwitch

BINS = 512
MOST_CELLS = 1 << 22  # of links and bins: 32 MiB
KEPT_MESSAGES = 3000
ROUNDING = 1e-9  # of all that is lost


@dataclass(frozen=True, eq=False)
class Traffic:
    """Links that carried something, (n_links,), and bins of equal width, (n_bins,)."""

    bin: float  # seconds
    flight: Floats  # (n_bins,) messages under way, the mean of each bin
    names: tuple[str, ...]
    load: Floats  # (n_links, n_bins) share of the capacity
    lost: Floats  # (n_links,) seconds of all messages
    begin: Floats  # (n_kept,) of the messages that were under way longest: seconds
    end: Floats
    src: Ints  # ranks
    dst: Ints
    bytes: Ints

    def links(self, seconds: float) -> pd.DataFrame:
        """A row per link: link, busy (mean share over the run), highest, lost, share of all lost.

        Those where most is lost come first, then the busiest.
        """
        total = self.lost.sum()
        table = pd.DataFrame(
            {
                "link": list(self.names),
                "busy": self.load.sum(axis=1) * self.bin / seconds if seconds else 0.0,
                "highest": self.load.max(axis=1, initial=0.0),
                "lost": self.lost,
                "share": self.lost / total if total else 0.0,
                "number": np.arange(len(self.names)),
            }
        )
        return table.sort_values(["lost", "busy"], ascending=False, ignore_index=True)


def bins_for(carriage: Carriage) -> int:
    """How many bins a replay may have."""
    links = 2 * max(carriage.hosts, 2)
    if carriage.topology is not None:
        links += len(carriage.topology.capacity())
    return int(min(BINS, max(MOST_CELLS // links, 16)))


def traffic_of(
    replayed: _core.Replayed,
    carriage: Carriage,
    model: str,
    network: Mapping[str, object],
    sizes: Ints,
    seconds: float,
) -> Traffic:
    """What the core recorded, with the names of the links; `network` is its input."""
    capacity, hosts = np.asarray(network["capacity"]), max(carriage.hosts, 2)
    bins = replayed.flight.size
    used = max(int(np.ceil(seconds / replayed.bin)) if replayed.bin else 0, 1)
    ends = np.concatenate([np.ones(2 * hosts), capacity])
    names = link_names(carriage, model, network)
    is_named = np.array([bool(name) for name in names])
    load = replayed.load.reshape(ends.size, bins) / (ends[:, None] * (replayed.bin or 1.0))
    kept = np.flatnonzero(is_named & (load.sum(axis=1) > 0))
    order = np.argsort(replayed.message_start, kind="stable")
    number: NDArray[np.int32] = replayed.message_size
    return Traffic(
        bin=replayed.bin,
        flight=np.array(replayed.flight[:used] / (replayed.bin or 1.0)),
        names=tuple(names[link] for link in kept),
        load=np.array(load[kept, :used]),
        lost=np.where(replayed.lost > ROUNDING * replayed.lost.sum(), replayed.lost, 0.0)[kept],
        begin=replayed.message_start[order],
        end=replayed.message_end[order],
        src=replayed.message_src[order].astype(np.int64),
        dst=replayed.message_dst[order].astype(np.int64),
        bytes=sizes[number[order]],
    )


def link_names(carriage: Carriage, model: str, network: Mapping[str, object]) -> list[str]:
    """Names of ports and links in the order of the core; empty for those that nobody shares."""
    hosts, links = max(carriage.hosts, 2), np.asarray(network["capacity"]).size
    names = _names(carriage, network, 2 * hosts + links)
    if links and model in sharing_models.names() and sharing_models.get(model).has_routes:
        names[: 2 * hosts] = [""] * (2 * hosts)  # routes have the links of the hosts
    return names


def _names(carriage: Carriage, network: Mapping[str, object], count: int) -> list[str]:
    """Return names of ports and links; empty for those that carry a single flow."""
    hosts = max(carriage.hosts, 2)
    topology = carriage.topology
    of_hosts = topology.names() if topology is not None else None
    called = list(of_hosts or ())[:hosts]
    called += [f"host {host}" for host in range(len(called), hosts)]
    names = [f"{host} sends" for host in called] + [f"{host} receives" for host in called[:hosts]]
    if topology is not None and not isinstance(topology, OneSwitch):
        links = len(topology.capacity())
        names += list(topology.link_names()) or _by_ends(network, called, links)
    names += [""] * (count - len(names))
    return names[:count]


def _by_ends(network: Mapping[str, object], called: Sequence[str], links: int) -> list[str]:
    """Names of links that have none: by the hosts whose messages pass them."""
    pairs, offsets, on_way = (
        np.asarray(network[name]) for name in ("pairs", "pair_offsets", "pair_links")
    )
    hosts = int(network["hosts"])  # type: ignore[call-overload]
    pair = np.repeat(pairs, np.diff(offsets))
    names = [""] * links
    order = np.argsort(on_way, kind="stable")
    cuts = np.searchsorted(on_way[order], np.arange(links + 1))
    for link in range(links):
        src, dst = np.divmod(pair[order[cuts[link] : cuts[link + 1]]], hosts)
        if not src.size:
            continue
        ends = [_listed(np.unique(hosts_of), called) for hosts_of in (src, dst)]
        names[link] = f"link {link}, {ends[0]} to {ends[1]}"
    return names


def _listed(hosts: Ints, called: Sequence[str]) -> str:
    """One host, some of them, or how many they are."""
    if hosts.size <= 3:
        return " and ".join(called[host] for host in hosts.tolist())
    return f"{hosts.size} hosts from {called[int(hosts[0])]} on"
