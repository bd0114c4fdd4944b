"""A kind of topology, or a routing, is one file: dropped into the folder, its word is known."""

import json
import subprocess
import sys
from pathlib import Path

RING = """
from contend.simulate.topologies.kind import Bandwidth, Member, NamedByWord
from contend.simulate.topologies.paths import Link, Paths


class Ring(Member):
    hosts: int
    bandwidth: Bandwidth

    def topology(self):
        links = [Link(f"{host}:on", self.bandwidth) for host in range(self.hosts)]

        def path(src, dst):
            return [(src + hop) % self.hosts for hop in range((dst - src) % self.hosts)]

        return Paths([str(host) for host in range(self.hosts)], links, path)


class RingKind(NamedByWord):
    name = "ring"
    member = Ring
    syntax = "ring:HOSTS"

    def of_word(self, word, bandwidth):
        return Ring(hosts=int(word.split(":")[1]), bandwidth=bandwidth).topology()
"""
USE_KIND = """
import sys
import contend.simulate.topologies.kinds

contend.simulate.topologies.kinds.__path__.append(sys.argv[1])
from contend.base.errors import ContendError
from contend.simulate.flows.engine import solve
from contend.simulate.topologies import topology_of

flows = {"src": [0, 1], "dst": [2, 2], "bytes": [8, 8]}  # both pass the link from 1 to 2
for word in ("ring:3", sys.argv[2]):
    print(solve(flows, topology=topology_of(word, 8.0)).end.tolist())
try:
    topology_of("hypercube:3")
except ContendError as error:
    print(error.remedy)
"""
LAST = """
from contend.simulate.topologies.routing import Oblivious


class Last(Oblivious):
    name = "last"

    def chosen(self, network, src, dst, flow, seed):
        return network.shortest(src, dst) - 1
"""
USE_ROUTING = """
import sys
import numpy as np
import contend.simulate.topologies.routings

contend.simulate.topologies.routings.__path__.append(sys.argv[1])
from contend.base.errors import ContendError
from contend.simulate.topologies import topology_of

tree = topology_of("fat-tree:2x2x3@last", 1.0)
print(tree.routes(np.array([0]), np.array([3])).links.tolist())
try:
    topology_of("fat-tree:2x2x3@first", 1.0)
except ContendError as error:
    print(error.remedy)
"""


def lines_of(program: str, *arguments: object) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-B", "-c", program, *map(str, arguments)],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return done.stdout.splitlines()


def test_a_kind_is_one_file(tmp_path: Path) -> None:
    folder = tmp_path / "kinds"
    folder.mkdir()
    (folder / "ring.py").write_text(RING)
    described = {"ring": {"hosts": 3, "bandwidth": "8B/s"}}
    file = tmp_path / "ring.json"
    file.write_text(json.dumps({"schema": "contend.topology", "version": 1, **described}))
    assert lines_of(USE_KIND, folder, file) == [
        "[2.0, 2.0]",
        "[2.0, 2.0]",
        "give dragonfly:GROUPSxROUTERSxHOSTS[xGLOBAL], "
        "fat-tree:LEAVESxHOSTS[xSPINES][:OVERSUBSCRIPTION], k-ary:K[xLEVELS][:TAPERx...], "
        "pgft:DOWNx.../UPx...[/LANESx...][:TAPERx...], ring:HOSTS, switch, torus:SIZEx...[:HOSTS], "
        "FILE.json or FILE.xml",
    ]


def test_a_routing_is_one_file(tmp_path: Path) -> None:
    (tmp_path / "last.py").write_text(LAST)
    assert lines_of(USE_ROUTING, tmp_path) == [
        "[0, 10, 19, 7]",  # over the last of three spines
        "choose from adaptive, d-mod-k, ecmp, last, minimal, random, valiant",
    ]
