"""contend tune for NCCL: from what nccl-tests measured to the CSV of a tuner."""

import json

import numpy as np
import pytest

from contend.tune.exports.formats.nccl import LEAVE_IT
from support.nccl_tests import result, run

SIZES = [4096 * 4**power for power in range(6)]
LAWS = {  # share of the default's time, below and from 200 kB on
    "native": (1.0, 1.0), "tree": (0.6, 1.5), "ring": (2.0, 0.7), "alike": (0.99, 1.01),
}  # fmt: skip
VARIABLES = {
    "native": [], "alike": ["NCCL_ALGO=Ring", "NCCL_PROTO=LL"],
    "tree": ["NCCL_ALGO=Tree", "NCCL_PROTO=LL128"],
    "ring": ["NCCL_ALGO=allreduce:ring", "NCCL_PROTO=Simple", "NCCL_MIN_NCHANNELS=16",
             "NCCL_MAX_NCHANNELS=16"],
}  # fmt: skip


def run_of(kind, rng):
    """The JSON of a run."""
    times = {
        size: (20 + size / 2e5) * LAWS[kind][size > 200_000] * np.exp(0.02 * rng.normal())
        for size in SIZES
    }
    return run(env=VARIABLES[kind], results=[result(*one, 1.0) for one in times.items()])


@pytest.fixture
def decided(contend, tmp_path):
    """A function that measures, fits and decides; the file of the decisions."""

    def decide(*kinds):
        rng = np.random.default_rng(3)
        for kind in kinds:
            files = [tmp_path / f"{kind}-{launch}.json" for launch in range(5)]
            for file in files:
                file.write_text(json.dumps(run_of(kind, rng), separators=(",", ":")))
            assert contend("import", *files, "-o", tmp_path / "s.jsonl").code == 0
        network, path = tmp_path / "n.json", tmp_path / "d.json"
        contend("fit", tmp_path / "s.jsonl", "--operation", "allreduce", "-o", network)
        assert contend("choose", network, "--table", "-o", path).code == 0
        return path

    return decide


def data_of(path):
    return [line for line in path.read_text().splitlines() if line and line[0] != "#"]


def test_what_was_measured_per_algorithm_becomes_rules(contend, decided, tmp_path):
    rules = tmp_path / "rules.csv"
    rules.write_text("# mine\nreduce,0,100,ring,ll,0,2,8\nallreduce,0,9,ring,ll,0,2,8\n")
    outcome = contend("tune", "export", decided("native", "tree", "ring"), "-o", rules)
    assert outcome.code == 0
    assert data_of(rules) == [
        "allreduce,4096,131071,tree,ll128,0,2,8",
        "allreduce,131072,4194304,ring,simple,16,2,8",
        "reduce,0,100,ring,ll,0,2,8",
    ]
    text = rules.read_text()
    assert text.startswith("# Rules for NCCL 2.28.3, by contend ")
    assert "# mine\nreduce" in text
    assert f"export NCCL_TUNER_CONFIG_FILE={rules}" in outcome.out
    assert "nothing shows here what it does" in outcome.err
    linted = contend("tune", "lint", rules)
    linted.prints("CSV of NCCL's tuner plugin, read as by 2.28.3")
    assert "warning" not in linted.out


def test_where_nothing_is_better_nothing_is_changed(contend, decided, tmp_path):
    rules = tmp_path / "rules.csv"
    outcome = contend(
        "tune", "export", decided("native", "alike"), "--library", "nccl-2.27", "-o", rules
    )
    assert data_of(rules) == []
    assert f"# {LEAVE_IT}\n" in rules.read_text()
    assert "NCCL_TUNER" not in outcome.out
    assert "nothing is to be loaded" in outcome.err
    assert contend("tune", "lint", rules).code == 0


def test_rules_of_nccl_are_never_verified(contend, tmp_path):
    rules = tmp_path / "rules.csv"
    rules.write_text("allreduce,0,100,ring,ll,0,2,8\n")
    for target in ([], ["--library", "nccl"], ["--library", "rccl-2.30"]):
        contend("tune", "verify", rules, *target, "--", "mpiexec", "-n", "2", "true").fails(
            "is not seen here", "calls of MPI are watched alone", "NCCL_DEBUG_SUBSYS=TUNING"
        )


def test_faults_end_with_1_and_their_lines(contend, tmp_path):
    rules = tmp_path / "rules.csv"
    rules.write_text("# a\nAllReduce,0,64K,tree,ll,4,2,16\n")
    outcome = contend("tune", "lint", rules, "--library", "nccl-2.30")
    assert outcome.code == 1
    assert "line 2: no collective is named 'AllReduce'" in outcome.out
    assert "line 2: bytes to '64K' is read as 64" in outcome.out
