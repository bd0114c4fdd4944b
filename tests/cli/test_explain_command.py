"""contend explain: from files and standard input, with what is known beside, on one screen."""

import io
import json

import numpy as np
import pytest

from contend.samples import SampleStore

ALPHA, BETA = 1.3e-6, 8e-11
SIZES = [2**power for power in range(21)]
SCREEN = 60  # lines


def osu(path, times, title=" All-to-All Personalized Exchange", sizes=SIZES):
    rows = "".join(f"{m:<10d} {times(m) * 1e6:14.2f}\n" for m in sizes)
    path.write_text(f"# OSU MPI{title} Latency Test v7.3\n# Size       Avg Latency(us)\n{rows}")
    return path


@pytest.fixture
def exchange(tmp_path):
    """Of 128 processes on two nodes, each with a card of 12.5 GB/s."""

    def times(m):
        return max(96 * (ALPHA + BETA * m), 96 * 32 * m * BETA) + 1e-5

    return osu(tmp_path / "osu_alltoall.txt", times)


@pytest.fixture
def latency(tmp_path):
    return osu(tmp_path / "osu_latency.txt", lambda m: ALPHA + BETA * m, "")


def test_a_pasted_exchange_is_explained_without_anything_else(contend, exchange, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.StringIO(exchange.read_text()))
    outcome = contend("explain", "-", "-n", 128, "--ppn", 96)
    outcome.prints(
        "128 processes on 2 nodes, 96 per node and 32 on the last",
        "The bound is not known",
        "contend measure -e pingpong",
    )
    found = contend("explain", exchange, "-n", 128, "--json").json[0]
    sizes = found["sizes"]
    assert (f"14 of {len(sizes)} sizes" in outcome.err) == (len(sizes) > 14)
    assert set(found["not_known"][0]) == {"what", "how"}
    assert len(outcome.out.splitlines()) < SCREEN


def test_with_a_ping_pong_beside_the_shared_card_is_named(contend, exchange, latency):
    outcome = contend("explain", exchange, latency, "-n", 128, "--ppn", 96)
    assert "ping-pong of osu_latency.txt" in outcome.out
    assert "1. shared network card" in outcome.out
    assert len(outcome.out.splitlines()) < SCREEN
    (found,) = contend("explain", exchange, latency, "-n", 128, "--ppn", 96, "--json").json
    assert found["bound_from"] == "ping-pong of osu_latency.txt"
    assert [one["cause"] for one in found["causes"]] == ["shared network card"]
    assert set(found["causes"][0]) == {"cause", "sizes", "sentence", "factor", "tries"}
    assert found["sizes"][-1]["lost"] == pytest.approx(32, rel=0.02)


def test_the_data_sheet_does_as_well(contend, exchange):
    words = ("--assume", "bandwidth=12.5GB/s,latency=1.3us", "--json")
    (found,) = contend("explain", exchange, "-n", 128, "--ppn", 96, *words).json
    assert found["sizes"][-1]["lost"] == pytest.approx(1.0, abs=0.01)
    assert "100" in found["causes"][0]["sentence"]
    outcome = contend("explain", exchange, "-n", 128, "--assume", "latency=1.3us")
    assert "give --assume bandwidth= too" in outcome.err


def slower(samples, factor):
    return [
        one.model_copy(update={"times_s": tuple(factor * t for t in one.times_s)})
        for one in samples
    ]


def test_a_network_file_tells_what_was_expected(contend, samples_file, tmp_path):
    from contend.samples import read_samples

    path, network = samples_file(), tmp_path / "network.json"
    contend("fit", path, "-o", network)
    (as_before,) = contend("explain", path, network, "--json").json
    factors = [row["lost_to_expected"] for row in as_before["sizes"]]
    assert factors == pytest.approx(np.ones(len(factors)), rel=0.1)
    assert "slower than this network was" not in {one["cause"] for one in as_before["causes"]}
    worse = tmp_path / "worse.jsonl"
    with SampleStore(worse) as store:
        store.extend(slower(read_samples(path), 2.0))
    (found,) = contend("explain", worse, network, "--json").json
    of_network = [one for one in found["causes"] if one["cause"] == "slower than this network was"]
    assert of_network[0]["factor"] == pytest.approx(2.0, rel=0.1)
    assert "contend validate" in json.dumps(of_network[0]["tries"])
    said = contend("explain", path, network)
    assert "x expected" in said.out
    assert len(said.out.splitlines()) < SCREEN


