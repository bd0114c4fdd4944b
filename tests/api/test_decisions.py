import contend
from contend.tune.choose.rules import Decisions
from support import libraries


def test_a_network_decides_against_the_default_and_saves_it(tmp_path):
    laws = {"native": libraries.default, "openmpi:chain": libraries.times(0.5)}
    path = tmp_path / "network.json"
    libraries.measured(laws).save(path)
    found = contend.read_network(path).decisions("bcast", n="8,16", m="1KiB,64KiB")
    assert found.rule("bcast", 8, 2048).algorithm == "chain"
    found.save(tmp_path / "decisions.json")
    assert Decisions.load(tmp_path / "decisions.json") == found
