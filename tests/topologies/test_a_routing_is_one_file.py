"""A routing is one file: dropped into the folder, words and files know it."""

import subprocess
import sys
from pathlib import Path

LAST = """
from contend.topologies.routing import Oblivious


class Last(Oblivious):
    name = "last"

    def chosen(self, network, src, dst, flow, seed):
        return network.shortest(src, dst) - 1
"""
USE = """
import sys
import numpy as np
import contend.topologies.routings

contend.topologies.routings.__path__.append(sys.argv[1])
from contend.errors import ContendError
from contend.topologies import topology_of

tree = topology_of("fat-tree:2x2x3@last", 1.0)
print(tree.routes(np.array([0]), np.array([3])).links.tolist())
try:
    topology_of("fat-tree:2x2x3@first", 1.0)
except ContendError as error:
    print(error.remedy)
"""


def test_a_routing_is_one_file(tmp_path: Path) -> None:
    (tmp_path / "last.py").write_text(LAST)
    done = subprocess.run(
        [sys.executable, "-B", "-c", USE, str(tmp_path)],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.splitlines() == [
        "[0, 10, 19, 7]",  # over the last of three spines
        "choose from adaptive, d-mod-k, ecmp, last, minimal, random, valiant",
    ]
