"""Groups, from files and from processes per node: who is where, and what is refused."""

import pytest

from contend.alltoall.clusters.file import parse_groups, read_groups
from contend.alltoall.clusters.groups import Groups, Level, nodes_by_count, nodes_of
from contend.alltoall.clusters.matching import addresses_of, assign
from contend.base.errors import FileFormatError, InvalidInputError

FILE = """
[[levels]]
name = "site"
groups = [{ name = "north", subnet = "10.1.0.0/16" }, { name = "south", subnet = "fd00:2::/32" }]

[[levels]]
name = "cluster"

[[levels.groups]]
name = "red"
hosts = ["red*", "pink[12]"]

[[levels.groups]]
name = "blue"
hosts = ["blue?"]
"""
ADDRESSES = {
    "red1": ["10.1.0.1"],
    "pink2": ["192.168.0.1", "10.1.255.255"],
    "blue7.far.org": ["fd00:2::7"],
}


def level(*groups, name="cluster"):
    lines = [f"{{ name = '{group}', {what} }}" for group, what in groups]
    return f"[[levels]]\nname = '{name}'\ngroups = [{', '.join(lines)}]\n"


def assigned(text, hosts, addresses=ADDRESSES):
    return assign(parse_groups(text, "file"), hosts, lambda host: addresses.get(host, []))


def test_patterns_and_subnets_of_both_kinds_say_who_is_where():
    groups = assigned(FILE, ["red1", "blue7.far.org", "pink2"])
    assert [one.name for one in groups.levels] == ["site", "cluster"]
    assert groups.level("site").groups == (0, 1, 0)
    assert groups.level("cluster").names == ("red", "blue")
    assert groups.level("cluster").members == [[0, 2], [1]]
    assert groups.size == 3


@pytest.mark.parametrize("pattern", ["red[^1]*", "[[:alpha:]]1", "a[.x.]"])
def test_a_pattern_that_others_read_otherwise_is_refused(pattern):
    with pytest.raises(FileFormatError, match=r"write \[!a\] for all but a"):
        assigned(level(("red", f"hosts = ['{pattern}']")), ["red2"])
    assert assigned(level(("red", "hosts = ['red[!1]*']")), ["red2"]).size == 1


@pytest.mark.parametrize(
    "pattern",
    ["n[1-12]", "n[01-12]", "n[1-12,15]*", "r[0-9]n[1,3]", "n[8-10].site", "n[98-99]"],
)  # fmt: skip
def test_a_list_of_numbers_in_brackets_is_said_to_be_a_set_of_characters(pattern):
    with pytest.raises(FileFormatError) as refused:
        assigned(level(("a", f"hosts = ['{pattern}']"), ("b", "hosts = ['n[13-24]']")), ["n1"])
    assert "is a set of single characters, as in patterns of a shell" in str(refused.value)
    assert "two groups" not in str(refused.value)


@pytest.mark.parametrize(
    "pattern", ["n[135]", "n[0-9]", "n[0-9][0-9]", "n[!0-9]", "n[a-z,]", "n12"]
)
def test_a_set_of_single_characters_is_read_as_before(pattern):
    text = level(("a", f"hosts = ['{pattern}']"), ("b", "hosts = ['other']"))
    assert assigned(text, ["other"]).levels[0].groups == (0,)


def test_a_host_in_no_group_is_named_with_its_level():
    with pytest.raises(InvalidInputError, match="'green1' is in no group of level 'cluster'"):
        assigned(level(("red", "hosts = ['red*']")), ["red1", "green1"])
    with pytest.raises(InvalidInputError, match=r"'red9' .*in no group of level 'site'"):
        assigned(FILE, ["red9"])


def test_a_host_in_two_groups_is_named_with_both():
    text = level(("a", "hosts = ['n*']"), ("b", "hosts = ['*1']"))
    assert assigned(text, ["n2", "m1"]).levels[0].groups == (0, 1)
    with pytest.raises(InvalidInputError, match=r"'n1' is in two groups .*: 'a' and 'b'"):
        assigned(text, ["n1"])


