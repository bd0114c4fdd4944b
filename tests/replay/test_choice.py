"""Collective operations of a trace by what the MPI library runs by itself."""

from itertools import product

import numpy as np
import pytest

from contend.base.errors import InvalidInputError
from contend.programs.replay import Line, replay
from contend.programs.replay.carriage import Carriage
from contend.programs.replay.choice import COLLECTIVE, chooser, in_words
from contend.programs.sweeps.setting import library_beside
from contend.programs.traces.builder import TraceBuilder
from contend.programs.traces.kinds import OpKind
from contend.programs.traces.reader import read_trace
from support.libraries import known
from support.recordings import RankWriter

NET = Line(1e-5, 1e8)
COUNTS = (2, 3, 5, 8, 12, 16, 33, 64, 128, 300, 1000, 5000)
SIZES = (0, 1, 8, 64, 100, 3000, 10_000, 100_000, 2**20)
SAID = "Open MPI v4.1.4, package: Debian OpenMPI, ident: 4.1.4"


def calls(n, kind, m, library="", name="call"):
    builder = TraceBuilder(n)
    builder.library = library
    for rank in range(n):
        builder.rank(rank).add(kind, name, peer=0, bytes=m)
    return builder.trace()


@pytest.mark.parametrize(
    "library", ["openmpi-4.1.4", "openmpi-5", "mpich-4.0", "intel-2021.18", ""]
)
@pytest.mark.parametrize("kind", sorted(COLLECTIVE))
def test_every_call_has_a_schedule_that_serves_it(library, kind):
    chooses = chooser({}, given=library)
    for n, m in product(COUNTS, SIZES):
        choice = chooses.choice(kind, n, m)
        assert choice.algorithm.restriction(n) is None
        assert choice.options.keys() <= set(choice.algorithm.options)


@pytest.mark.parametrize(
    ("call", "kind", "algorithm"),
    [
        ("MPI_Alltoall", OpKind.ALLTOALL, "throttled"),
        ("MPI_Ialltoall", OpKind.ALLTOALL, "direct"),
        ("MPI_Ialltoallv", OpKind.ALLTOALLV, "linear"),
        ("MPI_Alltoallw", OpKind.ALLTOALLV, "linear"),
    ],
)
def test_calls_beside_the_table_take_peers_in_order_of_rank(call, kind, algorithm):
    choice = chooser({}, given="openmpi-4.1.4").choice(kind, 8, 65536, call)
    assert choice.algorithm.name == algorithm
    of_mpich = chooser({}, given="mpich-5.0.2")
    assert of_mpich.choice(kind, 8, 65536, call) == of_mpich.choice(kind, 8, 65536)


def test_a_program_that_makes_a_call_in_both_forms_gets_both_schedules():
    builder = TraceBuilder(8)
    builder.library = SAID
    for rank in range(8):
        for name in ("MPI_Alltoall", "MPI_Ialltoall"):
            builder.rank(rank).add(OpKind.ALLTOALL, name, bytes=65536)
    found = replay(builder.trace(), NET)
    assert found.algorithms["alltoall"] == {"direct", "throttled"}


@pytest.mark.parametrize(
    ("library", "n", "kind", "m", "algorithm", "options"),
    [
        ("openmpi-4.1.4", 8, OpKind.ALLTOALL, 64, "throttled", {}),
        ("openmpi-4.1.4", 32, OpKind.ALLTOALL, 256, "bruck", {}),
        ("openmpi-4.1.4", 8, OpKind.ALLTOALLV, 256, "linear", {}),
        ("openmpi-4.1.4", 8, OpKind.BCAST, 2**20, "flat", {}),
        ("openmpi-4.1.4", 16, OpKind.BCAST, 64, "knomial", {"degree": 4}),
        ("openmpi-4.1.4", 4, OpKind.BCAST, 2**20, "segmented_chain", {"segment": 2**20}),
        ("openmpi-4.1.4", 7, OpKind.ALLGATHER, 64, "bruck", {}),
        ("mpich-5.0.2", 16, OpKind.ALLTOALL, 256, "bruck", {}),
        ("mpich-5.0.2", 8, OpKind.ALLTOALL, 256, "throttled", {"window": 32}),
        ("mpich-4.0.2", 12, OpKind.BARRIER, 0, "dissemination", {}),
    ],
)
def test_the_schedule_is_that_of_what_the_library_runs(library, n, kind, m, algorithm, options):
    choice = chooser({}, given=library).choice(kind, n, m)
    assert (choice.algorithm.name, dict(choice.options), choice.note) == (algorithm, options, "")


def test_the_library_is_that_of_the_trace_unless_it_is_named():
    at = calls(8, OpKind.BCAST, 2**20, SAID)
    assert replay(at, NET).algorithms == {"bcast": {"flat"}}
    assert replay(at, NET, library="mpich-5.0.2").algorithms == {
        "bcast": {"scatter_ring_allgather"}
    }
    assert replay(at, NET, algorithms={"bcast": "chain"}).algorithms == {"bcast": {"chain"}}


