"""UCC's file of configuration: what is written is what was decided, and faults are found.

What comes of each planted fault was seen by running UCC 1.9.0. `looked_up` is another writing of
what UCC makes of sections: all conditions hold, by the least and the most ranks of the nodes.
"""

from __future__ import annotations

import random
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selection import decisions, rule, tiling

from contend.base.errors import FileFormatError, InvalidInputError
from contend.tune.exports import FORMATS
from contend.tune.exports.finding import worst
from contend.tune.exports.ucc.conf import parse
from contend.tune.exports.ucc.tune import VARIABLE, entries
from support.formats import target_named

FORMAT = target_named("ucc-conf-1.9")
OWN = """# as it is shipped
UCC_CL_BASIC_TLS=^sharp,nccl

[vendor=intel model=broadwell team_size=8 ppn=1 nnodes=8]
UCC_TL_UCP_ALLREDUCE_KN_RADIX=0-8k:host:8,8k-inf:host:2
UCC_TL_UCP_TUNE=allreduce:0-4k:@0#allreduce:4k-inf:@1
"""


@pytest.fixture(autouse=True)
def without_ucc(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda name: None)


parsed = cache(parse)


def looked_up(text: str, of: str, m: int, nodes: list[int]) -> list[str]:
    """The algorithms that sections name for a call of a team with so many ranks on each node."""
    n, found = sum(nodes), []
    here = {"team_size": (n, n), "ppn": (min(nodes), max(nodes)), "nnodes": (len(nodes),) * 2}
    size = m * n if of in ("alltoall", "allgather") else m
    for section in parsed(text).sections[1:]:
        is_for = not section.words and all(
            first <= here[key][0] and here[key][1] <= last
            for key, (first, last) in section.ranges.items()
        )
        tune = section.value(VARIABLE) if is_for else None
        found += [
            one.algorithm
            for one in entries(tune.value if tune else "")
            if of in one.collectives
            and all(a <= size <= b for a, b in one.sizes)
        ]  # fmt: skip
    return found


@pytest.mark.parametrize("seed", range(2))
def test_every_team_gets_what_was_decided_for_its_ranks_a_node(seed: int) -> None:
    rng = random.Random(seed)
    rules = []
    for operation in ("bcast", "alltoall", "allreduce"):
        names = [one.name for one in FORMAT.form.library.algorithms(operation, FORMAT.version)]
        for placement in (None, 4) if operation != "alltoall" else (None,):
            own = tiling(rng, operation, ("default", *names), range(2, 40), range(2, 900))
            rules += [
                one.model_copy(update={"processes_per_node": placement})
                for one in own
                if one.m_to is None or one.m_to - one.m > 1
            ]
    made = decisions(*rules, library="ucc", version="1.9")
    text = FORMAT.write(made).text
    assert FORMAT.lint(text) == []
    for _ in range(60):
        ranks, count = rng.choice((1, 2, 3, 4, 5, 8)), rng.choice((1, 2, 3, 6))
        n, m = ranks * count, rng.randrange(1000)
        is_four = ranks == 4 or (count == 1 and n <= 4)
        for of in ("bcast", "alltoall", "allreduce"):
            wanted = made.rule(of, n, m, 4 if is_four else 0)
            name = wanted.algorithm if wanted and n > 1 else "default"
            found = looked_up(text, of, m, [ranks] * count) if n > 1 else []
            assert (found or ["default"]) == [name], (of, n, m, ranks)


