"""Samples become a network, decisions and a file of rules in few steps: see tests/walks.py."""

import walks
from contend.base import units


def test_walks_of_the_data_are_short(tmp_path):
    found = walks.walks(walks.measured(), tmp_path)
    assert {name: chain for name, chain in found.items() if len(chain) > walks.MOST[name]} == {}


def test_a_walk_is_the_longest_chain_of_functions_of_contend():
    chain = walks.longest(lambda: units.parse_counts("4,8"))
    assert chain[0] == "base.units: parse_counts"
    assert len(chain) > 1
    assert walks.longest(lambda: sorted([2, 1])) == []
