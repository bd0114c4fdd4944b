"""What a sweep finds, whoever runs it, and what it keeps."""

import json
import math
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import contend
from contend.base.errors import ContendError, FileFormatError, InvalidInputError
from contend.base.records import read_records
from contend.programs.replay import replay
from contend.programs.sweeps import Case, Swept, product, sweep
from contend.programs.sweeps.product import placements, read_cases
from contend.programs.sweeps.setting import times_of
from contend.programs.traces.builder import TraceBuilder
from contend.programs.traces.kinds import OpKind
from support import networks
from support.processes import started

LINE = "line:20us:1GB/s"
RING = "pattern:ring:1MB"
BASE = {"network": LINE, "ranks": 4}


def exchanges(ranks=8, steps=3, m=20_000):
    """All-to-alls and broadcasts between uneven computation."""
    builder = TraceBuilder(ranks)
    for rank in range(ranks):
        me = builder.rank(rank)
        for step in range(steps):
            me.compute(1e-4 * (1 + (rank + step) % 3))
            me.add(OpKind.ALLTOALL, "alltoall", bytes=m)
            me.add(OpKind.BCAST, "bcast", peer=0, bytes=m)
    return builder.trace()


def whatifs():
    """200 cases."""
    found = product(
        Case(network=LINE, hosts=4),
        network=[LINE, "line:5us:10GB/s"],
        placement=placements(["block", "round-robin", "random:1-8"]),
        algorithms=["alltoall=pairwise", "alltoall=rotated", "alltoall=bruck", "alltoall=default",
                    "bcast=default"],
        topology=["switch", "fat-tree:2x2x1:2"],
        compute=[1, 0.5],
    )  # fmt: skip
    return found[:200]


def test_200_cases_are_the_same_by_every_executor(executor):
    trace, cases = exchanges(), whatifs()
    assert len(set(cases)) == 200
    here = sweep(trace, cases, executor="here")
    assert not (here["error"] != "").any()
    assert here.to_csv() == sweep(trace, cases, executor=executor).to_csv()


def test_a_case_is_the_replay_of_what_it_says():
    trace = exchanges()
    found = sweep(trace, [Case(network=LINE, compute=0.5, algorithms="bcast=chain")],
                  executor="here")  # fmt: skip
    once = replay(trace, times_of(LINE)[0], compute=0.5,
                  algorithms={"bcast": "chain"})  # fmt: skip
    assert (found["seconds"].tolist(), found["ranks"].tolist()) == ([once.seconds], [8])
    assert found["lost_share"].tolist() == [once.lost / once.seconds]


def test_speedup_is_over_the_base_and_the_fastest_is_first():
    found = sweep(RING, [{"network": "line:0s:4GB/s"}, {"network": "line:0s:1MB/s"}],
                  BASE | {"network": "line:0s:2GB/s"}, executor="here")  # fmt: skip
    assert found.index.tolist() == [0, -1, 1]
    assert found["speedup"].tolist() == pytest.approx([2, 1, 1 / 2000])
    assert found["is_base"].tolist() == [False, True, False]
    assert found.attrs["varied"] == ["network"]


def test_a_case_that_raises_is_told_and_the_others_go_on():
    found = sweep(RING, [{"algorithms": "bcast=chain"}, {"model": "magic"}, {"hosts": 2}], BASE,
                  executor="here")  # fmt: skip
    failed = found[found["error"] != ""]
    assert failed.index.tolist() == [1]
    assert "magic" in failed["error"].iloc[0]
    assert np.isfinite(found["seconds"]).sum() == 3
    assert math.isnan(failed["speedup"].iloc[0])


def test_a_base_that_fails_leaves_no_speedup():
    found = sweep(RING, [{"model": "maxmin"}], BASE | {"model": "magic"}, executor="here")
    assert found["speedup"].isna().all()
    assert np.isfinite(found["seconds"].iloc[0])


def test_what_is_kept_is_not_run_again_but_for_failures_which_come_last(tmp_path):
    kept, told = tmp_path / "sweep.jsonl", []
    cases = [BASE, BASE | {"compute": 2}, BASE | {"model": "magic"}]
    words = {"executor": "here", "kept": kept, "told": lambda one, *_: told.append(one)}
    first = sweep(RING, cases, **words)
    assert len(told) == 3
    again = sweep(RING, [*cases, BASE | {"compute": 3}], **words)
    assert [one.case.model for one in told[3:]] == ["", "magic"]
    assert again.loc[[0, 1], "seconds"].equals(first.loc[[0, 1], "seconds"])
    assert len(read_records(Swept, kept, "")) == 5
    sweep("pattern:ring:2MB", [BASE], **words)  # another trace
    assert len(told) == 6


def test_a_network_file_that_changed_is_replayed_anew(tmp_path):
    kept, path = tmp_path / "sweep.jsonl", tmp_path / "network.json"
    base = {"network": str(path), "ranks": 2}
    seconds = []
    for latency in (1e-5, 1e-3):
        networks.write(path, networks.plogp(latency=latency))
        found = sweep("pattern:bcast:1", [base], executor="here", kept=kept)
        seconds += found["seconds"].tolist()
    assert seconds[1] - seconds[0] == pytest.approx(1e-3 - 1e-5)


def test_files_are_found_by_workers_that_are_in_another_folder(tmp_path, monkeypatch):
    networks.write(tmp_path / "network.json", networks.plogp())
    (tmp_path / "map.txt").write_text("0 1")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(ThreadPoolExecutor, "submit", moving(ThreadPoolExecutor.submit))
    case = {"network": "network.json", "placement": "map.txt", "ranks": 2}
    with ThreadPoolExecutor(1) as executor:
        found = sweep(RING, [case], executor=executor)
    assert found["error"].tolist() == [""]


