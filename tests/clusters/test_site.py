"""The plan of a site: where it is, and what stays of it when it is written again."""

import pytest

from contend.alltoall.clusters.plan import parse_plan, read_plan
from contend.alltoall.clusters.site import keep, site_file
from contend.base.errors import InvalidInputError, StorageError

FIRST = "contend-exchange 1\n"
GROUPS = "level cluster\ngroup a host a1\ngroup b host b1\n"
LINK = "link cluster latency_s 0.005 bandwidth 1e7 buffer 65536 timeout_s 0.2\n"


@pytest.fixture
def place(tmp_path, monkeypatch):
    path = tmp_path / "new" / "site.plan"
    monkeypatch.setenv("CONTEND_SITE", str(path))
    return path


def test_it_is_in_the_users_folder_unless_a_variable_names_it(tmp_path, monkeypatch):
    monkeypatch.delenv("CONTEND_SITE", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert site_file() == tmp_path / "contend" / "site.plan"
    for folder in ("", "relative"):
        monkeypatch.setenv("XDG_CONFIG_HOME", folder)
        monkeypatch.setenv("HOME", str(tmp_path))
        assert site_file() == tmp_path / ".config" / "contend" / "site.plan"
    for none in ("", "0"):
        monkeypatch.setenv("CONTEND_SITE", none)
        assert site_file() is None
        assert keep(parse_plan(FIRST + GROUPS)) is None


def test_links_and_choices_of_the_same_levels_stay(place):
    keep(parse_plan(f"{FIRST}{GROUPS}{LINK}choose cluster 0 lg\n"))
    assert keep(parse_plan(FIRST + GROUPS.replace("b1", "b2"))) == place
    plan = read_plan(place)
    assert [group.pattern for group in plan.levels[0].groups] == ["a1", "b2"]
    assert [one.bandwidth for one in plan.links] == [1e7]
    keep(parse_plan(f"{FIRST}{GROUPS}{LINK.replace('1e7', '2e7')}choose cluster 8 paced\n"))
    plan = read_plan(place)
    assert [one.bandwidth for one in plan.links] == [2e7]
    assert [(one.from_bytes, one.algorithm) for one in plan.choices] == [(8, "paced")]


def test_of_other_levels_nothing_stays(place):
    keep(parse_plan(f"{FIRST}{GROUPS}{LINK}choose node 0 lg\n"))
    new = parse_plan(FIRST + GROUPS.replace("cluster", "site"))
    keep(new)
    assert read_plan(place) == new


def test_a_file_of_other_hosts_is_not_touched(place):
    keep(parse_plan(FIRST + GROUPS))
    with pytest.raises(InvalidInputError, match=r"is of other hosts, a1 among them.*CONTEND_SITE"):
        keep(parse_plan(FIRST + GROUPS.replace("a1", "n1").replace("b1", "s1")))
    assert read_plan(place) == parse_plan(FIRST + GROUPS)


def test_a_place_that_cannot_be_is_an_error(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("CONTEND_SITE", str(tmp_path / "file" / "site.plan"))
    with pytest.raises(StorageError, match="file"):
        keep(parse_plan(FIRST + GROUPS))
