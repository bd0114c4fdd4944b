"""The exchange library: results of the MPI library, nothing left behind, doubts go to it."""

import json
import os
import signal
import subprocess
from math import comb
from pathlib import Path

import pytest

from contend.alltoall.clusters.plan import PORTFOLIO
from contend.measure.build import preloaded_library
from contend.measure.command import LaunchOptions, settings
from support.processes import completed

pytestmark = [pytest.mark.mpi, pytest.mark.timeout(120)]

# Every algorithm gets some of the sizes, which are mostly multiples of 24 bytes.
EVERY_ALGORITHM = Path(__file__).parent / "every_algorithm.plan"
GROUPS = """contend-exchange 1
level cluster
group a host a*
group b host b*
group c host c*
link cluster latency_s 0.005 bandwidth 1e8 buffer 131072 timeout_s 0.2
"""


@pytest.fixture
def plan(tmp_path):
    """A function that writes a plan of that text."""

    def write(text):
        path = tmp_path / "plan"
        path.write_text(text)
        return path

    return write


@pytest.mark.parametrize("seed", [1, 2])
def test_random_calls_give_what_mpi_gives_and_leave_nothing(answer, seed):
    said = answer("fuzz", "random", seed, 240, *PORTFOLIO, ranks=6, plan=EVERY_ALGORITHM, check=0)
    assert said["held"] == 0
    assert all(said[name] > 0 for name in PORTFOLIO)


@pytest.mark.parametrize(
    ("hosts", "said"),
    [("a,a,a,b,b", "groups of these sizes do not suit 'lg'"),
     ("a,a,a,a,a", "all ranks are in one group, not as 'lg' needs")],
)  # fmt: skip
def test_what_is_forced_and_cannot_be_is_told(preloaded, plan, hosts, said):
    done = preloaded(
        "messages", hosts, 8, ranks=5, plan=plan(GROUPS), algorithm="lg", level="cluster"
    )
    assert done.returncode == 0
    assert f"contend: {said}; every all-to-all is the MPI library's own" in done.stderr


@pytest.mark.parametrize("groups", ["pairs", "triples"])
def test_groups_of_all_sizes_give_what_mpi_gives(answer, mpi, groups):
    ranks = 12 if mpi.family == "Open MPI" else 8  # others spin where cores are few
    said = answer("fuzz", groups, 7, 3, *PORTFOLIO, ranks=ranks, plan=EVERY_ALGORITHM)
    assert said["calls"] == 3 * (comb(ranks, 2) if groups == "pairs" else comb(min(ranks, 9), 3))
    assert said["held"] == 0


@pytest.mark.parametrize(
    "name",
    ["paced window=1", "throttled_pairwise", "lg_balanced window=1", "leaders leaders=1",
     "lg_pipelined chunk=30 window=all", "paced window=all", "throttled_pairwise window=all",
     "spaced chunk=30", "spaced window=1"],
)  # fmt: skip
def test_each_algorithm_alone_gives_what_mpi_gives(answer, plan, name):
    word = name.split(maxsplit=1)[0]
    said = answer("fuzz", "random", 3, 80, word, ranks=5, plan=plan(GROUPS), algorithm=name)
    assert said["held"] == 0
    assert said[word] > 20


def test_without_memory_for_scratch_the_mpi_library_serves(answer):
    names = ("native", "node_aware")
    said = answer("fuzz", "random", 4, 80, *names, ranks=4, algorithm="node_aware", memory=0)
    assert said["native"] > 0
    assert said["node_aware"] == 0


USES = [  # words, ranks, what is forced, and calls of rank 0 that it serves
    (("ending",), 5, "lg_balanced", 1), (("threads", 50), 4, "lg_balanced", 100),
    (("errors",), 4, "lg_balanced", 2),
    (("freed", 9), 4, "lg_balanced", 9),  # those in the callback are the MPI library's
    (("finalized",), 4, "lg_balanced", 2), (("crossed",), 4, "lg_balanced", 40),
    (("unfinished", 6), 4, "lg_balanced", 21),
    (("copied",), 4, "paced", None), (("session",), 4, "lg_balanced", None),
    # Under the check, while calls are timed.
    (("freed", 9), 4, None, None), (("crossed",), 4, None, None),
    (("unfinished", 12), 4, None, None),
]  # fmt: skip
EXTENTS = [
    (("one_array",), 5, "lg_balanced", 1), (("absolute_places",), 5, "lg_balanced", 1),
    (("uncommitted",), 5, "lg_balanced", 1),
    *((("truncated",), 4, name, 40) for name in ("paced", "throttled_pairwise window=2")),
    *(((mode,), 4, name, calls) for name in ("lg_balanced", "paced")
      for mode, calls in (("uncounted", 24), ("empty", 24), ("far", 12))),
    (("bounds",), 4, "lg_balanced", 0),  # more is expected than comes
    (("uncounted",), 3, None, None),  # under the check
]  # fmt: skip
FORMS = [
    (("open", 12), 4, "lg_balanced", 24), (("open", 12), 4, None, None),
    (("between",), 4, "lg_balanced", 0),
    *((("in_place",), 4, name, 6) for name in ("lg_balanced", "paced", "lg_pipelined chunk=8")),
]  # fmt: skip
CASES = [
    (name, *one)
    for name, those in (("uses", USES), ("extents", EXTENTS), ("forms", FORMS))
    for one in those
]


