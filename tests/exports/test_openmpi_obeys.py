"""An exported file is obeyed: which rank sends to which, as Open MPI itself counts."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from contend.measure.mpi import MPI
from contend.tune.choose.rules import Rule
from support.decisions import decided, rule
from support.formats import target_named

pytestmark = pytest.mark.mpi
RANKS = 4
Sent = Callable[..., dict[tuple[int, int], tuple[int, int]]]


@pytest.fixture
def target(openmpi: MPI) -> str:
    """The format for the Open MPI of the test, with its version."""
    number = openmpi.title.split()[-1]
    return f"openmpi-{number}"


def exported(target: str, *rules: Rule) -> str:
    """The file; Bruck's all-to-all, which 4.1 is not told to run, as if it were pairwise."""
    names = {"modified_bruck": "pairwise"}
    given = (
        one.model_copy(update={"algorithm": names.get(one.algorithm, one.algorithm)})
        for one in rules
    )
    text = target_named(target).write(decided(*given), all_commute=True).text
    return re.sub(r"(?m)^(\d+) 2 (.*# pairwise)", r"\1 3 \2", text)


def partners(sent: dict[tuple[int, int], tuple[int, int]], rank: int = 0) -> int:
    """To how many ranks a rank sends."""
    return len({target for source, target in sent if source == rank})


# Below and from so many bytes on, and to how many ranks each sends then: Bruck and doubling to
# log2(4) ranks, linear to all others, a ring to the next.
CHANGES = {
    "alltoall": ((1024, "linear", 3), ("modified_bruck", 2)),
    "allgather": ((4096, "ring", 1), ("recursive_doubling", 2)),
    "reduce_scatter": ((512, "ring", 1), ("recursive_halving", 2)),
}


@pytest.mark.parametrize("operation", CHANGES)
@pytest.mark.parametrize("is_below", [True, False])
def test_a_call_changes_at_the_size_of_the_rule(sent: Sent, target, operation, is_below):
    (size, below, few), (above, many) = CHANGES[operation]
    text = exported(target, rule(operation, below, m_to=size), rule(operation, above, m=size))
    assert partners(sent(text, target, operation, size - is_below)) == (few if is_below else many)


def test_a_pipeline_has_the_segments_of_the_rule(sent: Sent, target):
    """65536 bytes in segments of 16384 are four messages from each rank to the next."""
    text = exported(target, rule("bcast", "pipeline", options={"segment": 16384}))
    counted = sent(text, target, "bcast", 65536)
    assert counted == {(rank, rank + 1): (65536, 4) for rank in range(RANKS - 1)}


def test_a_chain_has_the_fanout_of_the_rule(sent: Sent, target):
    """Of two chains the root sends to the heads of both."""
    text = exported(target, rule("bcast", "chain", options={"fanout": 2, "segment": 0}))
    assert partners(sent(text, target, "bcast", 1000)) == 2


def test_a_radix_that_no_file_holds_comes_with_the_settings(sent: Sent, target):
    """A tree of radix 3 of 4 ranks: the root sends to three, with radix 2 to two."""
    trees = {
        k: sent(exported(target, rule("bcast", "knomial", options={"k": k})), target, "bcast", 100)
        for k in (2, 4)
    }
    assert partners(trees[2]) == 2
    assert partners(trees[4]) == 3


@pytest.mark.parametrize("algorithm, senders", [("basic_linear", 3), ("binomial", 2)])
def test_a_gather_with_one_algorithm_for_all_sizes_ends(sent: Sent, target, algorithm, senders):
    """The root receives from all others, or from its children in a binomial tree."""
    text = exported(target, rule("gather", algorithm))
    for m in (1, 10_000):
        counted = sent(text, target, "gather", m)
        assert len({source for source, receiver in counted if receiver == 0}) == senders


def test_an_operation_that_is_left_to_the_library_is_its_own(sent: Sent, target):
    """What nothing was decided on is sent as without a file."""
    text = exported(target, rule("bcast", "pipeline"))
    empty = exported(target)
    for m in (8, 4096):
        assert sent(text, target, "alltoall", m) == sent(empty, target, "alltoall", m)


def test_a_file_whose_first_size_is_not_0_is_ignored(sent: Sent, target):
    """What lint says of it is so: nor is the rule of the other operation taken."""
    good = exported(target, rule("bcast", "pipeline"), rule("alltoall", "modified_bruck"))
    bad = "\n".join(
        line.replace("0 3 ", "8 3 ", 1) if line.startswith("0 3 ") and "pipeline" in line else line
        for line in good.splitlines()
    )
    assert "first-size" in {one.code for one in target_named(target).lint(bad)}
    assert partners(sent(good, target, "alltoall", 60_000)) == 2
    assert partners(sent(bad, target, "alltoall", 60_000)) == 3


def test_a_version_line_is_read_where_the_library_knows_it(sent: Sent, target):
    """From 5.0.7 on it is written, with a fifth number; before, the file has neither."""
    text = exported(target, rule("alltoall", "modified_bruck"))
    assert text.startswith("rule-file-version-2") == (target_named(target).version >= (5, 0, 7))
    assert partners(sent(text, target, "alltoall", 100_000)) == 2


@pytest.mark.parametrize("least, expected", [(4, 1), (5, 2)])
def test_a_scan_is_looked_up_by_its_element(sent: Sent, target, least, expected):
    """4 bytes for four ranks with bytes, however many: linear from there on, else doubling."""
    text = f"1\n14\n1\n2\n2\n0 2 0 0\n{least} 1 0 0\n"
    assert "without-size" in {one.code for one in target_named(target).lint(text)}
    assert partners(sent(text, target, "scan", 10_000)) == expected


def test_numbers_with_a_leading_zero_are_octal(sent: Sent, target):
    """020000 is 8192, that is 2048 bytes for each of four: what lint says of it is so."""
    text = exported(
        target, rule("alltoall", "linear", m_to=5000), rule("alltoall", "modified_bruck", m=5000)
    ).replace("20000 3", "020000 3")
    assert partners(sent(text, target, "alltoall", 2047)) == 3
    assert partners(sent(text, target, "alltoall", 2048)) == 2
