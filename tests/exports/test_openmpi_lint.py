"""Every trap of a rules file of Open MPI is found by line, and none in a good file."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selection import own_tree

from contend.base.errors import FileFormatError
from contend.tune.exports import FORMATS
from support.formats import target_named

FIVE = target_named("openmpi-5")
TARGETS = ["openmpi-4", "openmpi-5", "openmpi-5.0.11", "openmpi-6"]
GOOD = """rule-file-version-2
# alltoall and allreduce; coll/han is out: OMPI_MCA_coll_han_priority=0
2
3  # alltoall
2
2
1
0 2 0 0 0
16
2
0 3 0 0 0
65536 2 0 0 0
2  # allreduce
1
2
2
0 3 0 0 0
1048576 6 0 0 0
"""
GOOD_JSON = """{"rule_file_version": 3, "module": "tuned",
"collectives": {"bcast": [
{"comm_size_min": 2, "rules": [{"alg": "binomial", "seg_size": 0}]}]}}"""


def test_a_good_file_has_no_finding():
    assert target_named("openmpi-5.0.11").lint(GOOD) == []
    assert {one.level for one in target_named("openmpi-6").lint(GOOD_JSON)} == {
        "note"
    }  # of coll/han


def test_the_same_sizes_for_twice_the_processes_are_no_totals():
    text = "1\n0\n2\n4\n2\n0 2 0 0\n8192 4 0 0\n{}\n2\n0 2 0 0\n8192 4 0 0\n"
    for n, is_found in ((7, False), (8, True)):
        codes = {one.code for one in FIVE.lint(text.format(n))}
        assert ("unit" in codes) == is_found


@pytest.mark.parametrize("size, is_found", [(7, True), (8, False)])
def test_a_byte_for_each_process_may_be_a_total(size, is_found):
    found = FIVE.lint(f"1\n0\n1\n8\n2\n0 2 0 0\n{size} 4 0 0\n")
    assert ("unit" in {one.code for one in found}) == is_found


def test_an_operation_without_a_size_has_the_first_rule_alone():
    rules = FIVE.read("1\n6\n1\n2\n2\n0 1 0 0\n8 2 0 0\n")
    assert [one.algorithm for one in rules] == ["linear"]


def test_a_classic_file_shifts_by_a_block_under_6():
    """As 6.0 reads it: the first block ends where the second one was meant to begin."""
    text = "1\n3\n3\n2\n1\n0 1 0 0\n8\n1\n0 2 0 0\n64\n1\n0 3 0 0\n"
    names = ("linear", "pairwise", "modified_bruck")
    for target, begins in (("openmpi-5", (1, 8, 64)), ("openmpi-6", (1, 2, 8))):
        ranges = [(one.n, one.n_to, one.algorithm) for one in target_named(target).read(text)]
        assert ranges == list(zip(begins, (*begins[1:], None), names, strict=True))


EDIT = st.tuples(st.integers(0, 10**4), st.integers(0, 3), st.sampled_from(
    ["", " ", "\n", "0", "9", "-", "#", "x", "{", "}", '"', "'", ",", "k", "\0", "9" * 30, ";", ":",
     "@", "[", "]", "=", "\\", "é", "²", "any"]
))  # fmt: skip


OTHERS = {
    "intel": 'export I_MPI_ADJUST_ALLTOALL="1:0-256@2-8;3:257-512@2-8"\n' * 3,
    "ucc": 'export UCC_TL_UCP_TUNE="alltoall:host:0-513:[2-2]:inf:@bruck#bcast:[3-inf]:@dbt"\n',
    "mpich-5.0.2": json.dumps(own_tree(), indent=1),
}


@pytest.mark.parametrize("target", [*TARGETS, *OTHERS])
@settings(max_examples=100)
@given(edits=st.lists(EDIT, min_size=1, max_size=9), is_json=st.booleans())
def test_an_edited_file_gives_findings_and_rules_or_a_clean_error(target, edits, is_json):
    text = OTHERS.get(target, GOOD_JSON if is_json else GOOD)
    for place, cut, put in edits:
        at = place % (len(text) + 1)
        text = text[:at] + put + text[at + cut :]
    _survives(target, text)


@pytest.mark.parametrize("target", [*TARGETS, *OTHERS])
@settings(max_examples=60)
@given(text=st.one_of(st.text(), st.binary().map(lambda raw: raw.decode("latin-1")),
                      st.text("0123456789 \n#-", max_size=200),
                      st.text('{}[]":,0123 collectives\n', max_size=200)))  # fmt: skip
def test_any_text_gives_findings_and_rules_or_a_clean_error(target, text):
    _survives(target, text)


def _survives(target: str, text: str) -> None:
    reader = target_named(target)
    found = reader.lint(text)
    assert all(one.line is None or 1 <= one.line <= text.count("\n") + 1 for one in found)
    try:
        reader.read(text)
        reader.form.needs(text, reader.version)
    except FileFormatError:
        assert found


@pytest.mark.parametrize("target", TARGETS)
def test_deep_and_huge_files_end(target):
    _survives(target, "[" * 50_000)
    _survives(target, '{"collectives":' * 5_000)
    _survives(target, "1\n7\n1\n2\n" + "9" * 10_000)
    _survives(target, "1\n7\n2000000000\n" + "2\n1\n0 6 0 0\n" * 1000)


def test_formats_of_one_library_share_out_its_versions():
    """Every version from the oldest known on is read by exactly one format of Open MPI."""
    mine = [
        each for each in FORMATS.all() if each.library_name == "openmpi" and each.names_algorithms
    ]
    for version in [(4, 1), (4, 1, 8), (5,), (5, 0, 7), (5, 1), (6,), (6, 0, 1), (7,)]:
        assert len([one for one in mine if one.serves(version)]) == 1


@pytest.mark.parametrize(
    "text",
    ["10.0.0.1 slots=4\n10.0.0.2 slots=4\n", "1,2,3\n4,5,6\n", "2026-11-01 12:00:00 start\n",
     "1. Load the module\n2. Run\n", "2>&1 echo x\n", "12:30 start\n",
     "#%Module\nsetenv I_MPI_ADJUST_BCAST \\\n  3\n"],
)  # fmt: skip
def test_what_only_begins_with_digits_is_no_file_of_rules(text):
    assert not any(FORMATS.get(name).recognises(text) for name in ("openmpi-4", "openmpi-5"))


@pytest.mark.parametrize("text", ["1\r\n7\r\n1\r\n2\r\n1\r\n0 6 0 0\r\n", "+1 07 0x1", "1#c\n4k\n"])
def test_whole_numbers_are_rules_however_they_are_written(text):
    assert FORMATS.get("openmpi-4").recognises(text)
