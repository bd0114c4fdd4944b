"""What was measured is written and read again, and never over what a person wrote."""

import numpy as np
import pytest

from contend.alltoall.clusters.discovery_file import declared, write_discovered
from contend.alltoall.clusters.file import parse_groups, read_groups
from contend.alltoall.clusters.matching import assign
from contend.base.errors import InvalidInputError

HOSTS = ["red1", "red2", "red3", "blue1", "blue2", "blue3"]
HALVES = [np.array([0, 1, 2]), np.array([3, 4, 5])]
QUARTERS = [np.array([0, 1]), np.array([2]), np.array([3, 4, 5])]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "clusters.toml"


def test_what_was_written_can_be_read(path):
    write_discovered(path, declared(HOSTS, [HALVES]))
    (level,) = assign(read_groups(path), HOSTS).levels
    assert (level.name, level.names, level.groups) == (
        "cluster", ("red", "blue"), (0, 0, 0, 1, 1, 1)
    )  # fmt: skip


@pytest.mark.parametrize("levels", [[], [HALVES], [HALVES, QUARTERS]])
def test_measuring_again_replaces_what_was_measured(path, levels):
    write_discovered(path, declared(HOSTS, levels))
    assert len(read_groups(path).levels) == len(levels)
    write_discovered(path, declared(HOSTS, [QUARTERS]))
    (level,) = read_groups(path).levels
    assert len(level.groups) == 3


@pytest.mark.parametrize(
    "change",
    [
        lambda text: f"# both rooms\n{text}",
        lambda text: text.replace("discovered = true\n", ""),
        lambda text: text.replace('"red1",', '"red1",  # the old one'),
        lambda text: text + '\n[[levels]]\nname = "mine"\ngroups = [{ name="a", hosts=["*"] }]\n',
    ],
)
def test_what_a_person_wrote_is_not_written_over(path, change):
    write_discovered(path, declared(HOSTS, [HALVES]))
    path.write_text(before := change(path.read_text()))
    with pytest.raises(InvalidInputError, match=r"that were written by hand; name another file"):
        write_discovered(path, declared(HOSTS, [QUARTERS]))
    assert path.read_text() == before


def test_two_levels_are_sites_and_clusters_and_odd_names_are_numbered():
    outer, inner = declared(HOSTS, [HALVES, QUARTERS])
    assert (outer.name, inner.name) == ("site", "cluster")
    assert [group.name for group in inner.groups] == ["cluster1", "cluster2", "cluster3"]


def test_a_name_with_signs_of_a_pattern_matches_itself_alone(path):
    hosts = ["a[1]", "b*", "c"]
    write_discovered(path, declared(hosts, [[np.array([0]), np.array([1, 2])]]))
    assert assign(parse_groups(path.read_text(), "c"), hosts).levels[0].groups == (0, 1, 1)