def test_a_radix_by_size_is_a_variable_of_the_section() -> None:
    made = decisions(
        rule("allreduce", 4, 9, 0, 4096, "sra_knomial", k=2),
        rule("allreduce", 4, 9, 4096, None, "sra_knomial", k=8),
        rule("bcast", 4, 9, 0, None, "knomial", k=3),
    )
    text = FORMAT.write(made).text
    assert FORMAT.lint(text) == []
    (section,) = parse(text).sections[1:]
    assert section.name == "team_size=4-8"
    assert [(one.name, one.value) for one in section.variables[1:]] == [
        ("UCC_TL_UCP_ALLREDUCE_SRA_KN_RADIX", "0-4095:host:2,4096-inf:host:8,auto"),
        ("UCC_TL_UCP_BCAST_KN_RADIX", "3"),
    ]
    assert [(one.size, dict(one.options)) for one in FORMAT.read(text)] == [
        (0, {"k": 2}), (4096, {"k": 8}), (0, {"k": 3}),
    ]  # fmt: skip
    with pytest.raises(InvalidInputError, match="no ranges"):
        two = [
            rule("bcast", 4, 9, m, m_to, "knomial", k=k) for m, m_to, k in ((0, 9, 2), (9, 99, 3))
        ]
        FORMAT.write(decisions(*two))


def test_the_librarys_own_file_stands_before_the_sections(tmp_path) -> None:
    own = tmp_path / "share" / "ucc.conf"
    own.parent.mkdir()
    own.write_text(OWN)
    (tmp_path / "lib").mkdir()
    library = tmp_path / "lib" / "libucc.so.1"
    made = decisions(rule("bcast", 2, 33, 0, None, "dbt"))
    for path in (own, library):
        export = FORMAT.write(made, library_rules=str(path))
        assert OWN in export.text and FORMAT.lint(export.text) == []
    assert any("vendor=intel" in note for note in export.notes)
    assert looked_up(export.text, "bcast", 9, [1] * 8) == []  # left to the section of Intel's
    assert looked_up(export.text, "bcast", 9, [2] * 4) == ["dbt"]
    assert looked_up(export.text, "bcast", 9, [1] * 9) == ["dbt"]
    with pytest.raises(InvalidInputError, match="is no file"):
        FORMAT.write(made, library_rules=str(tmp_path / "a" / "lib" / "libucc.so"))


def test_a_file_that_is_there_keeps_what_nothing_was_decided_on() -> None:
    old = OWN + "[team_size=4]\nUCC_TL_UCP_TUNE=bcast:@dbt#allgather:@ring\n[ppn=3]\n" \
                "UCC_TL_UCP_TUNE=bcast:@dbt\n"  # fmt: skip
    made = decisions(rule("bcast", 2, 9, 0, None, "knomial"))
    merged = FORMAT.write(made, old=old).text
    assert OWN in merged and "[ppn=3]" not in merged
    assert looked_up(merged, "allgather", 1, [4]) == ["ring"]
    assert looked_up(merged, "bcast", 1, [4]) == [] and looked_up(merged, "bcast", 1, [5]) == [
        "knomial"
    ]
    again = FORMAT.write(made, old=merged).text
    assert parse(again).sections == parse(merged).sections and again.count("# Rules for UCC") == 1
    with pytest.raises(FileFormatError, match="cannot be merged into"):
        FORMAT.write(made, old="[foo=1]\nUCC_TL_UCP_TUNE=bcast:@dbt\n")
    with pytest.raises(InvalidInputError, match="for all teams in line 1"):
        FORMAT.write(made, old=f"{VARIABLE}=allgather:@ring\n")


def test_an_old_entry_of_several_collectives_stays_for_those_that_were_not_decided_on() -> None:
    made = decisions(rule("bcast", 5, 9, 0, None, "dbt", ppn=4))
    old = f"[team_size=2-4]\n{VARIABLE}=allgather,bcast:host:@knomial\n"
    merged = FORMAT.write(made, old=old).text
    assert f"[team_size=2-4]\n{VARIABLE}=allgather:host:@knomial\n" in merged


def test_a_file_is_told_from_variables_of_a_shell() -> None:
    variables = FORMATS.get("ucc")
    assert FORMAT.form.recognises(OWN) and not variables.recognises(OWN)
    shell = f'#!/bin/bash\nexport {VARIABLE}="bcast:@dbt"\n'
    assert variables.recognises(shell) and not FORMAT.form.recognises(shell)


@given(st.text(alphabet="[]=-#;: \n\tUC_TLP129kbcast@team_size", max_size=200))
def test_no_text_makes_lint_fail(text: str) -> None:
    if worst(FORMAT.lint(text)) is None:
        FORMAT.read(text)
