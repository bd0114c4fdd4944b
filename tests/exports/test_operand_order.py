"""Every algorithm of every library, told to run, with an operation that does not commute.

What is said to reorder operands is wrong in some case, and everything else right in all of them;
results are held against those of the ranks in their order (results.c).
"""

from __future__ import annotations

import pytest
from results import Results, computing

from support.decisions import rule
from support.mpis import any_mpi

pytestmark = [pytest.mark.mpi, pytest.mark.timeout(900)]
mpi = any_mpi
__all__ = ["computing"]

REDUCING = ("reduce", "allreduce", "reduce_scatter", "reduce_scatter_block", "scan", "exscan")
COUNTS = "0,1,3,20,3000"  # fewer elements than ranks, and more than some segments


def wrong(found: Results) -> list[str]:
    return [name for name, (_, elements) in found.items() if elements]


@pytest.mark.parametrize("operation", REDUCING)
def test_what_is_forced_reorders_operands_or_not_as_is_said(computing, operation):
    """By environment variables, as it is measured; MPICH then runs another where one cannot."""
    fallback = {"MPIR_CVAR_COLLECTIVE_FALLBACK": "silent"}
    offered = computing.library.algorithms(operation, computing.version)
    if not offered:
        pytest.skip(f"{computing.mpi.title} has no algorithms of {operation}")
    for one in offered:
        if one.name == "noncommutative" and operation == "reduce_scatter":
            continue  # by a variable it ends calls of uneven blocks; a file asks
        segments = [{}, {"segment": 1024}] if "segment" in one.options else [{}]
        for options in segments:
            forced = computing.library.forcing(one, options, computing.version) | fallback
            found = computing.under(forced, operation, "composed", COUNTS)
            assert len(found) >= 40
            assert bool(wrong(found)) == one.reorders_operands, (one.name, options, wrong(found))


def test_a_reduction_that_reorders_is_inside_of_others(computing, tmp_path):
    """Of Open MPI; all other algorithms of these operations are right under it."""
    if computing.library.name != "openmpi":
        pytest.skip(f"{computing.mpi.title} asks whether an operation commutes")
    inner = computing.by_file(tmp_path / "rules", rule("reduce", "binomial"), all_commute=True)
    found = computing.under(inner, "all", "composed", "20")
    assert {name.split(",")[0].partition("/")[0] for name in wrong(found)} == {
        "reduce", "reduce_scatter", "reduce_scatter_block"
    }  # fmt: skip
    rules = rule("reduce", "binomial"), rule("allreduce", "nonoverlapping")
    both = computing.by_file(tmp_path / "rules", *rules, all_commute=True)
    assert wrong(computing.under(both, "allreduce", "composed", "20"))
