"""--ports shared: messages that a rank has under way at once share its port."""

import pytest

import network_files
from contend.flows.schedule_ends import seconds
from contend.schedules import algorithms, choosable

SHARED = ("--ports", "shared")


@pytest.fixture
def network(tmp_path):
    return network_files.write(tmp_path / "network.json", network_files.plogp())


def test_a_prediction_is_that_of_the_engine_with_the_interval_of_the_bounds(contend, network):
    words = ["bcast", "--algorithm", "binomial", "-n", 8, "-m", "1MiB", "--json"]
    (row,) = contend("predict", network, *words, *SHARED).json
    schedule, known = algorithms("bcast").get("binomial").build(8, 1 << 20), network_files.plogp()
    assert row["seconds"] == pytest.approx(seconds(schedule, known))
    assert row["low"] < row["seconds"] < row["high"]
    assert row["claim"] == "shared ports"
    (single,) = contend("predict", network, *words).json
    assert row["seconds"] > 1.5 * single["seconds"]


def test_the_ranking_changes_where_a_tree_sends_to_many(contend, network):
    words = ["choose", network, "bcast", "-n", 8, "-m", "1MiB", "--json"]
    times = [
        {one["algorithm"]: one["seconds"] for one in ranking["ranked"]}
        for ranking in (contend(*words).json[0], contend(*words, *SHARED).json[0])
    ]
    assert times[1]["binomial"] > 1.5 * times[0]["binomial"]
    assert times[1]["chain"] == pytest.approx(times[0]["chain"])
    assert "share its port" in contend(*words[:-1], *SHARED).err


def test_matrices_of_sizes_have_their_times_too(contend, network):
    words = ["choose", network, "alltoallv", "-n", 4, "-m", "64KiB", "--json"]
    (ranking,) = contend(*words, *SHARED).json
    assert {one["algorithm"] for one in ranking["ranked"]} == {
        one.name for one in choosable("alltoallv", None)
    }


def test_a_table_has_closed_forms_alone(contend, network):
    failed = contend("choose", network, "bcast", "--table", *SHARED)
    assert failed.code == 1
    assert "leave --ports out" in failed.err
