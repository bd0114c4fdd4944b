"""contend predict, for algorithms that are known by their schedules."""

import pytest

import contend as python
from contend.schedules import COLLECTIVES, algorithms, choosable
from contend.schedules.groups import halves
from contend.schedules.pointtopoint import PLogP
from contend.schedules.timing.evaluate import seconds
from contend.schedules.timing.predict import largest_message, times
from support import networks
from support.libraries import LARGE, PAIRWISE
from support.libraries import known as defaults

DEFAULT = ("reduce_scatter", "--algorithm", "native", "-n", 16, "-m", LARGE)
CHAIN = ["bcast", "--algorithm", "segmented_chain", "-n", 40, "-m", "1MiB"]


@pytest.fixture
def network(tmp_path):
    return networks.write(tmp_path / "network.json", networks.plogp())


def test_the_time_is_the_closed_form_and_the_interval_that_of_the_bounds(contend, network):
    (row,) = contend("predict", network, *CHAIN, "--segment", "16KiB", "--json").json
    chain, known = algorithms("bcast").get("segmented_chain"), networks.plogp()
    low, high = known.at_bounds()
    for name, net in (("low", low), ("seconds", known), ("high", high)):
        assert row[name] == pytest.approx(float(chain.seconds(net, 40, 1 << 20, segment=16384)))
    assert row["low"] < row["seconds"] < row["high"]
    assert (row["form"], row["segment"], row["claim"]) == ("schedule", 16384, "exact")


def test_where_the_closed_form_is_a_bound_the_schedule_is_evaluated(contend, network):
    words = ["predict", network, "bcast", "--algorithm", "scatter_ring_allgather"]
    small, large = contend(*words, "-n", "9,4000", "-m", "64KiB", "--json").json
    ring, known = algorithms("bcast").get("scatter_ring_allgather"), networks.plogp()
    assert (small["claim"], large["claim"]) == ("evaluated", "upper bound")
    schedule = ring.build(9, 65536)
    low, high = known.at_bounds()
    for name, net in (("low", low), ("seconds", known), ("high", high)):
        assert small[name] == pytest.approx(seconds(schedule, net))
    assert small["closed_form"] == pytest.approx(float(ring.seconds(known, 9, 65536)))
    assert small["seconds"] < small["closed_form"]
    assert large["seconds"] == large["closed_form"]
    assert "evaluated; closed form " in contend(*words, "-n", 9, "-m", "64KiB").out


def test_without_bounds_the_interval_is_unknown(contend, tmp_path):
    network = networks.write(tmp_path / "n.json", networks.plogp(spread=None))
    (row,) = contend("predict", network, *CHAIN, "--json").json
    assert row["low"] is None
    assert "unknown" in contend("predict", network, *CHAIN).out


def test_a_default_segment_is_said_to_be_one(contend, network):
    assert "segment 16 KiB, segment by default" in contend("predict", network, *CHAIN).err
    assert "by default" not in contend("predict", network, *CHAIN, "--segment", "1KiB").err


def test_a_message_beyond_the_table_extrapolates(contend, network):
    words = ["predict", network, "bcast", "--algorithm", "binomial", "-n", 4, "-m", "1MiB,2MiB"]
    assert [row["extrapolates"] for row in contend(*words, "--json").json] == ["", "m"]
    assert "extrapolates: m" in contend(*words).out
    chain = algorithms("bcast").get("segmented_chain")
    assert largest_message(chain, networks.plogp(), 4, 1 << 30, segment=4096) == 4096


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["bcast", "--algorithm", "magic"], ["'magic'", "segmented_chain"]),
        (["bcast"], ["no fit of it", "segmented_chain"]),
        (["broadcast", "--algorithm", "binomial"], ["broadcast", "there is: no operation"]),
        (["broadcast", "--algorithm", "binomial", "--degree", 2], ["'broadcast'", "scatter"]),
        (["bcast", "--algorithm", "binomial", "--segment", "1KiB"], ["no option 'segment'"]),
        (["bcast", "--segment", "1KiB"], ["without an algorithm", "segmented_chain"]),
        (["allgather", "--algorithm", "recursive_doubling"], ["power-of-two", "try 'bruck'"]),
    ],
)
def test_mistakes_name_what_there_is(contend, network, words, named):
    outcome = contend("predict", network, *words, "-n", 40, "-m", "1KiB")
    outcome.fails()
    for text in named:
        assert text in outcome.err


def test_a_network_without_plogp_says_what_to_measure(contend, tmp_path):
    network = networks.write(tmp_path / "n.json", None)
    contend("predict", network, *CHAIN).fails("experiment plogp")


def test_a_fit_in_the_file_is_used_before_the_schedule(contend, samples_file, tmp_path):
    path = tmp_path / "fitted.json"
    contend("fit", samples_file(), "-o", path)
    words = ["predict", path, "alltoall", "-n", 8, "-m", "64KiB"]
    assert "by growth" in contend(*words, "--algorithm", "native").err
    outcome = contend(*words, "--algorithm", "ring")  # no fit, and no pLogP for its schedule
    assert "experiment plogp" in outcome.err


def test_bounds_enclose_the_time_of_every_algorithm():
    known: PLogP = networks.plogp()
    for collective in COLLECTIVES:
        for algorithm in choosable(collective, halves):
            found = times(algorithm, known, 8, [0, 5000, 1 << 21])
            assert found.seconds.shape == (3,)
            assert (found.low < found.seconds).all()
            assert (found.seconds < found.high).all()


def test_what_a_default_is_predicted_as_stands_beside_its_times(contend, tmp_path):
    path = tmp_path / "network.json"
    defaults().save(path)
    shown = contend("predict", path, *DEFAULT)
    assert PAIRWISE in shown.out
    assert "runs there by its own rules" in shown.err
    (row,) = contend("predict", path, *DEFAULT, "--json").json
    assert (row["regime"], row["extrapolates"]) == (f"as {PAIRWISE}, by growth", "n")
    assert (row["form"], row["form_from"]) == ("growth", "rules of the library")
    found = python.read_network(path).predict("reduce_scatter", [16], [LARGE], algorithm="native")
    assert found["seconds"][0] == row["seconds"]
    assert found["why"][0].startswith(f"by the rules of its library; as {PAIRWISE}, by growth")


def test_without_it_nothing_is_said(contend, tmp_path):
    path = tmp_path / "network.json"
    defaults(library="no MPI").save(path)
    shown = contend("predict", path, *DEFAULT)
    assert "by its own rules" not in shown.err + shown.out
