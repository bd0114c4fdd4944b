from typing import Any

import pytest

from contend.exports import FileRule
from contend.verification.calls import Calls, Kind
from contend.verification.verdict import Cell, Served, Verdict, judge, placement_of

PIPELINE = FileRule("bcast", 2, None, 65536, None, "pipeline", {"segment": 8192})
BINOMIAL = FileRule("bcast", 2, None, 0, 65536, "binomial")


def calls(m: int = 10**6, n: int = 4, **kind: Any) -> Calls:
    return Calls(Kind("bcast", n, m, **kind), calls=3, seconds={0: 0.5})


def ran(name: str, asked: str | None = None, **options: Any) -> Calls:
    return calls(asked=asked or name, ran=name, **options)


def verdict(*made: Calls, is_seen: bool = True, rule: FileRule = PIPELINE) -> Verdict:
    _, ruled = judge([rule], made, "any", is_seen=is_seen)
    return ruled[0].verdict


def why(made: Calls) -> str:
    served, _ = judge([PIPELINE], [made], "any", is_seen=True)
    return served[0].why


def test_the_named_algorithm_with_the_named_segment_is_in_effect() -> None:
    assert verdict(ran("pipeline", segment=8192)) is Verdict.in_effect


def test_another_algorithm_is_not() -> None:
    assert verdict(ran("binomial", segment=0)) is Verdict.not_in_effect


def test_another_segment_is_not() -> None:
    assert verdict(ran("pipeline", segment=0)) is Verdict.not_in_effect
    assert why(ran("pipeline", segment=0)) == "the rule says segment 8192"


def test_an_algorithm_that_hands_the_call_on_is_not_and_says_to_whom() -> None:
    made = ran("chain", asked="pipeline", segment=8192)
    assert verdict(made) is Verdict.not_in_effect
    assert why(made) == "pipeline does not serve it: chain runs in its place"


@pytest.mark.parametrize("kind", [{}, {"is_in_parts": True}])
def test_a_call_that_another_component_served_is_not(kind: dict[str, bool]) -> None:
    assert verdict(calls(**kind)) is Verdict.not_in_effect
    assert "another component" in why(calls(**kind))


def test_where_algorithms_do_not_show_nothing_is_claimed() -> None:
    assert verdict(calls(), is_seen=False) is Verdict.unknown


def test_a_rule_without_a_call_is_never_used() -> None:
    assert verdict() is Verdict.unused
    assert verdict(ran("pipeline", m=100)) is Verdict.unused


def test_a_rule_that_holds_for_some_of_its_calls_is_in_effect_for_a_part() -> None:
    good, bad = ran("pipeline", segment=8192), ran("chain", asked="pipeline", m=70000)
    assert verdict(good, bad) is Verdict.in_part


def test_calls_that_the_library_decides_have_no_verdict() -> None:
    default = FileRule("bcast", 2, None, 0, None, "default")
    served, ruled = judge([default], [ran("binomial")], "any", is_seen=True)
    assert [one.verdict for one in served] == [None]
    assert not ruled


def test_no_call_is_lost_and_each_is_of_one_cell() -> None:
    made = [ran("pipeline", segment=8192), ran("binomial", m=8), ran("binomial", m=16), ran("x")]
    served, _ = judge([BINOMIAL, PIPELINE], made, "any", is_seen=True)
    assert sum(one.calls for one in served) == 12
    small = next(one for one in served if one.cell.rule == BINOMIAL)
    assert (small.calls, small.m_low, small.m_high) == (6, 8, 16)


def test_what_a_probe_found_stands_in_for_what_does_not_show() -> None:
    cell = Cell("bcast", 4, PIPELINE)
    probed = {(cell, 10**6): Served(cell, "pipeline", 0, 0, 0, 0, Verdict.in_effect, "by a probe")}
    served, ruled = judge([PIPELINE], [calls()], "any", is_seen=False, probed=probed)
    assert (served[0].ran, served[0].calls) == ("pipeline", 3)
    assert ruled[0].verdict is Verdict.in_effect


@pytest.mark.parametrize(
    ("per_node", "placement"),
    [(4, "single-node"), (1, "one-per-node"), (2, "any"), (None, "any")],
)
def test_placement_is_told_from_ranks_per_host(per_node: int | None, placement: str) -> None:
    assert placement_of(4, 4, per_node) == placement
