"""Samples become a network, decisions and a file of rules in few steps: see tests/walks.py."""

import walks


def test_walks_of_the_data_are_short(tmp_path):
    found = walks.walks(walks.measured(), tmp_path)
    assert {name: chain for name, chain in found.items() if len(chain) > walks.MOST[name]} == {}


def test_a_walk_is_the_longest_chain_of_functions_of_contend():
    (first, *_, last) = walks.longest(lambda: walks.contend.parse_bytes("64KiB"))
    assert first == "base.units: parse_bytes"
    assert last.startswith("base.units: ")
    assert walks.longest(lambda: sorted([2, 1])) == []
