"""contend choose: rankings and decision maps."""

import pytest

from support import networks


@pytest.fixture
def network(tmp_path):
    return networks.write(tmp_path / "network.json", networks.plogp())


def test_the_ranking_names_the_best_segment_and_what_is_not_told_apart(contend, network):
    outcome = contend("choose", network, "bcast", "-n", 40, "-m", "1MiB")
    first, second = outcome.out.splitlines()[4:6]
    assert first.split()[:2] == ["segmented_chain", "segment"]
    assert "best" in first
    assert "no significant difference" in second
    assert "between segmented_chain and degree_tree" in outcome.err
    assert "left out: scatter_doubling_allgather" in outcome.err
    assert "power-of-two" in outcome.err


def test_json_has_numbers_and_reasons(contend, network):
    words = ["choose", network, "bcast", "-n", 40, "-m", "1MiB,16", "--json"]
    large, small = contend(*words).json
    assert (large["n"], large["m"], small["m"]) == (40, 1 << 20, 16)
    best = large["ranked"][0]
    assert best["low"] < best["seconds"] < best["high"]
    assert best["ratio"] == 1
    assert list(large["refused"]) == ["scatter_doubling_allgather"]
    assert large["as_fast_as_best"] == ["degree_tree"]


def test_the_time_of_the_ranking_is_the_predicted_one(contend, network):
    (ranking,) = contend("choose", network, "bcast", "-n", 40, "-m", "1MiB", "--json").json
    best = ranking["ranked"][0]
    words = ["--algorithm", best["algorithm"], "--segment", best["options"]["segment"]]
    (row,) = contend("predict", network, "bcast", *words, "-n", 40, "-m", "1MiB", "--json").json
    assert row["seconds"] == pytest.approx(best["seconds"])


def test_without_bounds_it_is_not_said_how_sure_the_ranking_is(contend, tmp_path):
    network = networks.write(tmp_path / "n.json", networks.plogp(spread=None))
    outcome = contend("choose", network, "scatter", "-n", 8, "-m", "1KiB")
    assert "unknown" in outcome.out
    assert "is not known without bounds" in outcome.err


def test_the_map_is_a_table_of_n_and_m(contend, network):
    words = ["choose", network, "bcast", "--table", "-n", "2,40", "-m", "1,1MiB"]
    lines = contend(*words).out.splitlines()
    (row,) = [line for line in lines if line.split()[:1] == ["40"]]
    assert row.split() == ["40", "knomial", "segmented_chain"]
    cells = contend(*words, "--json").json
    assert [(cell["n"], cell["m"]) for cell in cells] == [
        (2, 1), (2, 1 << 20), (40, 1), (40, 1 << 20)
    ]  # fmt: skip
    assert "scatter" in contend("choose", network, "scatter", "--table").out


def test_a_cell_of_the_map_says_what_comes_second_and_how_far(contend, network):
    words = [network, "scatter", "-n", 40, "-m", "1MiB", "--json"]  # closed forms are exact
    (cell,) = contend("choose", *words, "--table").json
    (ranking,) = contend("choose", *words).json
    later = next(row for row in ranking["ranked"] if row["ratio"] > 1 + 1e-9)
    assert cell["second"] == later["algorithm"]
    assert cell["second_ratio"] == pytest.approx(later["ratio"])
    assert cell["is_told_from_second"] == later["is_told_from_best"]


@pytest.mark.parametrize(
    ("name", "start"), [("m.svg", b"<?xml"), ("m.png", b"\x89PNG"), ("m.html", b"<!DOCTYPE")]
)
def test_the_map_is_drawn_as_the_file_that_its_name_asks_for(
    contend, network, tmp_path, name, start
):
    path = tmp_path / name
    words = ["choose", network, "scatter", "--plot", "-n", "2,8", "-m", "1,1MiB", "-o", path]
    outcome = contend(*words)
    assert outcome.out == f"picture: {path}\n"
    assert path.read_bytes().startswith(start)
    drawn = contend(*words, "--json").json
    assert drawn["picture"] == str(path)
    table = contend(*words[:3], "--table", "-n", "2,8", "-m", "1,1MiB", "--json").json
    assert drawn["map"] == table


def test_a_picture_is_of_every_n_and_the_sizes_of_the_network(contend, network, tmp_path):
    drawn = contend("choose", network, "scatter", "-o", tmp_path / "s.svg", "--json").json["map"]
    assert {cell["n"] for cell in drawn} == set(range(2, 65))
    assert (drawn[0]["m"], drawn[-1]["m"]) == (1, 1 << 20)
    both = contend("choose", network, "scatter", "--plot", "--table", "-o", tmp_path / "s.svg")
    assert "picture: " in both.out
    assert "n \\ m" in both.out


def test_a_barrier_has_no_size(contend, network):
    (ranking,) = contend("choose", network, "barrier", "-n", 12, "--json").json
    assert ranking["ranked"][0]["algorithm"] == "dissemination"
    assert not ranking["refused"]


def test_an_algorithm_added_as_one_file_is_ranked_and_predicted(contend, network, dummy):
    (ranking,) = contend("choose", network, "barrier", "-n", 12, "--json").json
    assert "dummy" in [row["algorithm"] for row in ranking["ranked"]]
    words = ["--algorithm", "dummy", "-n", 12, "-m", 0, "--json"]
    assert contend("predict", network, "barrier", *words).json[0]["algorithm"] == "dummy"


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["broadcast", "-n", 4, "-m", 1], ["'broadcast'", "bcast, scatter"]),
        (["bcast", "-n", 4], ["no n or no m", "-m 1MiB"]),
        (["bcast", "-n", 1, "-m", 1], ["n = 1", "at least 2"]),
        (["bcast", "-o", "map.gif"], [".gif", ".svg, .png"]),
        (["barrier", "--plot"], ["barrier has no size"]),
        (["bcast", "--plot", "-m", "0,64"], ["0 B has no place", "from 1 B"]),
        (["bcast", "-o", "nowhere/m.svg", "-n", 4, "-m", 64], ["nowhere/m.svg"]),
    ],
)
def test_mistakes_name_what_there_is(contend, network, words, named):
    contend("choose", network, *words).fails(*named)
