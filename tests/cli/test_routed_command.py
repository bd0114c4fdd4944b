"""Topologies with routings on the command line: graph solve and replay."""

import pytest

FLOWS = "source,destination,bytes\n0,15,100\n1,14,100\n2,13,100\n3,12,100\n"


@pytest.fixture
def flows(tmp_path):
    file = tmp_path / "flows.csv"
    file.write_text(FLOWS)
    return file


def ends(contend, flows, word):
    done = contend("graph", "solve", flows, "--topology", word, "--bandwidth", "100B/s", "--json")
    return [flow["end"] for flow in done.json["flows"]]


def test_graph_solve_takes_a_routing_and_its_seed(contend, flows):
    spread = {tuple(ends(contend, flows, f"k-ary:4@random:{seed}")) for seed in range(4)}
    assert len(spread) > 1
    assert ends(contend, flows, "k-ary:4@random:1") == ends(contend, flows, "k-ary:4@random:1")
    assert ends(contend, flows, "k-ary:4@d-mod-k") == [1.0] * 4


def test_graph_solve_names_what_it_would_have_taken(contend, flows):
    done = contend(
        "graph", "solve", flows, "--topology", "torus:4x4@valiant", "--bandwidth", "1Gbit/s"
    )
    assert done.code == 1
    assert "has no detours" in done.err
    assert "random" in done.err


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