@pytest.mark.parametrize(("program", "words", "ranks", "algorithm", "calls"), CASES)
def test_what_few_programs_do_is_served_or_left_to_mpi_by_all_ranks(
    answer, program, words, ranks, algorithm, calls
):
    forced = {} if algorithm is None else {"algorithm": algorithm}
    said = answer(program, *words, ranks=ranks, **forced)
    assert said == {"calls": said["calls"] if calls is None else calls, "held": 0}


@pytest.mark.skipif(
    "CONTEND_HEAVY" not in os.environ, reason="takes 4 GB of memory; CONTEND_HEAVY=1 runs it"
)
@pytest.mark.parametrize(("algorithm", "calls"), [("paced", 2), ("lg_balanced", 0)])
def test_calls_of_gigabytes(answer, algorithm, calls):
    assert answer("extents", "heavy", ranks=4, algorithm=algorithm) == {"calls": calls, "held": 0}


def test_communicators_come_and_go(answer, mpi):
    """The program itself looks whether it grows from the first fifth of them on."""
    is_quick = mpi.family == "Open MPI"  # others take long to make one where cores are few
    ranks, algorithm = (4, "lg_balanced") if is_quick else (2, "paced")
    said = answer("uses", "communicators", 1000, ranks=ranks, algorithm=algorithm)
    assert said == {"calls": 1000, "held": 0}


def test_an_exchange_does_not_wait_for_copies_of_communicators(answer, mpi):
    calls = 0 if mpi.family == "Open MPI" else 10  # Open MPI would hang
    assert answer("uses", "copies", ranks=5, algorithm="lg_balanced") == {"calls": calls, "held": 0}


def test_a_rank_that_revokes_a_communicator_wakes_the_others(answer, mpi):
    if mpi.title.split(".")[0] != "Open MPI 5":
        pytest.skip(f"{mpi.title} comes without fault tolerance, or dies of it by itself")
    fault_tolerant = {"options": ("--with-ft", "ulfm"), "algorithm": "lg_balanced"}
    assert answer("uses", "revoked", ranks=4, **fault_tolerant)["calls"] == 2


def test_who_waits_for_ranks_that_come_late_says_so_at_most_once(preloaded):
    done = preloaded("uses", "communicators", 3, ranks=4, algorithm="lg_balanced", patience=0)
    assert json.loads(done.stdout) == {"calls": 3, "held": 0}
    assert done.stderr.count("has waited 0 s") <= 3  # ranks 0, 1 and 2


@pytest.mark.parametrize("wrong", ["soon", "-1", "nan", "1 s"])
def test_a_wrong_patience_is_one_line_and_the_mpi_library_serves(preloaded, wrong):
    done = preloaded("uses", "communicators", 1, ranks=2, algorithm="paced", patience=wrong)
    assert json.loads(done.stdout) == {"calls": 0, "held": 0}
    assert f"CONTEND_EXCHANGE_PATIENCE is a number of seconds, got '{wrong}'" in done.stderr


def test_ranks_without_the_library_are_named_by_those_with_it(mpi, compiled):
    source = Path(__file__).with_name("uses.c")
    program = compiled(mpi.mpicc, "-std=c11", "-D_GNU_SOURCE", "-pthread", source, "-ldl")
    words = [str(program), "communicators", "3"]
    loaded = ["env", f"LD_PRELOAD={preloaded_library(mpi)}", "CONTEND_EXCHANGE=1"]
    loaded += ["CONTEND_EXCHANGE_PATIENCE=0.2", *words]
    command = [*mpi.launcher, "-n", "1", *words, ":", "-n", "2", *loaded]
    with subprocess.Popen(
        command,
        env={**os.environ, **settings(mpi, 3, LaunchOptions())},
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True,
    ) as running:  # fmt: skip
        assert running.stderr is not None
        try:
            told = next(line for line in running.stderr if line.startswith("contend:"))
        finally:
            os.killpg(running.pid, signal.SIGKILL)
    assert "of 3 has waited 0.2 s for ranks that are late or without" in told


