"""--with groups=: commands that know which ranks are close to each other."""

import pytest

from contend.schedules import algorithms, choosable
from contend.schedules.groups import given, parse_groups
from support import networks

GROUPS = "0-2/3-7"


@pytest.fixture
def network(tmp_path):
    return networks.write(tmp_path / "network.json", networks.plogp())


def test_a_prediction_is_that_of_the_algorithm_on_the_groups(contend, network):
    words = ["predict", network, "alltoall", "--algorithm", "lg", "-n", 8, "-m", "1KiB"]
    (row,) = contend(*words, "--with", "groups=0-3/4-7", "--json").json
    lg = algorithms("alltoall").get("lg").grouped(given((0,) * 4 + (1,) * 4))
    assert row["seconds"] == pytest.approx(float(lg.seconds(networks.plogp(), 8, 1024)))
    assert (row["claim"], row["groups"]) == ("exact", "0-3/4-7")
    assert "groups 0-3/4-7" in contend(*words, "--with", "groups=0-3/4-7").err


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["lg", "-n", 8], "--with groups=0-3/4-7"),
        (
            ["lg", "-n", 8, "--with", f"groups={GROUPS}"],
            "got 8 ranks as 3 and 5; try 'lg_balanced'",
        ),
        (["lg", "-n", 4, "--with", f"groups={GROUPS}"], "groups of 8 ranks in all, got 4 ranks"),
        (["rotated", "-n", 8, "--with", f"groups={GROUPS}"], "rotated does not look at groups"),
        (["lg_balanced", "-n", 8, "--with", "groups=0-3/5-7"], "every rank from 0 on in one group"),
    ],
)
def test_mistakes_say_what_to_write(contend, network, words, named):
    name, *rest = words
    outcome = contend("predict", network, "alltoall", "--algorithm", name, *rest, "-m", 64)
    outcome.fails()
    said = " ".join(outcome.err.split())
    assert all(words in said for words in named.split("; "))


def test_the_picture_is_of_the_groups(contend, tmp_path):
    words = ["alltoall", "leaders", "-n", 8, "-o", tmp_path / "p.svg", "--json"]
    shown = contend("draw", *words, "--with", f"groups={GROUPS}", "--with", "leaders=1").json
    leaders = algorithms("alltoall").get("leaders").grouped(given(parse_groups(GROUPS)))
    sends = leaders.build(8, 65536, leaders=1).is_send
    assert shown["messages"] == int(sends.sum())
    assert "leaders 1; " in (tmp_path / "p.svg").read_text()


def test_all_that_look_at_groups_are_ranked_where_there_are_some(contend, network):
    words = ["choose", network, "alltoall", "-n", 8, "-m", "1KiB"]
    (flat,) = contend(*words, "--json").json
    (grouped,) = contend(*words, "--with", f"groups={GROUPS}", "--json").json
    known = {one.name for one in choosable("alltoall", None)}
    assert {one["algorithm"] for one in flat["ranked"]} == known
    assert {one["algorithm"] for one in grouped["ranked"]} == set(
        algorithms("alltoall").names()
    ) - {"lg"}
    assert "got 8 ranks as 3 and 5" in grouped["refused"]["lg"]
    assert "--with groups= says which ranks are close, for leaders, lg" in contend(*words).err


def test_a_table_leaves_out_numbers_of_ranks_that_have_no_groups(contend, network):
    words = ["choose", network, "alltoall", "--table", "-n", "4,8", "-m", "64,64KiB", "--json"]
    cells = contend(*words, "--with", f"groups={GROUPS}").json
    looks = {one.name for one in algorithms("alltoall").all() if one.needs_groups}
    assert not {cell["algorithm"] for cell in cells if cell["n"] == 4} & looks


def test_the_catalogue_says_who_looks_at_groups(contend):
    rows = {
        row["name"]: row["needs_groups"]
        for row in contend("list", "algorithms", "alltoall", "--json").json
    }
    assert rows["node_aware"]
    assert not rows["rotated"]
    assert "groups window" in " ".join(contend("list", "algorithms", "alltoall").out.split())
