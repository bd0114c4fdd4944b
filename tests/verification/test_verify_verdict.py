from typing import Any

import pytest

from contend.tune.exports import FileRule
from contend.tune.verification.calls import Calls, Kind
from contend.tune.verification.verdict import Cell, Served, Verdict, judge, placement_of

PIPELINE = FileRule("bcast", 2, None, 65536, None, "pipeline", {"segment": 8192})
BINOMIAL = FileRule("bcast", 2, None, 0, 65536, "binomial")


def calls(m: int = 10**6, n: int = 4, **kind: Any) -> Calls:
    return Calls(Kind("bcast", n, m, **kind), calls=3, seconds={0: 0.5})


def ran(name: str, asked: str | None = None, **options: Any) -> Calls:
    return calls(asked=asked or name, ran=name, **options)


IN, NOT = Verdict.in_effect, Verdict.not_in_effect
HANDED_ON = ran("chain", asked="pipeline", segment=8192)
SHOWN = ran("pipeline", segment=8192)


@pytest.mark.parametrize(
    ("made", "verdict", "why"),
    [
        ([SHOWN], IN, ""),
        ([ran("binomial", segment=0)], NOT, "the rule says pipeline"),
        ([ran("pipeline", segment=0)], NOT, "the rule says segment 8192"),
        ([HANDED_ON], NOT, "pipeline does not serve it: chain runs in its place"),
        ([calls()], NOT, "another component than the one with rules has served it"),
        ([calls(is_in_parts=True)], NOT, "another component has put it together from parts"),
        ([], Verdict.unused, None),
        ([ran("pipeline", m=100)], Verdict.unused, ""),  # which no rule is for
        ([SHOWN, HANDED_ON], Verdict.in_part, ""),
    ],
)
def test_what_became_of_a_rule(made: list[Calls], verdict: Verdict, why: str | None) -> None:
    served, ruled = judge([PIPELINE], made, "any", is_seen=True)
    assert ruled[0].verdict is verdict
    assert (served[0].why if served else None) == why


def test_where_algorithms_do_not_show_nothing_is_claimed() -> None:
    _, ruled = judge([PIPELINE], [calls()], "any", is_seen=False)
    assert ruled[0].verdict is Verdict.unknown


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