def test_a_level_that_does_not_refine_the_one_above_is_refused():
    outer = level(("a", "hosts = ['?1']"), ("b", "hosts = ['?2']"), name="site")
    inner = level(("x", "hosts = ['n*']"), ("y", "hosts = ['m*']"))
    with pytest.raises(InvalidInputError, match="'x' of level 'cluster' has members in 'a' and"):
        assigned(outer + inner, ["n1", "n2", "m1"])


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("levels = [", "is not TOML"),
        ("colour = 1", "extra inputs are not permitted"),
        (level(("a", "hosts = []")), "needs hosts or a subnet"),
        (level(("a", "hosts = ['x'], subnet = '10.0.0.0/8'")), "needs hosts or a subnet"),
        (level(("a", "subnet = '10.0.0.1/8'")), "no subnet"),
        (level(("a", "subnet = '10.0.0.0/33'")), "no subnet"),
        (level(("a", "hosts = ['x']"), ("a", "hosts = ['y']")), "two groups named 'a'"),
        (level(("a", "hosts = ['x']")) * 2, "two levels are named 'cluster'"),
        (level(("a", "hosts = ['x']"), name="node"), "ranks that share a host"),
        (level(("a b", "hosts = ['x']")), "string should match pattern"),
        (level(("a", f"hosts = ['{'x' * 300}']")), "at most 255 characters"),
        ("\n".join(level(("a", "hosts = ['x']"), name=f"l{i}") for i in range(17)), "at most 16"),
        ("[[levels]]\nname = 'c'\ngroups = []", "at least 1 item"),
        ("a = " + "[" * 100_000, "is not TOML"),
    ],
)
def test_what_breaks_a_rule_is_told(text, told):
    with pytest.raises(FileFormatError, match=told):
        parse_groups(text, "file.toml")


def test_a_file_that_is_none_is_told(tmp_path, monkeypatch):
    with pytest.raises(FileFormatError, match="there is no file"):
        read_groups(tmp_path / "none.toml")
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(FileFormatError, match="is no text"):
        read_groups(tmp_path / "binary.toml")
    monkeypatch.setattr("contend.alltoall.clusters.file.MOST_BYTES", 3)
    (tmp_path / "large.toml").write_text("# large")
    with pytest.raises(FileFormatError, match="more than 3 characters or bytes"):
        read_groups(tmp_path / "large.toml")


def test_levels_have_the_same_members_and_names_of_their_own():
    with pytest.raises(InvalidInputError, match="has 2 members, level 'b' 3"):
        Groups((Level.of("a", [0, 1]), Level.of("b", [0, 1, 2])))
    with pytest.raises(InvalidInputError, match="two levels are named 'a'"):
        Groups((Level.of("a", [0, 1]), Level.of("a", [0, 1])))
    with pytest.raises(InvalidInputError, match="no level is named 'site'"):
        Groups((Level.of("a", [0]),)).level("site")


def test_nodes_are_the_deepest_level_of_ranks():
    hosts = ["red1", "red1", "blue1", "red2", "blue1"]
    groups = assigned(level(("red", "hosts = ['red*']"), ("blue", "hosts = ['blue*']")), hosts)
    ranks = groups.below(nodes_of(hosts))
    assert ranks.level("cluster").groups == (0, 0, 1, 0, 1)
    assert ranks.level("node").groups == (0, 0, 1, 2, 1)


def test_nodes_by_their_processes():
    assert nodes_by_count([4, 1, 2]).groups == (0, 0, 0, 0, 1, 2, 2)
    for wrong in ([], [2, 0], [100_001]):
        with pytest.raises(InvalidInputError):
            nodes_by_count(wrong)


def test_addresses_are_those_of_the_resolver():
    assert addresses_of("::1") == ["::1"]
    assert addresses_of("a name of no host") == []