def test_calls_of_fortran_are_served(answer, mpi):
    if mpi.family != "Open MPI":
        pytest.skip("its Fortran procedures call those of C")
    if not Path(mpi.mpicc).with_name(Path(mpi.mpicc).name.replace("mpicc", "mpifort")).exists():
        pytest.skip(f"{mpi.title} comes without Fortran")
    said = answer("fortran", ranks=4, libraries=("-lmpi_mpifh",), algorithm="lg_balanced")
    assert said == {"calls": 5, "right": 1}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (None, "/none"),
        ("contend-exchange 2\n", "a plan begins with 'contend-exchange 1'"),
        (GROUPS + "rate 5\n", "line 7: a line begins with level, group, link or choose"),
        (GROUPS + "choose cluster 0 fast\n", "there is no algorithm 'fast'"),
        (GROUPS + "choose site 0 lg\n", "a choice has a level that is declared before"),
        ("contend-exchange 1\nlevel x\ngroup a subnet 10.1/33\nchoose x 0 lg\n", "or a subnet"),
        (
            "contend-exchange 1\nlevel x\ngroup a host z\nchoose x 0 lg\n",
            "is in no group of level 'x'",
        ),
        (
            GROUPS + "group d subnet 127.0.0.0/8\nchoose cluster 0 lg\n",
            "is in two groups of level 'cluster'",
        ),
        ("contend-exchange 1\nlevel x\ngroup a subnet fd00::/129\nchoose x 0 lg\n", "or a subnet"),
        ("contend-exchange 1\nlevel x\ngroup a subnet 10.0.0/8\nchoose x 0 lg\n", "or a subnet"),
    ],
)
def test_a_plan_that_is_not_understood_is_one_line_and_native_calls(preloaded, plan, text, reason):
    done = preloaded("uses", "errors", ranks=2, plan=plan(text) if text else "/none")
    assert done.stdout == '{"calls": 0, "held": 0}\n'
    assert done.stderr.count("contend:") == 1
    assert reason in done.stderr


# This host is 127.0.0.1, and ::1 where it has IPv6: in the group of both, and in no other.
SUBNETS = """contend-exchange 1
level x
group near subnet 126.0.0.0/7
group near subnet ::/127
group far subnet 124.0.0.0/7
group far subnet 127.128.0.0/9
group far subnet ::2/127
level y
group both host [a]
group both host b.example
group both host b
choose node 0 lg_balanced
"""


def test_hosts_are_found_by_subnets_and_by_several_patterns_of_a_group(answer, plan):
    said = answer("uses", "errors", ranks=4, plan=plan(SUBNETS), check=0)
    assert said == {"calls": 2, "held": 0}


@pytest.mark.parametrize("children", ["plain", "preloaded"])
def test_nothing_is_asked_of_ranks_of_another_world(answer, tmp_path, children):
    summary = tmp_path / "summary.json"
    said = answer("spawned", children, ranks=4, algorithm="lg_balanced", summary=summary)
    assert said == {"ranks": 6, "calls": 1, "held": 0}
    assert json.loads(summary.read_text())["ranks"] == 4  # of those that spawned, not of the others


def test_a_summary_does_not_replace_what_is_no_file(preloaded, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        done = preloaded("uses", "errors", ranks=2, algorithm="lg_balanced", summary=pipe)
        assert done.returncode == 0, done.stderr
        assert json.loads(os.read(reader, 1 << 16))["schema"] == "contend.exchange-summary"
    finally:
        os.close(reader)
    assert pipe.is_fifo()


PLAN_OF_CLUSTERS = GROUPS + "choose cluster 0 lg_balanced\n"
# Values of all variables that the library reads, other than those that the ranks have in common.
OTHERS = {
    "LEVEL": ["node", ""], "ALGORITHM": ["lg"], "MEMORY": ["4096"], "CHECK": ["1"],
    "PATIENCE": ["soon"], "PLAN": ["/none"], "EXPLAIN": ["/dev/null"], "SUMMARY": ["/dev/null"],
}  # fmt: skip


@pytest.mark.parametrize(("name", "value"), [(n, v) for n, those in OTHERS.items() for v in those])
def test_a_variable_that_a_rank_alone_has_ends_in_what_mpi_gives(mpi, compiled, plan, name, value):
    source = Path(__file__).with_name("messages.c")
    program = compiled(mpi.mpicc, "-std=c11", "-D_GNU_SOURCE", "-pthread", source, "-ldl", "-lm")
    common = {
        "PLAN": plan(PLAN_OF_CLUSTERS), "ALGORITHM": "lg_balanced", "CHECK": "0", "PATIENCE": "60",
    }  # fmt: skip
    if name == "CHECK":
        del common["ALGORITHM"]  # what is forced is not checked
    words = ["env", *(f"CONTEND_EXCHANGE_{key}={text}" for key, text in common.items())]
    words += [f"LD_PRELOAD={preloaded_library(mpi)}", "CONTEND_EXCHANGE=1"]
    alone = [*words, f"CONTEND_EXCHANGE_{name}={value}"]
    asked = [str(program), "a,a,b,b", "8"]
    command = [*mpi.launcher, "-n", "3", *words, *asked, ":", "-n", "1", *alone, *asked]
    done = completed(command, env=settings(mpi, 4, LaunchOptions()), timeout=60)
    assert done.returncode == 0, done.stderr
    is_agreed = name in ("EXPLAIN", "SUMMARY") or value == ""
    assert ("the ranks have not read the same plan" in done.stderr) is not is_agreed
