"""Commands on files of several conditions: what is apart stays so, and what is taken is said."""

import json

import pytest

from contend.samples import SampleStore, read_samples
from support.synthesis import alltoall, pingpong, sample

pytestmark = pytest.mark.usefixtures("quick_reports")
CUDA = {"memory": "cuda"}
SIZES = (64, 512, 4096, 32768)


@pytest.fixture
def two_memories(tmp_path):
    """Two tables of one exchange, of buffers of the host and of accelerators."""
    times = {None: {8: 10e-6, 2**20: 400e-6}, "cuda": {8: 20e-6, 2**20: 600e-6}}
    path = tmp_path / "both.jsonl"
    with SampleStore(path) as store:
        for memory, of in times.items():
            conditions = {"memory": memory} if memory else None
            store.extend(
                sample(m, 8, (seconds,), statistic="mean", conditions=conditions)
                for m, seconds in of.items()
            )
    return path


def exchange(*conditions):
    found = []
    for given, times in zip(conditions, (1, 7), strict=False):

        def seconds(n, m, times=times):
            return (n - 1) * times * (1e-5 + 2e-9 * m)

        both = [*pingpong(times * 1e-5, times * 1e-9, SIZES), *alltoall((4, 8, 16), seconds, SIZES)]
        found += [one.model_copy(update={"conditions": given}) for one in both]
    return found


def test_explain_has_a_series_for_each_memory(contend, two_memories):
    outcome = contend("explain", two_memories, "--json")
    found = {one["algorithm"]: one["sizes"] for one in json.loads(outcome.out)}
    assert {name: [row["seconds"] for row in rows] for name, rows in found.items()} == {
        "native": [10e-6, 400e-6], "native@memory=cuda": [20e-6, 600e-6],
    }  # fmt: skip
    overview = contend("explain", two_memories)
    assert "alltoall/native@memory=cuda" in overview.out
    one = contend("explain", two_memories, "--algorithm", "native@memory=cuda")
    assert "600 µs" in one.out and "400 µs" not in one.out


def test_every_command_says_which_conditions_it_takes(contend, tmp_path):
    samples, network = tmp_path / "samples.jsonl", tmp_path / "network.json"
    with SampleStore(samples) as store:
        store.extend(exchange(None, CUDA))
    fitted = contend("fit", samples, "-o", network, "--at", 8)
    assert "one message (memory=cuda): alpha 70 µs" in fitted.out
    contend("validate", network, samples).prints("alltoall/native@memory=cuda")
    usual = contend("predict", network, "-n", 32, "-m", "4KiB")
    assert "alltoall/native by" in usual.err
    assert "--algorithm chooses what was measured too: native@memory=cuda" in usual.err
    chosen = contend(
        "predict", network, "-n", 32, "-m", "4KiB", "--algorithm", "native@memory=cuda"
    )
    assert "alltoall/native@memory=cuda by" in chosen.err
    decided = contend("choose", network, "alltoall", "--table", "-o", tmp_path / "decisions.json")
    assert "decided is by alltoall/native, not by native@memory=cuda" in decided.err
    outcome = contend("report", network, samples, "-o", tmp_path / "report")
    assert outcome.code == 0, outcome.err
    page = (tmp_path / "report" / "report.html").read_text()
    assert "alltoall/native@memory=cuda" in page and "Ping-pong, memory=cuda" in page
    path = tmp_path / "extrap.json"
    assert contend("export", "extrap", samples, "--operation", "alltoall", "-o", path).code == 0
    values = json.loads(path.read_text())["measurements"]
    assert {*values} == {"alltoall->native", "alltoall->native@memory=cuda"}


def test_a_file_of_one_memory_needs_no_option(contend, tmp_path):
    samples, network = tmp_path / "samples.jsonl", tmp_path / "network.json"
    with SampleStore(samples) as store:
        store.extend(exchange(CUDA))
    assert contend("fit", samples, "-o", network, "--at", 8).code == 0
    for words in (
        ("predict", network, "-n", 32, "-m", "4KiB"),
        ("predict", network, "-n", 32, "-m", "4KiB", "--algorithm", "native"),
        ("validate", network, samples),
        ("report", network, samples, "-o", tmp_path / "report"),
        ("choose", network, "alltoall", "-o", tmp_path / "decisions.json"),
        ("design", network),
        ("explain", samples, network),
    ):
        outcome = contend(*words)
        assert outcome.code == 0, (words, outcome.err)


def test_a_table_of_points_keeps_conditions_when_it_is_read_again(contend, tmp_path, two_memories):
    for by in ("point", "repetition"):
        table, again = tmp_path / f"{by}.csv", tmp_path / f"{by}.jsonl"
        contend("export", "csv", two_memories, "--by", by, "-o", table)
        for _ in range(2):
            assert contend("import", table, "-o", again).code == 0
        found = read_samples(again)
        assert [one.conditions for one in found] == [None, None, CUDA, CUDA]
