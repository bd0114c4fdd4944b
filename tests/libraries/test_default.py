"""What libraries run by themselves, and what is not known of it."""

import pytest

from contend.schedules.libraries import LIBRARIES, Version, library_named
from contend.schedules.libraries.default import CONDITIONS, defaults_of

MPICH = LIBRARIES.get("mpich")
OPENMPI = LIBRARIES.get("openmpi")
HAVING = ("mpich", "openmpi")  # tables
UNLISTED = {"basic_inplace", "pairwise_sendrecv_replace"}  # that cannot be chosen
COUNTS = (2, 3, 4, 7, 8, 9, 12, 16, 31, 32, 64, 100, 128, 1000, 5000)
SIZES = (1, 8, 9, 256, 257, 2048, 2049, 12288, 12289, 32769, 65536, 524288, 524289, 2**22)


@pytest.mark.parametrize("name", HAVING)
def test_a_table_names_algorithms_that_the_library_has(name: str) -> None:
    library, table = LIBRARIES.get(name), defaults_of(name)
    assert table is not None
    for head in table.heads:
        assert set(head.conditions) <= CONDITIONS.keys()
        for operation in head.operations:
            offered = {
                one.name
                for version in (table.since, (5, 0, 2))
                for one in library.algorithms(operation, version)
            }
            for _, row in head.rows:
                for entry in row.split(", "):
                    least, *words = entry.split() if entry[0].isdecimal() else ("0", *entry.split())
                    assert int(least) >= 0
                    named = words[0]
                    is_part = named.startswith("composition_")
                    assert named in offered | UNLISTED or is_part, (operation, row)


@pytest.mark.parametrize("name", HAVING)
def test_rows_ascend(name: str) -> None:
    table = defaults_of(name)
    assert table is not None
    for head in table.heads:
        assert bool(head.rows) != bool(head.unknown)
        for _, row in head.rows:
            sizes = [int(entry.split()[0]) for entry in row.split(", ")[1:]]
            assert sizes == sorted(set(sizes)), row


@pytest.mark.parametrize(
    "name", ["mpich-4.0", "mpich-4.1", "mpich-5.0.2", "openmpi-4.1", "openmpi-5"]
)
def test_what_runs_serves_the_ranks(name: str) -> None:
    library, version = library_named(name)
    for operation in library.operations(version):
        for n in COUNTS:
            for m in SIZES:
                default = library.default(operation, n, m, version, element=1)
                assert default.algorithm is None or default.algorithm.serves(n)


@pytest.mark.parametrize(
    ("operation", "n", "m", "name"),
    [
        ("alltoall", 8, 256, "scattered"),  # "comm_size<8" is asked below a question on the call
        ("alltoall", 9, 256, "brucks"),
        ("alltoall", 9, 257, "scattered"),
        ("alltoall", 12, 65536, "pairwise"),
        ("bcast", 7, 2**22, "binomial"),
        ("bcast", 8, 12289, "scatter_recursive_doubling_allgather"),
        ("bcast", 8, 524289, "scatter_ring_allgather"),
        ("bcast", 12, 12289, "scatter_ring_allgather"),
        ("allgather", 8, 65535, "recursive_doubling"),
        ("allgather", 8, 65536, "ring"),
        ("allgather", 12, 4096, "brucks"),
        ("allgather", 12, 8192, "ring"),
        ("reduce", 4, 2048, "binomial"),
        ("reduce", 4, 2049, "reduce_scatter_gather"),
        ("allreduce", 4, 8, "recursive_doubling"),
        ("allreduce", 4, 256, "reduce_scatter_allgather"),
        ("reduce_scatter", 6, 65536, "recursive_halving"),
        ("reduce_scatter", 8, 65536, "pairwise"),
        ("gather", 100, 1, "binomial"),
        ("barrier", 5, 0, "k_dissemination"),
    ],
)
def test_it_is_what_runs_showed(operation: str, n: int, m: int, name: str) -> None:
    default = MPICH.default(operation, n, m, (5, 0, 2))
    assert default.algorithm is not None and default.algorithm.name == name
    assert "as run with 4.0.2, 5.0.2" in default.source


