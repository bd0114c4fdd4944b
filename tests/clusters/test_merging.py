"""What was written by hand stays, and what was measured before gives way."""

import re

import numpy as np
import pytest

from contend.clusters.file import parse_groups
from contend.clusters.matching import assign
from contend.clusters.merging import merge, write_discovered
from contend.clusters.naming import declared
from contend.errors import FileFormatError, InvalidInputError

HOSTS = ["red1", "red2", "red3", "blue1", "blue2", "blue3"]
HALVES = [np.array([0, 1, 2]), np.array([3, 4, 5])]
HAND = """# what I know

# both rooms
[[levels]]
name = "site"  # the campus
groups = [{ name = "all", hosts = ["*"] }]
"""


OWN = '[[levels]]\nname = "hosts"\ngroups = [\n' + "".join(
    f'  {{ name = "{host}", hosts = ["{host}"] }},\n' for host in HOSTS
) + "]\n"  # fmt: skip


def tidy(text):
    """The text with one blank line where a level or a comment above it begins, and between."""
    return re.sub(r"\n{3,}", "\n\n", text).strip("\n") + "\n" if text.strip() else ""


def merged(text, *levels):
    return merge(text, "c.toml", declared(HOSTS, levels), HOSTS)


def test_what_was_written_can_be_read():
    text, notes = merged("", HALVES)
    (level,) = assign(parse_groups(text, "c.toml"), HOSTS).levels
    assert (level.name, level.names, level.groups) == (
        "cluster", ("red", "blue"), (0, 0, 0, 1, 1, 1)
    )  # fmt: skip
    assert notes == []


def test_measuring_again_replaces_what_was_measured():
    old, _ = merged("", [np.array([0]), np.array([1, 2, 3, 4, 5])])
    assert merged(old, HALVES) == merged("", HALVES)
    assert merged(old) == ("", [])


def test_what_a_person_wrote_stays_to_the_letter():
    text, notes = merged(HAND, HALVES)
    assert text.startswith(HAND.rstrip())
    assert [level.name for level in parse_groups(text, "c").levels] == ["site", "cluster"]
    assert notes == ["c.toml: level 'site' is kept as it was"]
    assert merged(text, HALVES)[0] == text
    assert merged(text)[0] == HAND


BLOCK = """[[levels]]
name = "cluster"
discovered = true

[[levels.groups]]
name = "red"
hosts = ["red*"]

[[levels.groups]]
name = "blue"
hosts = [
    "blue*",  # all of them
]
"""
SITE = '[[levels]]\nname = "site"\ngroups = [{ name = "all", hosts = ["*"] }]\n'


@pytest.mark.parametrize(
    "around",
    [
        "{}",
        "# measured on a Sunday\n{}",
        "# head\n\n# measured on a Sunday\n  # twice\n{}",
        "{}\n# blue9 is gone, see the ticket\n",
        "{}# right below\n\n# and further\n",
        "# above\n{}\n# below\n\n# more\n\n# mine\n" + OWN,
        SITE + "# after mine\n\n# above\n{}\n# below\n",
    ],
)
def test_comments_around_a_measured_level_stay_where_they_are(around):
    first, _ = merged(around.replace("{}", BLOCK), HALVES)
    measured, _ = merged("", HALVES)
    assert first == tidy(around.replace("{}", measured))
    assert merged(first, HALVES)[0] == first
    assert merged(first)[0] == tidy(around.replace("{}", ""))


def test_two_measured_levels_keep_their_comments_apart():
    quarters = [np.array([0, 1]), np.array([2]), np.array([3, 4, 5])]
    old, _ = merged("", HALVES, quarters)
    outer, inner = (f"[[levels]]\n{part}" for part in old.split("[[levels]]\n")[1:])
    text = tidy(f"# rooms\n{outer}\n# racks\n{inner}\n# end\n")
    assert merged(text, HALVES, quarters)[0] == text
    fewer, _ = merged(text, HALVES)
    assert [line for line in fewer.splitlines() if "#" in line] == ["# rooms", "# racks", "# end"]


def test_a_level_goes_where_it_refines_and_is_refined():
    fine = """[[levels]]
name = "cluster"
groups = [
  { name = "a", hosts = ["red1"] }, { name = "b", hosts = ["red[23]"] },
  { name = "c", hosts = ["blue*"] },
]
"""
    text, _ = merged(HAND + fine, HALVES)
    assert [level.name for level in parse_groups(text, "c").levels] == [
        "site", "cluster-measured", "cluster"
    ]  # fmt: skip
    assert fine.rstrip() in text


def test_groups_that_are_declared_already_are_not_written_twice():
    own = """[[levels]]
name = "rooms"
groups = [{ name = "r", hosts = ["red*"] }, { name = "b", hosts = ["blue*"] }]
"""
    text, notes = merged(own, HALVES)
    assert text == own
    assert notes[-1] == "c.toml: the measured groups are those of 'rooms'"


def test_levels_that_cross_are_refused_and_the_file_stays(tmp_path):
    path = tmp_path / "c.toml"
    path.write_text(
        "[[levels]]\nname = 'odd'\n"
        "groups = [{ name = 'o', hosts = ['*[13]'] }, { name = 'e', hosts = ['*2'] }]\n"
    )
    before = path.read_text()
    with pytest.raises(InvalidInputError, match="'cluster' and the level 'odd' of the file cross"):
        write_discovered(path, declared(HOSTS, [HALVES]), HOSTS)
    assert path.read_text() == before


def test_levels_in_one_line_are_refused():
    with pytest.raises(FileFormatError, match=r"do not begin with a line \[\[levels\]\]"):
        merged("levels = [{ name = 's', groups = [{ name = 'a', hosts = ['*'] }] }]", HALVES)


def test_a_file_of_a_person_without_all_hosts_is_refused():
    own = "[[levels]]\nname = 's'\ngroups = [{ name = 'a', hosts = ['red*'] }]\n"
    with pytest.raises(InvalidInputError, match="'blue1' is in no group of level 's'"):
        merged(own, HALVES)


def test_two_levels_are_sites_and_clusters_and_odd_names_are_numbered():
    quarters = [np.array([0, 1]), np.array([2]), np.array([3, 4, 5])]
    outer, inner = declared(HOSTS, [HALVES, quarters])
    assert (outer.name, inner.name) == ("site", "cluster")
    assert [group.name for group in inner.groups] == ["cluster1", "cluster2", "cluster3"]


def test_a_name_with_signs_of_a_pattern_matches_itself_alone():
    hosts = ["a[1]", "b*", "c"]
    levels = declared(hosts, [[np.array([0]), np.array([1, 2])]])
    text, _ = merge("", "c", levels, hosts)
    assert assign(parse_groups(text, "c"), hosts).levels[0].groups == (0, 1, 1)
