"""What ranks add up along their groups is what MPI adds up."""

from pathlib import Path

import pytest

from contend.measure.build import source_folder
from contend.measure.command import LaunchOptions, settings
from support.processes import completed

pytestmark = [pytest.mark.mpi, pytest.mark.timeout(120)]


@pytest.mark.parametrize(
    "groups", ["0,1", "0,0", "1,0,1,0,1,1", "0,0,0,1,2", "0,1,2,3,4,5,6,7", "0,1,2,3,4,5,6,7,8"]
)
def test_sums_and_the_greatest_are_those_of_mpi(mpi, compiled, groups):
    """One group, groups of one rank, mixed order, and more groups than tell each other."""
    folder = source_folder() / "interpose" / "exchange"
    sources = [folder / f"transport/{name}.c" for name in ("addition", "requests")]
    sources.append(Path(__file__).parent / "additions.c")
    flags = ("-std=c11", "-O1", "-D_GNU_SOURCE", f"-I{folder}", "-pthread")
    program = compiled(mpi.mpicc, *flags, *sources, "-ldl", "-lm")
    ranks = groups.count(",") + 1
    words = [*mpi.launcher, "-n", str(ranks), program, groups, "20"]
    done = completed(words, env=settings(mpi, ranks, LaunchOptions()))
    assert (done.returncode, done.stdout.strip()) == (0, "0"), done.stderr
