"""JSON rules of Open MPI 6: placements of processes, and names that its reader knows."""

from __future__ import annotations

import json

import pytest

from contend.base.errors import InvalidInputError
from contend.tune.exports.filerule import rule_for
from contend.tune.exports.openmpi.json_lint import OF_COMMUNICATOR, OF_MESSAGE, TOP
from support.decisions import decided, rule
from support.formats import target_named

FORMAT = target_named("openmpi-6")


def written(*rules, ppn=None):
    return FORMAT.write(decided(*rules), processes_per_node=ppn)


def test_only_names_of_the_reader_are_written():
    text = written(
        rule("bcast", "chain", n_to=9, options={"segment": 8192}, processes_per_node=1),
        rule("reduce", "pipeline", options={"requests": 3}, m=100),
    ).text
    root = json.loads(text)
    assert set(root) == set(TOP)
    communicators = [one for of in root["collectives"].values() for one in of]
    assert {name for one in communicators for name in one} <= set(OF_COMMUNICATOR)
    messages = [message for one in communicators for message in one["rules"]]
    assert {name for message in messages for name in message} <= set(OF_MESSAGE)


def test_placements_that_the_library_tells_apart_get_rules_of_their_own():
    text = written(
        rule("bcast", "chain", n=4, processes_per_node=1),
        rule("bcast", "binomial", n=4, n_to=9, processes_per_node=8),
        rule("bcast", "knomial", n=9, processes_per_node=8),
    ).text
    rules = FORMAT.read(text)
    taken = {
        placement: rule_for(rules, "bcast", n, 1, placement).algorithm
        for placement, n in [("one-per-node", 16), ("single-node", 8), ("any", 16)]
    }
    assert taken == {"one-per-node": "chain", "single-node": "binomial", "any": "knomial"}
    assert rule_for(rules, "bcast", 8, 1, "any") is None


def test_placements_that_the_library_cannot_tell_apart_need_a_choice():
    rules = [rule("bcast", name, n=32, processes_per_node=ppn)
             for name, ppn in [("chain", 4), ("knomial", 8)]]  # fmt: skip
    with pytest.raises(InvalidInputError, match="4, 8 processes per node"):
        written(*rules)
    assert '"knomial"' in written(*rules, ppn=8).text


def test_a_default_that_was_decided_on_hides_what_is_for_any_placement():
    """Else a communicator of one process per node would get what was measured on another."""
    text = written(
        rule("bcast", "default", n=4, processes_per_node=1),
        rule("bcast", "knomial", n=4, processes_per_node=8),
    ).text
    rules = FORMAT.read(text)
    assert rule_for(rules, "bcast", 64, 1, "one-per-node").is_default
    assert rule_for(rules, "bcast", 64, 1, "any").algorithm == "knomial"


def test_what_the_file_is_stands_beside_it():
    exported = written(rule("bcast", "chain", gain=1.25))
    assert "1.25 times as fast" in exported.about
    assert "OMPI_MCA_coll_han_priority=0" in exported.about
    assert "#" not in exported.text


def test_a_range_of_one_size_is_one():
    rules = '{"rules": [{"alg": 1, "msg_size_min": 8, "msg_size_max": 8}]}'
    text = f'{{"collectives": {{"bcast": [{rules}]}}}}'
    assert {one.level for one in FORMAT.lint(text)} == {"note"}


def test_a_rule_of_an_unknown_algorithm_is_skipped_for_the_next():
    rules = '{"rules": [{"alg": "odd"}, {"alg": 99, "msg_size_min": 4}, {"alg": "chain"}]}'
    found = FORMAT.read(f'{{"collectives": {{"bcast": [{rules}]}}}}')
    assert [one.algorithm for one in found] == ["chain"]
