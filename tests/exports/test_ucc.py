"""The variable of UCC: what is written is what was decided, and faults are found.

`looked_up` is another writing of what UCC makes of ranges: its defaults between them, and who gets
a size that two ranges end and begin with.
"""

import random
from itertools import pairwise

import pytest
from selection import decisions, rule, tiling

from contend.base.errors import FileFormatError, InvalidInputError
from contend.tune.choose.rules import Rule
from contend.tune.exports.filerule import rule_for
from contend.tune.exports.shell import values
from contend.tune.exports.ucc.tune import END, entries
from support.formats import target_named

FORMAT = target_named("ucc-1.3")
OPERATIONS = ("alltoall", "bcast", "allgather", "allreduce")
OURS = 2**31 - 1
LIBRARYS = 10


def rules_of(rng: random.Random, operation: str) -> list[Rule]:
    """Rules, but for those of one size alone, which UCC refuses."""
    names = [one.name for one in FORMAT.form.library.algorithms(operation, FORMAT.version)]
    rules = tiling(rng, operation, ("default", *names), range(2, 40), range(2, 900))
    return [one for one in rules if one.m_to is None or one.m_to - one.m > 1]


def looked_up(value: str, collective: str, n: int, size: int) -> str:
    """The algorithm that UCC takes after ucc_coll_score_update and ucc_coll_score_build_map."""
    ours = sorted(
        (first, last, one.algorithm)
        for one in entries(value)
        if collective in one.collectives and any(a <= n <= b for a, b in one.processes)
        for first, last in one.sizes or ((0, END),)
    )
    ranges: list[list[object]] = []
    reached = 0
    for first, last, name in ours:
        if first > reached:
            ranges.append([reached, first, LIBRARYS, "default"])
        ranges.append([first, last, OURS, name])
        reached = last
    if reached < END:
        ranges.append([reached, END, LIBRARYS, "default"])
    for one, other in pairwise(ranges):
        if one[1] == other[0]:
            if one[2] > other[2]:  # type: ignore[operator]
                other[0] += 1  # type: ignore[operator]
            else:
                one[1] -= 1  # type: ignore[operator]
    return next(str(r[3]) for r in ranges if r[0] <= size <= r[1])  # type: ignore[operator]


@pytest.mark.parametrize("operation", OPERATIONS)
def test_every_size_gets_what_was_decided(operation: str) -> None:
    rng = random.Random(operation)
    scale = operation in ("alltoall", "allgather")
    for _ in range(12):
        made = decisions(*rules_of(rng, operation), library="ucc", version="1.3")
        text = FORMAT.write(made).text
        assert FORMAT.lint(text) == []
        rules, value = FORMAT.read(text), values(text).get("UCC_TL_UCP_TUNE", "")
        edges = [e + d for one in made.rules for e in (one.m, one.m_to or 0) for d in (-1, 0, 1)]
        for m in (*(max(edge, 0) for edge in edges), *rng.sample(range(1000), 40)):
            n = rng.randint(2, 52)
            wanted = made.rule(operation, n, m)
            name = wanted.algorithm if wanted else "default"
            found = rule_for(rules, operation, n, m)
            assert (found.algorithm if found else "default") == name
            assert looked_up(value, operation, n, m * n if scale else m) == name


def test_an_entry_has_what_the_grammar_asks() -> None:
    made = decisions(
        rule("bcast", 4, 65, 1024, 4096, "dbt"), rule("bcast", 65, None, 0, None, "knomial")
    )
    text = FORMAT.write(made).text
    assert values(text) == {
        "UCC_TL_UCP_TUNE": "bcast:host:1024-4095:[4-64]:inf:@dbt#bcast:host:[65-inf]:inf:@knomial",
        "OMPI_MCA_coll_ucc_enable": "1",
        "OMPI_MCA_coll_ucc_priority": "100",
    }


def test_a_file_that_is_there_keeps_entries_that_nothing_was_decided_on() -> None:
    old = 'export UCC_TL_UCP_TUNE="allgather:@ring:inf#bcast:@dbt:inf"\n'
    made = decisions(rule("bcast", 2, 9, 0, None, "knomial"))
    merged = FORMAT.write(made, old=old)
    assert values(merged.text)["UCC_TL_UCP_TUNE"] == (
        "allgather:@ring:inf#bcast:host:[2-8]:inf:@knomial"
    )


def test_an_old_entry_of_several_collectives_stays_for_those_that_were_not_decided_on() -> None:
    old = 'export UCC_TL_UCP_TUNE="0-4k:allreduce,bcast:@knomial#reduce,bcast:@dbt:8k-inf"\n'
    made = decisions(rule("bcast", 2, 9, 0, None, "knomial"))
    merged = FORMAT.write(made, old=old)
    assert values(merged.text)["UCC_TL_UCP_TUNE"] == (
        "allreduce:0-4k:@knomial#reduce:@dbt:8k-inf#bcast:host:[2-8]:inf:@knomial"
    )


@pytest.mark.parametrize("old", ["0-4k:inf", "barrier:@nothing", "altoall:@bruck"])
def test_new_rules_are_not_put_where_ucc_ignores_them_with_the_old(old: str) -> None:
    made = decisions(rule("bcast", 2, 9, 0, None, "knomial"))
    with pytest.raises(FileFormatError, match=r"cannot be merged into.*UCC ignores all"):
        FORMAT.write(made, old=f'export UCC_TL_UCP_TUNE="{old}"\n')


def test_one_size_alone_is_a_note_because_ucc_refuses_it() -> None:
    made = decisions(rule("bcast", 2, 9, 0, 1, "knomial"))
    export = FORMAT.write(made)
    assert "UCC_TL_UCP_TUNE" not in values(export.text)
    assert export.notes


def test_the_end_of_a_range_is_within_it_where_its_score_is_higher() -> None:
    for score, last in (("inf:", 101), ("", 100)):
        (found,) = FORMAT.read(f'UCC_TL_UCP_TUNE="bcast:0-100:{score}@dbt"')
        assert (found.size, found.size_to) == (0, last)


def test_an_algorithm_that_is_not_known_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="no bcast algorithm"):
        FORMAT.write(decisions(rule("bcast", 2, 9, 0, None, "chain")))