def moving(submit):
    def moved(self, fn, /, *args):
        os.chdir("/")
        return submit(self, fn, *args)

    return moved


def test_a_sweep_that_was_killed_goes_on_where_it_was(tmp_path):
    kept = tmp_path / "sweep.jsonl"
    words = [sys.executable, "-m", "contend", "replay", "--vary", "pattern:alltoall:1:400",
             "--network", LINE,
             "--ranks", "16", "--placement", "random:1-20", "--hosts", "8", "--executor", "here",
             "-o", str(kept), "--json"]  # fmt: skip
    with started(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as first:
        while first.poll() is None and (not kept.exists() or kept.read_bytes().count(b"\n") < 5):
            time.sleep(0.005)
        first.kill()
    before = kept.read_bytes()
    assert 5 <= before.count(b"\n") < 21, "it was to be killed in the midst of its cases"
    done = subprocess.run(words, capture_output=True, check=True)
    assert kept.read_bytes().startswith(before[: before.rindex(b"\n") + 1])
    lines = [json.loads(line) for line in kept.read_text().splitlines()]
    assert len({json.dumps(line["case"]) for line in lines}) == len(lines) == 21
    assert len(json.loads(done.stdout)["cases"]) == 21
    assert [path.name for path in tmp_path.iterdir()] == ["sweep.jsonl"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("is_begun", [False, True])
def test_a_signal_to_all_processes_ends_the_sweep_in_one_line(tmp_path, number, is_begun):
    """As Ctrl-C does, while workers begin and while they run cases."""
    kept = tmp_path / "sweep.jsonl"
    words = [sys.executable, "-m", "contend", "replay", "--vary", "pattern:alltoall:1:400",
             "--network", LINE,
             "--ranks", "16", "--placement", "random:1-9999", "--executor", "processes:2",
             "-o", str(kept)]  # fmt: skip
    with started(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                 start_new_session=True) as leader:  # fmt: skip
        while leader.poll() is None and not kept.exists():
            time.sleep(0.005)
        while leader.poll() is None and is_begun and not kept.stat().st_size:
            time.sleep(0.005)
        os.killpg(leader.pid, number)
        _, said = leader.communicate()
    assert leader.returncode == 128 + number
    assert (
        said.strip()
        == "stopped; what was measured or written is kept, and the same command continues"
    )


def test_an_interrupt_keeps_what_is_done(tmp_path):
    kept = tmp_path / "sweep.jsonl"

    def interrupt(result, done, count):
        if done == 2:
            raise KeyboardInterrupt

    cases = [BASE | {"compute": factor} for factor in range(5)]
    with pytest.raises(KeyboardInterrupt):
        sweep(RING, cases, executor="processes", workers=1, kept=kept, told=interrupt)
    assert len(read_records(Swept, kept, "")) == 2
    assert [path.name for path in tmp_path.iterdir()] == ["sweep.jsonl"]
    found = sweep(RING, cases, executor="here", kept=kept)
    assert (found["error"] == "").all()
    assert len(read_records(Swept, kept, "")) == 5


def test_the_product_takes_each_operation_as_a_choice_of_its_own():
    base = Case(network=LINE, algorithms="reduce=binomial")
    found = product(base, algorithms=["alltoall=pairwise", "alltoall=default", "bcast=chain"])
    assert [case.algorithms for case in found] == [
        ("alltoall=pairwise", "bcast=chain", "reduce=binomial"),
        ("bcast=chain", "reduce=binomial"),
    ]
    assert len(product(base, compute=[1, 2, 1], hosts=[1, 2, 3])) == 6
    assert product(base) == [base]


def test_cases_of_a_table_have_what_it_leaves_out_from_the_base(tmp_path):
    path = tmp_path / "cases.csv"
    path.write_text('placement,compute,algorithms\nround-robin,,bcast=chain\n"0,0,1,1",0.5,\n')
    base = Case(network=LINE, hosts=2, compute=2)
    assert read_cases(path, base) == [
        base.but(placement="round-robin", algorithms=("bcast=chain",)),
        base.but(placement="0,0,1,1", compute=0.5),
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("speed\n1\n", "no field of a case is named 'speed'"),
        ("network\n", "no rows"),
        ("", "no field"),
        ("network,hosts\na.json,none\n", "line 2: hosts"),
        ("network,hosts\na.json,1,2\n", "line 2 has more values"),
        ("hosts\n1\n", "line 2: network"),
        (f"hosts\n{'1' * 200_000}\n", "line 2: network"),
    ],
)
def test_a_table_that_is_wrong_is_named_with_its_line(tmp_path, text, words):
    path = tmp_path / "cases.csv"
    path.write_text(text)
    with pytest.raises(ContendError, match=words):
        read_cases(path)


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"cases": []}, InvalidInputError, "no case"),
        ({"cases": [{"compute": 1}]}, InvalidInputError, "network"),
        ({"cases": [BASE | {"network": "none.json"}]}, FileFormatError, "none.json"),
        ({"cases": [BASE], "executor": "slurm"}, InvalidInputError, "processes:16, mpi, dask"),
        ({"cases": [BASE], "executor": "dask"}, InvalidInputError, "dask:ADDRESS"),
        ({"cases": [BASE | {"speed": 1}]}, InvalidInputError, "speed"),
        ({"cases": [BASE], "trace": "none.txt"}, FileFormatError, "no file none.txt"),
    ],
)
def test_what_can_be_known_beforehand_ends_the_sweep(arguments, error, words):
    with pytest.raises(error, match=words):
        sweep(**({"trace": RING, "executor": "here"} | arguments))


def test_the_public_name_is_the_function():
    assert contend.sweep is sweep
