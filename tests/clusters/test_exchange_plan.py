"""A plan survives being written and read, and says which line is none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contend.alltoall.clusters.file import parse_groups
from contend.alltoall.clusters.plan import (
    PORTFOLIO,
    Choice,
    Link,
    Plan,
    PlannedGroup,
    PlannedLevel,
    groups_of,
    parse_plan,
    plan_of,
    plan_text,
)
from contend.base.errors import FileFormatError, InvalidInputError

words = st.text("abcxyz-*?[]019.", min_size=1, max_size=8)
numbers = st.floats(0, 1e15)
options = st.none() | st.integers(1, 2**31 - 1)
patterns = words.filter(lambda word: "[." not in word)  # which C reads in another way
subnets = st.sampled_from(["10.1.0.0/16", "10.0.0.1/0", "fd00::/8"])
groups = st.builds(PlannedGroup, words, st.just("host"), patterns) | st.builds(
    PlannedGroup, words, st.just("subnet"), subnets
)
levels = st.builds(PlannedLevel, words, st.lists(groups, min_size=1, max_size=3).map(tuple))


@st.composite
def plans(draw):
    found = draw(st.lists(levels, max_size=3, unique_by=lambda level: level.name))
    names = st.sampled_from(["node", *(level.name for level in found)])
    link = st.builds(Link, names, numbers, numbers, st.integers(0, 2**40), numbers)
    choice = st.builds(
        Choice,
        names,
        st.integers(0, 2**40),
        st.sampled_from(PORTFOLIO),
        options | st.just("all"),
        options,
        options,
    )
    return Plan(
        tuple(found), tuple(draw(st.lists(link, max_size=3))),
        tuple(draw(st.lists(choice, max_size=3))),
    )  # fmt: skip


@given(plans())
def test_a_plan_survives_being_written(plan):
    assert parse_plan(plan_text(plan)) == plan


def test_groups_of_a_file_become_lines():
    declared = parse_groups(
        "[[levels]]\nname = 'cluster'\ngroups = [{ name = 'red', hosts = ['red*', 'pink1'] }, "
        "{ name = 'blue', subnet = '10.1.0.0/16' }]",
        "file",
    )
    links = [Link("cluster", 5e-3, 12.5e6, 131072, 0.2)]
    choices = [Choice("cluster", 1024, "paced", window=4), Choice("node", 0, "node_aware")]
    assert plan_text(plan_of(declared, links, choices)) == (
        "contend-exchange 1\n"
        "level cluster\n"
        "group red host red*\n"
        "group red host pink1\n"
        "group blue subnet 10.1.0.0/16\n"
        "link cluster latency_s 0.005 bandwidth 12500000.0 buffer 131072 timeout_s 0.2\n"
        "choose cluster 1024 paced window=4\n"
        "choose node 0 node_aware\n"
    )
    assert plan_of(groups_of(plan_of(declared))) == plan_of(declared)


def test_a_group_of_subnet_and_patterns_is_none_of_a_file():
    rules = (PlannedGroup("a", "host", "a*"), PlannedGroup("a", "subnet", "10.0.0.0/8"))
    with pytest.raises(InvalidInputError, match="'a' of a plan has several rules"):
        groups_of(Plan((PlannedLevel("cluster", rules),)))


@pytest.mark.parametrize(
    "line",
    [
        "colour red", "level", "level a b", "group red host red*", "choose node 0 fast",
        "choose node x lg", "choose node -1 lg", "choose node 0 lg depth=3",
        "choose node 0 lg window=0", "choose node 0 lg window=1 window=2",
        "link node latency_s -1 bandwidth 1 buffer 1 timeout_s 1",
        "link node latency_s nan bandwidth 1 buffer 1 timeout_s 1",
        "link node latency_s 1 bandwidth 1 buffer 1",
    ],
)  # fmt: skip
def test_a_line_that_is_none_is_named(line):
    with pytest.raises(FileFormatError, match="line 2"):
        parse_plan(f"contend-exchange 1\n{line}\nlevel a\n")


def test_another_first_line_is_no_plan():
    with pytest.raises(FileFormatError, match="does not begin"):
        parse_plan("contend-exchange 2\n")


def test_a_level_that_is_not_there_is_told():
    with pytest.raises(InvalidInputError, match="has no level 'site'"):
        Plan(choices=(Choice("site", 0, "lg"),))
