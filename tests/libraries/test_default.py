"""What MPICH is said to run by itself is what the MPICH that is here has in its library."""

import json
from itertools import product

import pytest

from contend.errors import MissingToolError
from contend.exports import FileRule, format_named
from contend.exports.csel.shipped import installed, shipped
from contend.exports.filerule import rule_for
from contend.libraries import LIBRARIES

MPICH = LIBRARIES.get("mpich")
OPERATIONS = sorted({one.operation for one in MPICH.choices})
COUNTS = (2, 3, 4, 6, 7, 8, 9, 12, 16, 24, 31, 32, 48, 64, 100, 128, 1000)
SIZES = (1, 8, 9, 255, 256, 257, 2048, 2049, 12287, 12288, 12289, 32768, 32769, 65536, 524287,
         524288, 524289, 2**22)  # fmt: skip


@pytest.fixture(scope="module")
def own_rules() -> list[FileRule]:
    """Of communicators whose ranks are alone on their nodes, as the formats of files read them."""
    try:
        tree = shipped(installed()).tree
    except MissingToolError as error:
        pytest.skip(str(error))
    form, version = format_named("mpich")
    return [one for one in form.read(json.dumps(tree), version) if not one.when]


@pytest.mark.parametrize("operation", OPERATIONS)
def test_it_is_what_the_library_has(own_rules: list[FileRule], operation: str) -> None:
    told = 0
    version = (4, 1) if any(one.algorithm == "k_dissemination" for one in own_rules) else (4, 0)
    for n, m in product(COUNTS, SIZES):
        name = MPICH.own_choice(operation, n, m, version)
        if name is not None:
            told += 1
            found = rule_for(own_rules, operation, n, m)
            assert found is not None and name == found.algorithm, (n, m)
    assert told > len(COUNTS) * len(SIZES) / 2


@pytest.mark.parametrize("version", [(4, 0), (4, 1), (5, 0, 2)])
def test_the_library_offers_what_it_is_said_to_run(version: tuple[int, ...]) -> None:
    for operation, n, m in product(OPERATIONS, COUNTS, SIZES):
        name = MPICH.own_choice(operation, n, m, version)
        if name is not None:
            assert MPICH.algorithm(operation, name, version).serves(n)


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
    assert MPICH.own_choice(operation, n, m, (5, 0, 2)) == name


def test_what_hangs_on_the_number_of_elements_is_not_told() -> None:
    assert MPICH.own_choice("allreduce", 100, 2**20, (5,)) == "reduce_scatter_allgather"
    assert MPICH.own_choice("allreduce", 100, 1024, (5,)) is None


def test_nothing_is_said_of_other_libraries_and_operations() -> None:
    assert LIBRARIES.get("openmpi").own_choice("bcast", 8, 64, (5, 0)) is None
    assert MPICH.own_choice("scan", 8, 64, (5, 0)) is None


@pytest.mark.parametrize("version", [(3, 4), (5, 1), (6,)])
def test_nothing_is_said_of_versions_that_nobody_looked_at(version: tuple[int, ...]) -> None:
    assert MPICH.own_choice("bcast", 8, 64, version) is None
