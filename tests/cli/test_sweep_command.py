"""Sweeps from the command line."""

import json

import pytest

from support import networks

LINE = "line:20us:1GB/s"
RING = ("replay", "--vary", "pattern:ring:1MB", "--ranks", "4", "--executor", "here")


def test_the_product_of_choices_against_the_base(contend, tmp_path):
    network = networks.write(tmp_path / "network.json", networks.plogp())
    found = contend(*RING, "--network", f"{network},{LINE}", "--compute-factor", "1,0.5",
                    "--placement", "block,random:1-2", "--json").json  # fmt: skip
    assert len(found["cases"]) == 12
    assert found["varied"] == ["network", "placement", "compute"]
    base = [case for case in found["cases"] if case["is_base"]]
    assert [case["network"] for case in base] == [str(network)]
    assert base[0]["seconds"] == pytest.approx(found["base_seconds"])
    assert found["cases"][0]["network"] == LINE


def test_the_table_shows_what_varies_and_marks_the_base(contend):
    outcome = contend(*RING, "--network", LINE, "--hosts", "2", "--placement", "round-robin,block")
    outcome.prints("placement")
    assert "model" not in outcome.out
    assert "base" in outcome.out


def test_cases_of_a_file_are_taken_and_the_base_is_the_first_as_it_ran(contend, tmp_path):
    path = tmp_path / "cases.csv"
    path.write_text(f"network,ranks,compute\n{LINE},4,0.5\nline:20us:2GB/s,4,1\n")
    words = ("replay", "--vary", "pattern:ring:1MB:1:1s", "--executor", "here", "--cases", path)
    found = contend(*words, "--json").json
    assert [(case["network"], case["compute"], case["is_base"]) for case in found["cases"]] == [
        (LINE, 0.5, False), ("line:20us:2GB/s", 1, False), (LINE, 1, True),
    ]  # fmt: skip
    assert "write all choices into the file" in contend(*words, "--model", "ports").err


def test_a_failed_case_is_shown_and_ends_with_1_and_is_begun_again(contend, tmp_path):
    kept = tmp_path / "sweep.jsonl"
    words = (*RING, "--network", LINE, "--model", "maxmin,magic", "-o", kept)
    for _ in range(2):
        outcome = contend(*words)
        outcome.fails()
        assert "cannot share a network by 'magic'" in " ".join(outcome.out.split())
        assert "1 of 2 cases failed" in outcome.err
    lines = [json.loads(line) for line in kept.read_text().splitlines()]
    assert [line["case"]["model"] for line in lines] == ["maxmin", "magic", "magic"]


def test_other_ranks_of_a_recorded_trace_are_those_that_are_known(contend, tmp_path):
    trace = tmp_path / "trace.txt"
    trace.write_text("".join(f"{rank} init\n{rank} alltoall 1000 1000\n" for rank in range(4)))
    words = ("replay", "--vary", trace, "--network", "line:0s:1MB/s", "--ranks", "4,8",
             "--executor", "here", "--algorithm", "alltoall=direct", "--json")  # fmt: skip
    found = contend(*words).json
    assert {case["ranks"]: case["seconds"] for case in found["cases"]} == pytest.approx(
        {4: 3e-3, 8: 3.5e-3}
    )
    trace.write_text("0 init\n1 init\n0 send 1 0 1000\n1 recv 0 0 1000\n")
    outcome = contend(*words)
    assert outcome.code == 1
    assert "is a message from one rank to another" in outcome.out


def test_several_traces_in_several_cases_are_refused(contend):
    contend("replay", "--vary", "one", "two", "--network", LINE).fails(
        "one and two", "one after the other"
    )


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ((), "no network"),
        (("--network", "none.json"), "none.json"),
        (("--network", LINE, "--placement", "random:x-1"), "give seeds"),
        (("--network", LINE, "--algorithm", "alltoall"), "OPERATION=ALGORITHM"),
        (("--network", LINE, "--compute-factor", "fast"), "compute"),
        (("--network", LINE, "--cases", "none.csv"), "none.csv"),
    ],
)
def test_wrong_options_are_explained(contend, options, words):
    contend(*RING[:3], "--executor", "here", *options).fails(words)
