"""Programs whose calls are tried by other algorithms, with every MPI that is installed."""

import re
from pathlib import Path

import pytest

from contend.measure.build import preloaded_library
from contend.measure.command import LaunchOptions, settings
from support.mpis import any_mpi
from support.processes import completed

HERE = Path(__file__).parent
FLAGS = ("-std=c11", "-O1", "-D_GNU_SOURCE")
TRIED = re.compile(
    r"contend: tried: (?P<operation>\w+) of (?P<ranks>\d+) ranks.*: (?P<serving>.+) serves, "
    r"\d+ changes; (?P<trials>\d+) trials of (?P<algorithms>\d+) algorithms cost"
)
PLAN = """contend-exchange 1
level cluster
group a host a
group b host b
choose cluster 0 paced window=2
"""
pytestmark = [pytest.mark.mpi, pytest.mark.timeout(300)]
mpi = any_mpi


@pytest.fixture(scope="session")
def tried(mpi, compiled):
    """A function that runs tried.c under the library, with others loaded behind it."""
    library = preloaded_library(mpi)
    program = compiled(mpi.mpicc, *FLAGS, HERE / "tried.c")

    def run(*words, ranks=2, behind=(), **variables):
        loaded = ":".join(map(str, [library, *behind]))
        wanted = {"LD_PRELOAD": loaded, "CONTEND_TRY": "1", "CONTEND_TRY_EXPLAIN": "1"} | variables
        set_here = ["env", *(f"{key}={value}" for key, value in wanted.items())]
        launched = [*mpi.launcher, "-n", ranks, *set_here, program, *words]
        done = completed(launched, env=settings(mpi, ranks, LaunchOptions()), timeout=240)
        assert done.returncode == 0, done.stderr + done.stdout
        return done

    return run


def takes_algorithms(mpi) -> bool:
    return mpi.family in ("Open MPI", "MPICH")


@pytest.mark.parametrize("operation", ["alltoall", "allreduce", "bcast"])
def test_data_are_right_whatever_is_tried(tried, mpi, operation):
    done = tried(operation, 4096, 400, ranks=3)
    assert "wrong 0\n" in done.stdout
    if takes_algorithms(mpi):
        said = TRIED.search(done.stderr) or TRIED.search(tried(operation, 4096, 4000).stderr)
        if said is None:
            pytest.skip("ranks never came together within 0.5 ms, as trials wait for")
        assert said["operation"] == operation and int(said["trials"]) > 0, done.stderr
    else:
        assert (
            "contend: no algorithms of the MPI library are tried: this MPI library takes no"
            in done.stderr
        )


def test_sums_that_round_are_left_alone(tried):
    done = tried("sum", 4096, 400)
    assert "wrong 0\n" in done.stdout and "tried: " not in done.stderr.replace("are tried: ", "")


def test_nothing_is_tried_unless_asked_for(tried):
    done = tried("alltoall", 4096, 200, CONTEND_TRY="0")
    assert "wrong 0\n" in done.stdout and "tried" not in done.stderr


def test_a_planted_default_is_left_and_taken_back(tried, mpi, compiled):
    if mpi.family != "Open MPI":
        pytest.skip("the plant tells algorithms apart by the communicators of Open MPI")
    plant = compiled(mpi.mpicc, *FLAGS, "-shared", "-fPIC", HERE / "planted.c")
    done = tried("alltoall", 64, 3000, behind=[plant], PLANTED_MS="10")
    events = dict(line.split() for line in done.stdout.splitlines())
    assert int(events["found"]) < int(events["left"]), done.stdout
    assert events["wrong"] == "0"
    assert "the library's default serves" in done.stderr


@pytest.mark.parametrize("exchange", [0, 1])
def test_the_portfolio_of_exchanges_is_tried_too(tried, compiled, mpi, tmp_path, exchange):
    if mpi.family == "Open MPI":
        pytest.skip("the plant ends when the default is slow no more, before all had a trial")
    plan = tmp_path / "plan"
    plan.write_text(PLAN)
    plant = compiled(mpi.mpicc, *FLAGS, "-shared", "-fPIC", HERE / "planted.c")
    done = tried("alltoall", 64, 3000, behind=[plant], PLANTED_MS="5", TRIED_HOSTS="2",
                 TRIED_UNTIL="paced", CONTEND_EXCHANGE=str(exchange),
                 CONTEND_EXCHANGE_PLAN=plan)  # fmt: skip
    assert "wrong 0\nserved 1\n" in done.stdout, done.stderr


def test_ranks_with_other_plans_try_what_all_of_them_have(tried, mpi):
    done = tried("alltoall", 4096, 400, ranks=3, TRIED_HOSTS="2", TRIED_MEMORY="1")
    assert "wrong 0\n" in done.stdout
    if takes_algorithms(mpi):
        assert TRIED.search(done.stderr), done.stderr


def test_rules_that_were_not_to_act_are_not_woken(tried, mpi):
    if mpi.family != "Open MPI" or "4.1" not in mpi.title:
        pytest.skip("only Open MPI 4.1 has to be told before it begins")
    done = tried("alltoall", 4096, 200, OMPI_MCA_coll_tuned_alltoall_algorithm="1")
    assert "is told of algorithms already, but not to use them" in done.stderr
