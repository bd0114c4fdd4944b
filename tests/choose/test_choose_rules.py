import random

import pytest

from contend.base.errors import FileFormatError
from contend.tune.choose.rules import Decisions, Rule, without_shadowed


def rule(**changed):
    given = {"operation": "bcast", "n": 8, "n_to": 16, "processes_per_node": 1, "m": 0}
    return Rule(**(given | {"m_to": 1024, "algorithm": "chain", "why": "faster"} | changed))


def decisions(*rules):
    return Decisions(network="n", date="2026-01-01", contend="1.0", rules=rules)


def test_a_rule_holds_from_its_first_number_to_before_its_last():
    found = rule()
    assert found.holds("bcast", 8, 0)
    assert found.holds("bcast", 15, 1023, 1)
    assert not any(found.holds("bcast", n, m) for n, m in ((7, 0), (16, 0), (8, 1024)))
    assert not found.holds("reduce", 8, 0)
    assert not found.holds("bcast", 8, 0, 2)
    assert rule(n_to=None, m_to=None).holds("bcast", 10**6, 10**9)


def test_the_rule_for_a_call_is_the_one_that_holds():
    found = decisions(rule(), rule(m=1024, m_to=None, algorithm="default"))
    assert found.rule("bcast", 9, 1023).algorithm == "chain"
    assert found.rule("bcast", 9, 1024).is_default
    assert found.rule("bcast", 16, 1024) is None
    assert found.rule("reduce", 9, 1024) is None


def test_two_rules_for_one_call_are_refused(tmp_path):
    path = tmp_path / "decisions.json"
    decisions(rule(), rule(m=1024, m_to=None)).save(path)
    path.write_text(path.read_text().replace('"m": 1024', '"m": 1023'))
    with pytest.raises(FileFormatError, match="two rules of bcast for n = 8, m = 1023"):
        Decisions.load(path)


@pytest.mark.parametrize("changed", [{"n_to": 8}, {"m_to": 0}])
def test_a_rule_of_nothing_is_refused(changed):
    with pytest.raises(ValueError, match="is not above"):
        rule(**changed)


def test_a_rule_of_the_placement_goes_before_one_of_any():
    found = decisions(
        rule(processes_per_node=None), rule(processes_per_node=4, algorithm="binomial")
    )
    assert found.rule("bcast", 8, 0, 4).algorithm == "binomial"
    assert found.rule("bcast", 8, 0, 2).algorithm == "chain"
    with pytest.raises(ValueError, match="two rules"):
        decisions(rule(), rule(algorithm="binomial"))


def test_what_is_written_is_what_is_read(tmp_path):
    path = tmp_path / "decisions.json"
    found = decisions(rule(options={"segment": 8192}, gain=1.5, gain_low=1.2, gain_high=1.9))
    found.save(path)
    assert Decisions.load(path) == found


def test_a_network_in_the_place_of_decisions_is_told(tmp_path):
    path = tmp_path / "network.json"
    path.write_text('{"schema": "contend.network", "version": 1}')
    with pytest.raises(FileFormatError, match="is a network file, and a file of decisions"):
        Decisions.load(path)


@pytest.mark.parametrize("seed", range(20))
def test_rules_for_any_placement_hold_where_no_rule_of_the_placement_does(seed: int) -> None:
    rng = random.Random(seed)

    def some(placed: int | None) -> list[Rule]:
        tiles = [(n, m) for n in (2, 5, 8) for m in (0, 4, 9) if rng.random() < 0.6]
        ends = [(rng.randint(n + 1, n + 3), rng.randint(m + 1, m + 4)) for n, m in tiles]
        return [
            rule(algorithm=f"{placed}", n=n, m=m, n_to=n_to if n < 8 else None,
                 m_to=m_to if m < 9 else None, processes_per_node=placed)
            for (n, m), (n_to, m_to) in zip(tiles, ends, strict=True)
        ]  # fmt: skip

    made = decisions(*some(None), *some(4), rule(operation="reduce"))
    left = without_shadowed(made.rules)
    for n in range(1, 13):
        for m in range(15):
            held = [one.algorithm for one in left if one.holds("bcast", n, m)]
            wanted = made.rule("bcast", n, m, 4)
            assert held == ([wanted.algorithm] if wanted else [])
    assert [one for one in left if one.operation == "reduce"] == [made.rules[-1]]
