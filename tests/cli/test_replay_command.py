"""Replays from the command line."""

import pytest

from support import networks
from support.traces import Archive, RankText

PING = "0 init\n1 init\n0 send 1 0 1000\n1 recv 0 0 1000\n0 barrier\n1 barrier\n"
NET = ("--latency", "1ms", "--bandwidth", "1MB/s")


@pytest.fixture
def trace(tmp_path):
    def write(text=PING, name="trace.txt"):
        path = tmp_path / name
        path.write_text(text)
        return path

    return write


def test_time_of_the_run_its_calls_and_ranks_as_json(contend, trace):
    found = contend("replay", trace(), *NET, "--json").json
    assert found["seconds"] == pytest.approx(3e-3)  # the message, and a round of the barrier
    assert found["lost"] == pytest.approx(0)
    assert found["algorithms"] == {"barrier": ["dissemination"]}
    assert {call["call"]: call["count"] for call in found["calls"]} == {
        "send": 1, "recv": 1, "barrier": 2,
    }  # fmt: skip
    assert [rank["rank"] for rank in found["ranks"]] == [0, 1]


def test_tables_name_calls_and_ranks(contend, trace):
    outcome = contend("replay", trace(), *NET)
    assert outcome.code == 0
    assert "recv" in outcome.out
    assert "3 ms on 2 ranks" in outcome.err


def test_what_if_options_change_the_time(contend, trace):
    incast = "".join(f"{rank} init\n" for rank in range(4))
    incast += "".join(f"{rank} send 0 0 1000\n0 recv {rank} 0 1000\n" for rank in (1, 2, 3))
    words = ("replay", trace(incast), *NET, "--json")
    assert contend(*words).json["seconds"] == pytest.approx(4e-3)
    assert contend(*words, "--baseline", "ports").json["lost"] == pytest.approx(0)
    assert contend(*words, "--model", "alone").json["seconds"] == pytest.approx(2e-3)
    assert contend(*words, "--hosts", "1").json["seconds"] == pytest.approx(2e-3)
    on_tree = contend(*words, "--topology", "fat-tree:2x2x1:2", "--map", "0,2,3,1").json
    assert on_tree["seconds"] == pytest.approx(4e-3)


def test_a_network_file_and_an_algorithm_are_taken(contend, trace, tmp_path):
    path = networks.write(tmp_path / "network.json", networks.plogp())
    text = "".join(f"{rank} init\n{rank} alltoall 1000 1000\n" for rank in range(4))
    found = contend("replay", trace(text), "--network", path, "--algorithm", "alltoall=rotated",
                    "--json").json  # fmt: skip
    assert found["algorithms"] == {"alltoall": ["rotated"]}
    assert found["seconds"] == pytest.approx(5e-5 + 3 * (2e-5 + 8e-8 * 1000))
    assert "no pLogP" in contend("replay", trace(), "--network", networks.write(path, None)).err


def test_loggops_parameters_replay_goal(contend, trace):
    goal = "num_ranks 2\nrank 0 {\nl1: send 1001b to 1 tag 0\n}\nrank 1 {\n"
    goal += "l1: recv 1001b from 0 tag 0\n}\n"
    found = contend("replay", trace(goal, "a.goal"), "--loggops", "2us,1us,0s,1ns", "--model",
                    "ports", "--json").json  # fmt: skip
    assert found["seconds"] == pytest.approx(2e-6 + 2 * 1e-6 + 1000e-9)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ((), "give a network file as --network network.json"),
        (("--latency", "1us"), "--network line:20us:1Gbit/s"),
        (("--topology", "fat-tree:2x2"), "has links, and not what a message takes"),
        (("--network", "line:20:1Gbit/s"), "a latency of 20 without a unit"),
        ((*NET, "--algorithm", "alltoall"), "OPERATION=ALGORITHM"),
        ((*NET, "--algorithm", "barrier=magic"), "choose from"),
        ((*NET, "--map", "0,1,2"), "3 hosts for 2 ranks"),
        ((*NET, "--map", "here"), "give block, round-robin"),
        ((*NET, "--speed", "fast"), "operations per second"),
        ((*NET, "--topology", "fat-tree:1x1"), "on a topology of 1"),
        ((*NET, "--loggops", "1us"), "do not make one network"),
    ],
)
def test_wrong_options_are_explained(contend, trace, options, words):
    outcome = contend("replay", trace(), *options)
    assert outcome.code != 0
    assert words in " ".join(outcome.err.split())


