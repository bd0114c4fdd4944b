"""--ports: what messages meet on their way, and how far off what is told so has been."""

import pytest

from contend.models.network import Level
from contend.schedules import algorithms, choosable
from contend.simulate.flows.schedule_ends import seconds
from support import libraries, networks

SHARED = ("--ports", "shared")


@pytest.fixture
def network(tmp_path):
    return networks.write(tmp_path / "network.json", networks.plogp())


def test_a_prediction_is_that_of_the_engine_with_the_interval_of_the_bounds(contend, network):
    words = ["bcast", "--algorithm", "binomial", "-n", 8, "-m", "1MiB", "--json"]
    (row,) = contend("predict", network, *words, *SHARED).json
    schedule, known = algorithms("bcast").get("binomial").build(8, 1 << 20), networks.plogp()
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
    contend("choose", network, "bcast", "--table", *SHARED).fails("leave --ports and --ppn out")


@pytest.fixture
def measured(tmp_path, network):
    """A flat tree that took 1.5 times what single messages say, and a chain that took 1/1.5."""
    flat, chain = (algorithms("bcast").get(name) for name in ("flat", "segmented_chain"))
    known = networks.plogp()
    laws = {
        "native": libraries.default,
        "openmpi:basic_linear": lambda n, m: 1.5 * float(flat.uniform_seconds(known, n, m)),
        "openmpi:pipeline": lambda n, m: float(chain.uniform_seconds(known, n, m, segment=m)) / 1.5,
    }
    found = libraries.measured(laws)
    found = found.model_copy(update={"levels": (Level(name="all", plogp=known),)})
    found.save(tmp_path / "measured.json")
    return tmp_path / "measured.json"


def test_intervals_hold_the_errors_of_what_was_measured(contend, measured):
    words = ["predict", measured, "bcast", "--algorithm", "chain", "-n", 8, "-m", "4KiB"]
    (auto,) = contend(*words, "--json").json
    (single,) = contend(*words, "--ports", "single", "--json").json
    assert auto["high"] / auto["low"] > 1.5 > single["high"] / single["low"]
    assert "measured times of other algorithms of bcast" in contend(*words).err
    assert "not errors of the model" in contend(*words, "--ports", "single").err


def test_a_ranking_says_how_far_off_it_may_be_and_where(contend, measured):
    outcome = contend("choose", measured, "bcast", "-n", "8,64", "-m", "4KiB")
    assert "nine of ten of 48 measured times" in outcome.err
    assert "measured were n = 4 to 16" in outcome.err
    (row,) = contend("predict", measured, "bcast", "--algorithm", "chain", "-n", 64, "-m",
                     "4KiB", "--json").json  # fmt: skip
    assert row["extrapolates"] == "n"
    assert row["timing"] == {"ports": "single", "is_corrected": False, "points": 48,
                             "n": [4, 8, 16], "m": list(libraries.SIZES)}  # fmt: skip


def test_without_measured_algorithms_the_bounds_are_all_and_it_says_why(contend, network):
    outcome = contend("choose", network, "bcast", "-n", 8, "-m", "4KiB")
    assert "too few algorithms of bcast were measured" in outcome.err


def test_what_is_not_known_is_named_with_what_to_measure(contend, network):
    call = ["choose", network, "bcast", "-n", 8, "-m", "4KiB"]
    assert "contend measure links" in contend(*call, "--ports", "levels").err
    assert "contend fit" in contend(*call, "--ports", "fitted").err
    assert "give levels or auto" in contend(*call, "--ports", "single", "--ppn", 4).err
    both = contend(
        "choose", network, "bcast", "-n", 4, "-m", 64, "--ppn", 2, "--with", "groups=0-1/2-3"
    )
    assert "name the groups alone" in both.err
    contend(*call, "--ppn", 4).fails("knows nothing of 4 processes per node")
    failed = contend("choose", network, "bcast", "--table", "--ppn", 4)
    assert "leave --ports and --ppn out" in failed.err
