"""Algorithms that reorder operands are not chosen, unless all operations are said to commute."""

import pytest

from contend.models.network import Network
from contend.schedules.libraries import LIBRARIES
from contend.tune.choose.decide import decide
from support import libraries

LAWS = {
    "openmpi:ring": libraries.times(0.4),
    "openmpi:segmented_ring": libraries.times(0.45),
    "openmpi:rabenseifner": libraries.times(0.6),
}


def network(laws=LAWS, operation="allreduce", **how) -> Network:
    return libraries.measured(laws, operation, **how)


def test_the_fastest_that_keeps_the_order_is_taken():
    found = decide(network())
    assert {rule.algorithm for rule in found.rules} == {"rabenseifner"}
    assert not found.all_commute
    ((operation, names),) = ((one.operation, one.algorithms) for one in found.left_out)
    assert (operation, names) == ("allreduce", ("ring", "segmented_ring"))
    assert "--all-commute" in found.left_out[0].words


def test_where_all_operations_commute_the_fastest_is_taken_and_the_file_says_so(tmp_path):
    found = decide(network(), all_commute=True)
    assert {rule.algorithm for rule in found.rules} == {"ring"}
    found.save(tmp_path / "decisions.json")
    read = type(found).load(tmp_path / "decisions.json")
    assert read.all_commute and read.left_out == ()


def test_the_default_stays_where_nothing_else_was_measured():
    (rule,) = decide(network({"openmpi:ring": libraries.times(0.4)})).rules
    assert rule.is_default
    assert rule.why == "no algorithm was measured that is right in every program"


@pytest.mark.parametrize(
    "operation, algorithm",
    [
        (one.operation, one.name)
        for one in LIBRARIES.get("openmpi").table
        if one.reorders_operands and one.since <= (5,)
    ],
)
def test_no_operation_takes_what_reorders(operation, algorithm):
    found = decide(network({f"openmpi:{algorithm}": libraries.times(0.4)}, operation))
    assert all(rule.is_default for rule in found.rules)
    assert [one.operation for one in found.left_out] == [operation]


def test_a_broadcast_by_the_same_name_is_taken():
    found = decide(network({"openmpi:binomial": libraries.times(0.4)}, "bcast"))
    assert {rule.algorithm for rule in found.rules} == {"binomial"}
    assert found.left_out == ()


def test_a_library_that_asks_its_operations_is_not_held_back():
    laws = {"mpich:ring": libraries.times(0.4)}
    found = decide(network(laws, library="MPICH Version: 5.0.2"))
    assert {rule.algorithm for rule in found.rules} == {"ring"}


def test_what_a_program_was_slower_by_brings_nothing_that_reorders():
    """The fastest that keeps the order is taken back; what stays out does not come in its place."""
    from contend.tune.choose.verified_gains import VerifiedCalls, VerifiedGains

    slower = VerifiedCalls(
        operation="allreduce", n=8, processes_per_node=1, m=libraries.SIZES[0],
        m_last=libraries.SIZES[-1], algorithm="rabenseifner", gain=0.8, gain_low=0.7, gain_high=0.9,
        pairs=9, is_slower=True,
    )  # fmt: skip
    gains = VerifiedGains(library="openmpi", library_version="5.0.11", calls=(slower,))
    found = decide(network(), verified=[gains])
    assert {rule.algorithm for rule in found.rules} == {"rabenseifner", "default"}


def test_what_confuses_datatypes_is_never_taken():
    """Up to before a version of the library, whatever is said of commuting."""
    laws = {"openmpi:modified_bruck": libraries.times(0.4)}
    for library, taken in (("Open MPI v4.1.4", "default"), ("Open MPI v5.0.11", "modified_bruck")):
        found = decide(network(laws, "alltoall", library=library), all_commute=True)
        assert {rule.algorithm for rule in found.rules} == {taken}
        assert ["layout" in one.words for one in found.left_out] == [True] * (taken == "default")