def test_a_deadlock_is_an_error_with_rank_call_and_line(contend, trace):
    outcome = contend(
        "replay", trace("0 init\n0 finalize\n1 init\n1 recv 0 0 8\n1 finalize\n"), *NET
    )
    assert outcome.code != 0
    assert "deadlock: rank 1, recv" in outcome.err
    assert "line 4" in outcome.err


def test_traces_of_other_tools_are_replayed(contend, tmp_path):
    texts = [RankText(), RankText()]
    texts[0].message("MPI_Send", 1, 250)
    texts[1].message("MPI_Recv", -1, 250, "MPI_Status status=<IGNORED>")
    for rank, text in enumerate(texts):
        (tmp_path / f"dumpi-{rank:04d}.txt").write_text(text.text())
    found = contend("replay", tmp_path, *NET, "--json").json
    assert found["seconds"] == pytest.approx(2e-3 + 2e-6)  # 1000 bytes, and 1 us on both sides

    pytest.importorskip("otf2")
    archive = Archive(tmp_path / "run", 2, [0])
    archive.ranks[0].call("MPI_Send", ("MpiSend", 1, archive.world, 0, 1000))
    archive.ranks[1].call("MPI_Recv", ("MpiRecv", 0, archive.world, 0, 1000))
    archive.close()
    found = contend("replay", tmp_path / "run", *NET, "--json").json
    assert found["seconds"] == pytest.approx(2e-3 + 1e-5)


def test_a_replay_goes_over_a_routed_topology(contend, tmp_path):
    """Four ranks send 1 MB each to those of the other leaf: over four spines, or over two."""
    trace = tmp_path / "trace.goal"
    ranks = [f"rank {r} {{\nl1: send 1000000b to {r + 4} tag 0\n}}" for r in range(4)]
    ranks += [f"rank {r} {{\nl1: recv 1000000b from {r - 4} tag 0\n}}" for r in range(4, 8)]
    trace.write_text("num_ranks 8\n" + "\n".join(ranks) + "\n")
    seconds = []
    for routing in ("adaptive", "minimal"):
        done = contend(
            "replay", trace, "--latency", "0s", "--bandwidth", "1MB/s", "--topology",
            f"fat-tree:2x4x4:2@{routing}", "--json",
        )  # fmt: skip
        seconds.append(done.json["seconds"])
    # A spine carries half of a host's bandwidth. src + dst is even: two spines for four messages.
    assert seconds == pytest.approx([2.0, 4.0], rel=1e-6)


def test_jobs_side_by_side_say_what_each_loses(contend, trace):
    first = trace("0 init\n1 init\n0 send 1 0 100000\n1 recv 0 0 100000\n", "a.txt")
    second = trace("0 init\n1 init\n0 send 1 0 300000\n1 recv 0 0 300000\n", "b.txt")
    words = ("replay", first, second, "--latency", "0s", "--bandwidth", "1MB/s")
    found = contend(*words, "--map", "0,1,0,2", "--json").json
    assert [job["job"] for job in found["jobs"]] == ["a.txt", "b.txt"]
    assert [job["together"] for job in found["jobs"]] == pytest.approx([0.2, 0.4])
    assert found["lost_to"][0]["b.txt"] == pytest.approx(0.1)
    contend(*words, "--map", "0,1,0,2").prints("100 %")
    apart = contend(*words, "--json").json
    assert [job["lost"] for job in apart["jobs"]] == pytest.approx([0, 0])


def test_other_traffic_is_a_share_of_each_port(contend, trace):
    words = ("replay", trace(), "--latency", "0s", "--bandwidth", "1MB/s")
    (job,) = contend(*words, "--background", "0.5", "--json").json["jobs"]
    assert job["low"] <= job["together"] <= job["high"]
    assert "a background of 2" in contend(*words, "--background", "2").err
    assert "jobs" not in contend(*words, "--json").json


def test_the_page_of_several_jobs_shows_who_loses(contend, trace, tmp_path):
    words = ("replay", trace(), trace(PING, "b.txt"), *NET, "--map", "0,1,1,0")
    page = tmp_path / "page.html"
    assert contend(*words, "-o", page).code == 0
    text = page.read_text()
    assert "What jobs lose to each other" in text and "trace.txt, b.txt" in text
