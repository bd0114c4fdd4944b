"""What is said of MPI libraries agrees with the catalogue and with the libraries themselves."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from contend.base.errors import InvalidInputError
from contend.measure.mpi import MPI
from contend.models.signature.algorithm_growth import usual_growth
from contend.schedules.algorithm import algorithms
from contend.schedules.collective import COLLECTIVES
from contend.schedules.libraries import LIBRARIES, library_named, library_of
from support.mpis import any_mpi

mpi = any_mpi  # in place of the one that contend takes
ENUMERATED = re.compile(r"coll_tuned_(\w+)_algorithm:enumerator:value:(\d+):(\S+)")


@pytest.mark.parametrize(
    "said, name, version",
    [
        ("Open MPI v5.0.11, package: Open MPI root@host, ident: 5.0.11", "openmpi", (5, 0, 11)),
        ("Open MPI 4.1.6", "openmpi", (4, 1, 6)),
        ("OpenMPI 4.1.6rc1", "openmpi", (4, 1, 6)),
        ("MPICH Version:      5.0.2\nMPICH Release date: ...", "mpich", (5, 0, 2)),
        ("Intel(R) MPI Library 2021.18 for Linux* OS\n", "intel", (2021, 18)),
        ("NCCL version 2.28.3+cuda12.9", "nccl", (2, 28, 3)),
        ("RCCL version : 2.27.7-HEAD:5a82a29", "rccl", (2, 27, 7)),
    ],
)
def test_a_library_is_known_by_what_it_says(said, name, version):
    library, found = library_of(said)
    assert (library.name, found) == (name, version)


@pytest.mark.parametrize("said", ["MVAPICH Version: 4.0", "", "Spectrum MPI 10"])
def test_an_unknown_library_is_no_other(said):
    with pytest.raises(InvalidInputError, match="no MPI library is known"):
        library_of(said)


def test_a_series_means_its_oldest_version():
    assert library_named("openmpi-5")[1] == (5,)
    assert library_named("mpich")[1] == (4, 0)
    with pytest.raises(InvalidInputError, match=r"3\.1 is older"):
        library_named("openmpi-3.1")


@pytest.mark.parametrize("library", LIBRARIES.all(), ids=LIBRARIES.names())
def test_algorithms_of_an_operation_have_names_and_numbers_of_their_own(library):
    for version in (library.oldest, (9999,)):
        for operation in library.operations(version):
            offered = library.algorithms(operation, version)
            assert len({one.name for one in offered}) == len(offered)
            numbers = [one.number for one in offered if one.number is not None]
            assert numbers in ([], list(range(1, len(offered) + 1)))


@pytest.mark.parametrize("library", LIBRARIES.all(), ids=LIBRARIES.names())
def test_every_algorithm_can_be_forced_with_each_of_its_options(library):
    for one in library.table:
        plain = library.forcing(one, {}, (9999,))
        told = library.forcing(one, dict.fromkeys(one.options, 7), (9999,))
        assert plain.items() <= told.items()
        added = [value for name, value in told.items() if name not in plain]
        assert len(added) >= len(one.options)
        assert set(added) <= {"7"}
        with pytest.raises(InvalidInputError, match="has no option"):
            library.forcing(one, {"colour": 1}, (9999,))


@pytest.mark.parametrize("library", LIBRARIES.all(), ids=LIBRARIES.names())
def test_defaults_are_those_of_options(library):
    assert all(one.defaults.keys() <= set(one.options) for one in library.table)
    assert all(one.catalogue_where.keys() <= set(one.options) for one in library.table)


@pytest.mark.parametrize("library", LIBRARIES.all(), ids=LIBRARIES.names())
def test_equivalents_are_algorithms_of_the_catalogue_that_serve_as_many(library):
    for one in library.table:
        for n in (2, 3, 8, 12):
            named = one.equivalent(n, dict(one.catalogue_where))
            if named is None:
                continue
            assert algorithms(one.operation).get(named).restriction(n) is None, (one, n)


def test_numbers_of_open_mpi_are_those_of_the_catalogue():
    """Where the catalogue has an id, the library's algorithm of that id is the same one."""
    library = LIBRARIES.get("openmpi")
    for collective in COLLECTIVES:
        for one in algorithms(collective).all():
            if one.openmpi is None:
                continue
            match = next(e for e in library.algorithms(collective, (4, 1))
                         if e.number == one.openmpi)  # fmt: skip
            assert match.catalogue and match.catalogue.removeprefix("segmented_") == (
                one.name.removeprefix("segmented_")
            )


def test_names_of_mpich_are_those_of_the_catalogue():
    library = LIBRARIES.get("mpich")
    for collective in COLLECTIVES:
        for one in algorithms(collective).all():
            if one.mpich:
                known = {each.own_name for each in library.algorithms(collective, (5, 0))}
                assert one.mpich.split()[0] in known


@pytest.mark.mpi
def test_open_mpi_lists_the_same_algorithms_by_the_same_numbers(mpi: MPI):
    """Those of ompi_info beside its compiler, but for 0, which leaves the choice to it."""
    tool = Path(shutil.which(mpi.mpicc) or mpi.mpicc).with_name("ompi_info")
    if "Open MPI" not in mpi.title or not tool.is_file():
        pytest.skip(f"{mpi.title} has no ompi_info beside its compiler")
    words = ["--all", "--param", "coll", "tuned", "--level", "9", "--parsable"]
    listed = subprocess.run(
        [tool, *words], capture_output=True, text=True, check=True, timeout=60, env=os.environ
    ).stdout
    found = {(operation, int(number), name) for operation, number, name in
             ENUMERATED.findall(listed) if number != "0"}  # fmt: skip
    library, version = library_of(mpi.title)
    offered = (
        one for name in library.operations(version) for one in library.algorithms(name, version)
    )
    assert found == {(one.operation, one.number, one.name) for one in offered}


@pytest.mark.parametrize("operation", ["reduce_scatter", "reduce_scatter_block"])
def test_growth_follows_the_chain(operation: str) -> None:
    chain = LIBRARIES.get("mpich").algorithm(operation, "recursive_doubling", (5, 0)).chain
    for power in (3, 5, 7):  # each turn leaves out twice as many
        assert chain[2**power] == (power, 2**power * power - (2**power - 1))
    assert (chain[6], chain[12]) == ((4, 17), (5, 45))  # counted by hand
    usual = usual_growth(operation, "mpich:recursive_doubling")
    assert usual.startups[:2] == (0.0, 1.0)
    assert usual.startups[-1] > 0.1  # more where n is no power of two
    assert usual.bytes[:2] == (1.0, 1.0)