def test_of_several_operations_each_has_a_line_and_one_can_be_chosen(contend, exchange, tmp_path):
    gather = osu(tmp_path / "gather.txt", lambda m: 1e-5 + 1e-9 * m, " Gather")
    outcome = contend("explain", exchange, gather, "-n", 128)
    assert "alltoall/native" in outcome.out
    assert "gather/native" in outcome.out
    assert "--operation" in outcome.err
    chosen = contend("explain", exchange, gather, "-n", 128, "--operation", "gather")
    assert "gather/native, 128 processes" in chosen.out
    contend("explain", exchange, "-n", 128, "--operation", "bcast").fails("no times of bcast")


def test_a_network_without_the_operation_is_told_with_the_command_that_fits_it(
    contend, exchange, samples_file, tmp_path
):
    network = tmp_path / "network.json"
    contend("fit", samples_file(), "-o", network)
    gather = osu(tmp_path / "gather.txt", lambda m: 1e-5 + 1e-9 * m, " Gather")
    contend("explain", gather, network, "-n", 16).prints("--operation gather")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["absent.txt"], "absent.txt"),
        (["EXCHANGE"], "does not say n"),
        (["EXCHANGE", "-n", "8", "--at", "9"], "no operation was measured at n = 9"),
        (["EXCHANGE", "-n", "8", "--assume", "bandwidth=fast"], "'fast'"),
        (["EXCHANGE", "-n", "8", "--assume", "bandwidth=3"], "'3' is not a rate"),
        (["EXCHANGE", "-n", "8", "--assume", "latency=1.3,bandwidth=3GB/s"], "write its unit"),
        (["LATENCY"], "no operation was measured"),
        (["NETWORK"], "no file with measured times"),
        (["NETWORK", "NETWORK", "EXCHANGE", "-n", "8"], "give one network file"),
    ],
)
def test_mistakes_are_named(contend, exchange, latency, samples_file, tmp_path, words, said):
    network = tmp_path / "network.json"
    contend("fit", samples_file(), "-o", network)
    files = {"EXCHANGE": exchange, "LATENCY": latency, "NETWORK": network}
    outcome = contend("explain", *(files.get(word, word) for word in words))
    outcome.fails(said)
    assert "Traceback" not in outcome.err


def test_what_is_pasted_wrong_names_standard_input(contend, exchange, monkeypatch):
    broken = exchange.read_text().partition("Avg Latency(us)\n")
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(broken[:2]) + "x 12.50\n"))
    outcome = contend("explain", "-", "-n", 128)
    assert outcome.err.startswith("error: standard input line 3: Size is 'x'")


def test_edited_files_are_explained_or_refused_without_a_traceback(contend, exchange, tmp_path):
    rng, text = np.random.default_rng(11), exchange.read_text()
    path, refused = tmp_path / "edited.txt", 0
    for _ in range(25):
        characters = list(text)
        for _ in range(int(rng.integers(1, 4))):
            place = int(rng.integers(len(characters)))
            characters[place : place + int(rng.integers(0, 9))] = rng.choice(list("09.e\n#x "))
        path.write_text("".join(characters))
        outcome = contend("explain", path, "-n", 128)
        assert "Traceback" not in outcome.err
        refused += outcome.code
    assert 0 < refused < 25


def test_of_processes_on_one_node_a_network_tells_no_bound(contend, exchange, latency):
    outcome = contend("explain", exchange, latency, "-n", 128, "--ppn", 128)
    assert "128 processes on one node" in outcome.out
    assert "what a message within a node takes" in outcome.out
    assert "-e pingpong -n 2 --ppn 2" in outcome.out