def test_the_replay_says_whose_choice_it_is_and_where_it_is_known_from():
    found = replay(calls(8, OpKind.BCAST, 2**20, SAID), NET)
    (text,) = in_words(found.chooser, found.choices)
    assert text.startswith("as by Open MPI 4.1.4, which the trace names (ompi/mca/coll/tuned/")
    assert text.endswith(": bcast basic_linear")


@pytest.mark.parametrize(
    ("library", "why"),
    [
        ("", "nothing names a library"),
        ("MVAPICH Version: 4.0", "nothing is known of 'MVAPICH Version: 4.0'"),
        ("Intel(R) MPI Library 2021.18", "what Intel MPI 2021.18 takes is not in the tables"),
        ("Open MPI v6.0.0", "what Open MPI 6.0.0 takes is not in the tables"),
    ],
)
def test_what_is_assumed_is_said(library, why):
    found = replay(calls(4, OpKind.BCAST, 64, library), NET)
    (text,) = in_words(found.chooser, found.choices)
    assert text.startswith(f"as by MPICH 5.0.2, assumed, as {why} (")


def test_an_unknown_library_that_is_named_is_an_error():
    with pytest.raises(InvalidInputError, match="no MPI library is named 'nompi'"):
        replay(calls(4, OpKind.BCAST, 64), NET, library="nompi-3")


def test_what_has_no_schedule_is_run_by_the_nearest_which_is_said():
    at = calls(64, OpKind.REDUCE_SCATTER, 64 * 1024, SAID, "MPI_Reduce_scatter")
    found = replay(at, NET)
    _, text = in_words(found.chooser, found.choices)
    assert text == (
        "reduce_scatter butterfly: by reduce_scatter recursive_halving, the nearest that the "
        "catalogue has"
    )


def test_a_reduce_scatter_of_equal_blocks_is_an_operation_of_its_own():
    of_blocks = calls(8, OpKind.REDUCE_SCATTER, 8 * 2**20, SAID, "MPI_Reduce_scatter_block")
    plain = calls(8, OpKind.REDUCE_SCATTER, 8 * 2**20, SAID, "MPI_Reduce_scatter")
    names = [
        [(one.operation, one.library_name) for one in replay(at, NET).choices]
        for at in (of_blocks, plain)
    ]
    assert names == [[("reduce_scatter_block", "basic_linear")], [("reduce_scatter", "ring")]]


def test_elements_that_decide_are_taken_to_have_eight_bytes():
    found = replay(calls(32, OpKind.ALLREDUCE, 100, SAID), NET)
    (choice,) = found.choices
    assert choice.library_name == "recursive_doubling"
    assert choice.note == "if elements have 8 bytes"


@pytest.mark.parametrize(
    ("library", "kind", "words"),
    [
        ("Open MPI v5.0.11", OpKind.BCAST, "not known: coll/han takes it"),
        ("MPICH Version: 5.0.2", OpKind.BARRIER, "composition_alpha"),
        ("MPICH Version: 5.0.2", OpKind.ALLTOALL, ""),
        (SAID, OpKind.BCAST, ""),
    ],
)
def test_what_it_does_with_several_ranks_a_host_is_said(library, kind, words):
    at = calls(8, kind, 64, library)
    nodes = Carriage(2, np.repeat(np.arange(2), 4), 1e8)
    (choice,) = replay(at, NET, carriage=nodes).choices
    note = f"as with a node for each rank; with 4 a node: {words}" if words else ""
    assert choice.note.startswith(note) and bool(choice.note) == bool(note)
    (alone,) = replay(at, NET).choices
    assert alone.note == ""


def test_scans_and_calls_of_one_rank_need_no_library():
    found = replay(calls(8, OpKind.SCAN, 64, SAID), NET)
    assert [one.library_name for one in found.choices] == [""]
    assert [*in_words(found.chooser, found.choices)] == []
    assert replay(calls(1, OpKind.BCAST, 64, SAID), NET).choices == ()


def test_a_trace_without_a_library_takes_that_of_the_network_file():
    trace = calls(8, OpKind.BCAST, 2**20)
    network = known(library="Open MPI v5.0.11")
    assert library_beside(trace, network) == "openmpi-5.0.11"
    assert library_beside(trace, None) == ""
    assert library_beside(calls(8, OpKind.BCAST, 64, SAID), network) == ""


@pytest.mark.parametrize(("line", "library"), [(f"library {SAID}", SAID), ("", "")])
def test_a_recorded_trace_has_the_library_of_its_title(tmp_path, line, library):
    folder = tmp_path / "trace"
    for rank in (0, 1):
        writer = RankWriter(rank, 2).world()
        writer.add("Barrier", 10, 20)
        writer.add("Finalize", 30, 30)
        writer.write(folder)
    title = folder / "trace.txt"
    title.write_text(title.read_text().replace("library none", line))
    assert read_trace(folder).library == library
