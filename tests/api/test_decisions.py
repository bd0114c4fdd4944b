import numpy as np

import contend
import planted_choice as planted
from contend.choose.rules import Decisions


def test_a_network_decides_against_the_default_and_saves_it(tmp_path):
    laws = {"native": planted.default, "openmpi:chain": planted.times(0.5)}
    path = tmp_path / "network.json"
    planted.network_of(planted.launched(laws, np.random.default_rng(1))).save(path)
    found = contend.read_network(path).decisions("bcast", n="8,16", m="1KiB,64KiB")
    assert found.rule("bcast", 8, 2048).algorithm == "chain"
    found.save(tmp_path / "decisions.json")
    assert Decisions.load(tmp_path / "decisions.json") == found
