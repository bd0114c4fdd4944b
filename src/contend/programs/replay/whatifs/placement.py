"""What if ranks were on other hosts: side by side, dealt out, or next to whom they talk to most."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from contend.programs.replay.carriage import place_ranks
from contend.programs.replay.derivatives import KINDS
from contend.programs.replay.replay import Replay
from contend.programs.replay.setting import Setting
from contend.programs.replay.whatif import Candidate, Change, most_saved
from contend.programs.traces.kinds import OpKind
from contend.programs.traces.trace import Trace
from contend.schedules.ragged_rows import Ints
from contend.simulate.topologies.kinds.switch import OneSwitch

MOST_RANKS = 2048  # whose neighbours are sorted


class Placement(Change):
    """Other maps of the same ranks to the same number of hosts."""

    name = "placement"

    def candidates(self, setting: Setting, replay: Replay) -> Iterator[Candidate]:
        """Where hosts have several ranks, or are not all alike."""
        carriage = setting.carriage
        if carriage is None:
            return
        host, ranks = carriage.host, setting.trace.ranks
        is_alike = carriage.topology is None or isinstance(carriage.topology, OneSwitch)
        hosts = int(setting.words.get("--hosts") or host.max(initial=0) + 1)
        if is_alike and np.unique(host).size == ranks:
            return
        offered: dict[str, Ints] = {
            "block": place_ranks(ranks, hosts, "block"),
            "cyclic": place_ranks(ranks, hosts, "cyclic"),
        }
        if ranks <= MOST_RANKS:
            close = by_traffic(setting.trace, hosts)
            offered[",".join(map(str, close.tolist()))] = close
        titles = {
            "block": "ranks side by side: --map block",
            "cyclic": "ranks dealt out to the hosts: --map cyclic",
        }
        tried = {host.astype(np.int64).tobytes()}
        for name, places in offered.items():
            if places.tobytes() in tried:
                continue
            tried.add(places.tobytes())
            words = {"--map": name, "--hosts": str(hosts)}
            changed = setting.changed(words, carriage=replace(carriage, host=places))
            title = titles.get(name, "ranks beside those they send most to")
            yield Candidate(title, changed, most=most_saved(replay, *KINDS[1:], "gap"))


def by_traffic(trace: Trace, hosts: int) -> Ints:
    """Hosts filled one after the other with the rank that exchanges most with those there.

    Greedy, by the bytes of messages; collective operations do not count.
    """
    ranks = trace.ranks
    sends = np.flatnonzero((trace.kind == OpKind.SEND) | (trace.kind == OpKind.SYNC_SEND))
    pair = trace.rank[sends] * ranks + trace.peer[sends]
    between = np.bincount(pair, trace.bytes[sends], minlength=ranks * ranks).reshape(ranks, ranks)
    between = between + between.T
    np.fill_diagonal(between, 0.0)
    room = -(-ranks // hosts)
    host_of = np.full(ranks, -1, dtype=np.int64)
    for host in range(hosts):
        near = np.zeros(ranks)
        for _ in range(min(room, int((host_of < 0).sum()))):
            free = host_of < 0
            rank = int(np.flatnonzero(free)[near[free].argmax()])
            host_of[rank] = host
            near += between[rank]
    return host_of