@pytest.mark.parametrize(
    ("operation", "n", "m", "chosen", "runs"),
    [
        ("alltoall", 8, 64, "linear_sync", "linear_sync"),
        ("alltoall", 32, 4096, "linear", "linear"),
        ("alltoall", 32, 256, "modified_bruck", "modified_bruck"),
        ("bcast", 8, 2**20, "basic_linear", "basic_linear"),
        ("allgather", 16, 2**20, "recursive_doubling", "recursive_doubling"),
        ("allgather", 7, 64, "recursive_doubling", "bruck"),
        ("allgather", 33, 4096, "neighbor", "ring"),
        ("allreduce", 16, 8, "segmented_ring", "recursive_doubling"),
        ("allreduce", 2, 2**17, "segmented_ring", "ring"),  # it gets no segment
        ("allreduce", 32, 100, "segmented_ring", None),  # ring of single bytes, of doubles not
        ("reduce", 2, 4, "rabenseifner", None),
    ],
)
def test_what_is_chosen_may_hand_the_call_on(
    operation: str, n: int, m: int, chosen: str, runs: str | None
) -> None:
    default = OPENMPI.default(operation, n, m, (5, 0, 11))
    assert (default.algorithm and default.algorithm.name) == runs
    if default.algorithm is not None:
        assert (default.chosen or default.algorithm).name == chosen


def test_a_chain_by_itself_is_one_chain() -> None:
    default = OPENMPI.default("bcast", 4, 2**20, (4, 1))
    assert default.options["fanout"] == 1
    assert default.departing == {"fanout": 1}
    assert default.algorithm is not None
    assert default.algorithm.equivalent(4, default.options) == "segmented_chain"


def test_what_hangs_on_the_number_of_elements_is_known_with_their_size() -> None:
    assert str(MPICH.default("allreduce", 100, 2**20, (5,))) == "reduce_scatter_allgather"
    assert MPICH.default("allreduce", 100, 256, (5,)).algorithm is None
    assert str(MPICH.default("allreduce", 100, 256, (5,), element=8)) == "recursive_doubling"
    assert str(MPICH.default("allreduce", 100, 256, (5,), element=4)) == "reduce_scatter_allgather"


def test_by_node_is_known_apart() -> None:
    default = MPICH.default("bcast", 16, 64, (5,), ppn=4)
    assert str(default) == "composition_alpha"
    for ppn in (None, 1, 16):
        assert str(MPICH.default("bcast", 16, 64, (5,), ppn=ppn)) == "binomial"
    assert "coll/han" in OPENMPI.default("bcast", 16, 64, (5,), ppn=4).why
    assert str(OPENMPI.default("bcast", 16, 64, (4, 1), ppn=4)) == "knomial k=4"
    assert str(OPENMPI.default("alltoall", 16, 64, (5,), ppn=4)) == "modified_bruck"


def test_nothing_is_said_of_other_libraries_and_operations() -> None:
    assert "not in the tables" in LIBRARIES.get("intel").default("bcast", 8, 64, (2021, 18)).why
    assert "no scan" in MPICH.default("scan", 8, 64, (5, 0)).why
    assert "one rank" in MPICH.default("bcast", 1, 64, (5, 0)).why
    assert "without bytes" in MPICH.default("bcast", 8, 0, (5, 0)).why


@pytest.mark.parametrize(
    ("name", "version"),
    [("mpich", (3, 4)), ("mpich", (5, 1)), ("openmpi", (4, 0)), ("openmpi", (6,))],
)
def test_nothing_is_said_of_versions_that_nobody_looked_at(name: str, version: Version) -> None:
    default = LIBRARIES.get(name).default("bcast", 8, 64, version)
    assert default.algorithm is None
    assert str(default).startswith("not known: what ")


@pytest.mark.parametrize(
    ("operation", "n", "m", "runs"),
    [
        ("allreduce", 32, 31, "recursive_doubling"),
        ("allreduce", 32, 32, "ring"),
        ("reduce", 3, 1, "linear"),
        ("reduce", 3, 2, "rabenseifner"),  # the power of two below 3
        ("reduce", 2, 2, "rabenseifner"),
    ],
)
def test_as_many_elements_as_it_needs_are_not_few(
    operation: str, n: int, m: int, runs: str
) -> None:
    assert str(OPENMPI.default(operation, n, m, (4, 1), element=1)).split()[0] == runs
