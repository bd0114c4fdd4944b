"""Classic files of Open MPI: what is written is what was decided, for every call."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contend.base.errors import InvalidInputError
from contend.schedules.libraries import library_named
from contend.tune.choose.rules import DEFAULT, Decisions, Rule
from contend.tune.exports import Export
from contend.tune.exports.filerule import rule_for
from contend.tune.exports.openmpi.collectives import BY_ROOT, ONE_FOR_ALL_SIZES, PER_COMMUNICATOR
from contend.tune.exports.openmpi.request import STEPS
from support.decisions import decided, rule
from support.formats import target_named

GROWTH = 1 + 1 / STEPS
TARGETS = ["openmpi-4", "openmpi-5", "openmpi-5.0.11", "openmpi-6"]


def written(target: str, decisions: Decisions, ppn: int | None = None) -> Export:
    return target_named(target).write(decisions, processes_per_node=ppn, all_commute=True)


def taken(target: str, text: str, operation: str, n: int, m: int) -> str:
    """The algorithm that the library takes for a call."""
    found = rule_for(target_named(target).read(text), operation, n, m)
    return found.algorithm if found else DEFAULT


@st.composite
def tiles(draw: st.DrawFn, operation: str) -> list[Rule]:
    """Rules that tile a grid of n and m, as decisions do."""
    names = [one.name for one in library_named("openmpi-4.1")[0].algorithms(operation, (4, 1))
             if one.ranks != "two" and not one.wrong_where]  # fmt: skip
    counts = sorted(draw(st.sets(st.integers(2, 300), min_size=1, max_size=3)))
    sizes = sorted({0} | draw(st.sets(st.integers(1, 10**6), max_size=3)))
    return [
        rule(operation, draw(st.sampled_from([DEFAULT, *names])), n=n, n_to=n_to, m=m, m_to=m_to)
        for n, n_to in zip(counts, [*counts[1:], None], strict=True)
        for m, m_to in zip(sizes, [*sizes[1:], None], strict=True)
    ]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("operation", ["bcast", "allreduce", "alltoall", "allgather"])
@settings(max_examples=20)
@given(data=st.data())
def test_every_call_at_the_begin_of_a_rule_gets_what_was_decided(target, operation, data):
    """Exactly there; where bytes are counted times the processes, elsewhere within GROWTH."""
    decisions = decided(*data.draw(tiles(operation)))
    text = written(target, decisions).text
    for each in decisions.rules:
        assert taken(target, text, operation, each.n, each.m) == each.algorithm
        if each.m_to:
            assert taken(target, text, operation, each.n, each.m_to - 1) == each.algorithm


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("operation", ["bcast", "alltoall"])
@settings(max_examples=20)
@given(data=st.data(), n=st.integers(2, 2000), m=st.integers(0, 2 * 10**6))
def test_a_call_anywhere_gets_a_rule_of_its_neighbourhood(target, operation, data, n, m):
    """The rule for n and m, or for an m within the growth from a block of processes to the next."""
    decisions = decided(*data.draw(tiles(operation)))
    text = written(target, decisions).text
    allowed = {
        found.algorithm if (found := decisions.rule(operation, n, nearby)) else DEFAULT
        for nearby in {m, *([int(m * GROWTH) + 1] if operation in PER_COMMUNICATOR else [])}
        | ({each.m for each in decisions.rules if m < each.m < m * GROWTH + 1}
           if operation in PER_COMMUNICATOR else set())
    }  # fmt: skip
    beyond = n > 16 * max(each.n for each in decisions.rules)
    assert beyond or taken(target, text, operation, n, m) in allowed


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("operation", ["bcast", "alltoall"])
def test_all_that_was_decided_on_is_told_whatever_the_processes(target, operation):
    """The smallest and the largest size as well, on every number of processes of the range."""
    name = "chain" if operation == "bcast" else "pairwise"
    text = written(target, decided(rule(operation, name, n=4, n_to=101, m=1024, m_to=65537))).text
    rules = target_named(target).read(text)
    for n in range(4, 101):
        for m in (1024, 65536):
            found = rule_for(rules, operation, n, m)
            assert found and found.algorithm == name, (n, m)
        for m in (int(1024 / 1.2), int(65536 * 1.2)):
            found = rule_for(rules, operation, n, m)
            assert found is None or found.is_default


@pytest.mark.parametrize("target", TARGETS)
def test_processes_and_sizes_that_nothing_was_decided_on_are_left_alone(target):
    decisions = decided(rule("bcast", "chain", n=8, n_to=16, m=1024, m_to=4096))
    text = written(target, decisions).text
    for n, m in [(2, 2048), (7, 2048), (16, 2048), (500, 2048), (8, 1023), (8, 4096)]:
        assert taken(target, text, "bcast", n, m) == DEFAULT
    assert taken(target, text, "bcast", 15, 4095) == "chain"


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("operation", sorted(BY_ROOT))
def test_no_block_of_an_operation_that_hangs_names_two_algorithms(target, operation):
    """One algorithm for all sizes where it was decided on for all; else the default, and said."""
    mixed = decided(
        rule(operation, "binomial", m_to=1000), rule(operation, "basic_linear", m=1000),
    )  # fmt: skip
    exported = written(target, mixed)
    assert all(taken(target, exported.text, operation, 4, m) == DEFAULT for m in (0, 10**6))
    assert any("all sizes" in note and "binomial" in note for note in exported.notes)
    same = decided(rule(operation, "binomial", m_to=1000), rule(operation, "binomial", m=1000))
    text = written(target, same).text
    assert all(taken(target, text, operation, 4, m) == "binomial" for m in (0, 999, 10**6))


@pytest.mark.parametrize("target", TARGETS)
def test_what_is_written_holds_no_finding_but_notes(target):
    decisions = decided(
        rule("alltoall", "pairwise", n=4, n_to=64, m=0, m_to=512),
        rule("alltoall", "linear", n=4, n_to=64, m=512),
        rule("bcast", "pipeline", n=16, m=65536, options={"segment": 0}),
        rule("bcast", "chain", n=3, n_to=16, options={"segment": 8192}),
        rule("gather", "linear_sync", options={"segment": 1024}),
        rule("barrier", "tree"),
        rule("allgather", "bruck", n=100),
    )
    found = target_named(target).lint(written(target, decisions).text)
    assert [one for one in found if one.level != "note"] == []


def test_options_stand_in_their_columns():
    options = {"segment": 8192, "fanout": 3}
    text = written("openmpi-5.0.11", decided(rule("bcast", "chain", options=options))).text
    assert "\n0 2 3 8192 0  #" in text


def test_a_chain_without_a_fanout_gets_that_which_was_measured():
    """A fanout of 0 in a file is one chain, where the algorithm that is forced has four."""
    assert "\n0 2 4 0 0  #" in written("openmpi-5.0.11", decided(rule("bcast", "chain"))).text


@pytest.mark.parametrize("target, line", [("openmpi-5.0.6", ""), ("openmpi-5.0.7", "rule-file")])
def test_the_version_line_comes_with_the_version_that_knows_it(target, line):
    text = written(target, decided(rule("alltoall", "linear_sync", options={"requests": 4}))).text
    assert text.startswith(line or "#")
    assert ("\n0 4 0 0 4  #" in text) == bool(line)


def test_requests_that_a_file_cannot_hold_are_a_variable():
    exported = written(
        "openmpi-4", decided(rule("alltoall", "linear_sync", options={"requests": 4}))
    )
    assert exported.settings["OMPI_MCA_coll_tuned_alltoall_algorithm_max_requests"] == "4"


def test_of_two_radices_the_one_that_gains_more_is_told():
    exported = written(
        "openmpi-5",
        decided(
            rule("bcast", "knomial", n=4, n_to=8, options={"k": 4}, gain=1.2),
            rule("bcast", "knomial", n=8, options={"k": 8}, gain=1.5),
        ),
    )
    assert exported.settings["OMPI_MCA_coll_tuned_bcast_algorithm_knomial_radix"] == "8"
    assert taken("openmpi-5", exported.text, "bcast", 4, 100) == DEFAULT
    assert taken("openmpi-5", exported.text, "bcast", 8, 100) == "knomial"
    assert any("knomial with k 4" in note for note in exported.notes)


def test_coll_han_is_taken_out_only_for_rules_that_it_hides():
    """By a variable from 6.0 on; before, a file of its own leaves it all other calls."""
    off = "OMPI_MCA_coll_han_priority"
    for target in TARGETS:
        assert off not in written(target, decided(rule("bcast", DEFAULT))).settings
    assert off not in written("openmpi-6", decided(rule("allgatherv", "ring"))).settings
    told = written("openmpi-6", decided(rule("bcast", "chain"), rule("reduce", DEFAULT)))
    assert told.settings[off] == "0"
    assert any("default of reduce is that of coll/tuned" in note for note in told.notes)
    assert off not in written("openmpi-5", decided(rule("bcast", "chain"))).settings
    assert not written("openmpi-5", decided(rule("alltoall", "linear"))).beside


@pytest.mark.parametrize("target", ["openmpi-4", "openmpi-5"])
def test_decisions_for_several_placements_need_a_choice(target):
    decisions = decided(
        rule("bcast", "chain", processes_per_node=1), rule("bcast", "knomial", processes_per_node=8)
    )
    with pytest.raises(InvalidInputError, match="1, 8 processes per node"):
        written(target, decisions)
    assert taken(target, written(target, decisions, 8).text, "bcast", 16, 1) == "knomial"


def test_choosing_and_exporting_agree_on_what_has_one_algorithm_for_all_sizes():
    assert library_named("openmpi")[0].one_for_all_sizes == ONE_FOR_ALL_SIZES


def test_an_algorithm_that_the_version_lacks_is_refused():
    with pytest.raises(InvalidInputError, match=r"4\.1 has no allgather algorithm 'sparbit'"):
        written("openmpi-4", decided(rule("allgather", "sparbit")))


def test_an_option_that_an_algorithm_lacks_is_refused():
    with pytest.raises(InvalidInputError, match="has no option 'segment'"):
        written("openmpi-4", decided(rule("bcast", "basic_linear", options={"segment": 5})))


@pytest.mark.parametrize("target", TARGETS)
def test_rules_of_collectives_that_nothing_was_decided_on_stay(target):
    old = written(target, decided(rule("allreduce", "ring", n=16), rule("bcast", "chain"))).text
    merged = target_named(target).write(decided(rule("bcast", "binomial")), old=old)
    assert "kept from the file that was there: allreduce" in merged.notes
    assert taken(target, merged.text, "allreduce", 16, 1) == "ring"
    assert taken(target, merged.text, "allreduce", 15, 1) == DEFAULT
    assert taken(target, merged.text, "bcast", 4, 1) == "binomial"
    found = target_named(target).lint(merged.text)
    assert [one for one in found if one.level == "error"] == []


def test_a_name_of_several_lines_stays_a_comment():
    """What a network is called cannot become a number of the file."""
    about = {"network": "cluster\n7\n8", "contend": "1\n2"}
    text = written("openmpi-4", decided(rule("bcast", "chain"), **about)).text
    assert taken("openmpi-4", text, "bcast", 2, 0) == "chain"


def test_one_algorithm_for_more_sizes_than_were_decided_on_is_said():
    some = written("openmpi-5", decided(rule("gather", "binomial", n=8, m_to=1000)))
    assert any(one.startswith("gather from 8 processes on: binomial") for one in some.notes)
    whole = written("openmpi-5", decided(rule("gather", "binomial", n=8)))
    assert not any("all sizes" in one for one in whole.notes)


@pytest.mark.parametrize("target", TARGETS)
def test_an_operation_that_open_mpi_has_no_rules_for_is_a_note(target):
    exported = written(target, decided(rule("shift", DEFAULT), rule("bcast", "chain")))
    assert "shift: Open MPI has no rules for it" in exported.notes
    assert {one.operation for one in target_named(target).read(exported.text)} == {"bcast"}
