"""The JUnit file of contend tune verify: what CI servers read is there, and is what was found."""

import random
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

import pytest

from contend.base.xml_text import parse_xml
from contend.tune.exports import FileRule, Finding
from contend.tune.verification.calls import Watched
from contend.tune.verification.gain import Pair, gain_of
from contend.tune.verification.junit import CHECKS, RULES, Case, cases_of, write_junit
from contend.tune.verification.reasons import Failure, reasons_of
from contend.tune.verification.verdict import Cell, Ruled, Served, Verdict
from contend.tune.verification.verify import Verified

# junit-10.xsd of Jenkins' xUnit plugin: attributes that an element must and may have, and children.
SCHEMA: dict[str, tuple[set[str], set[str], set[str]]] = {
    "testsuites": (set(), {"name", "time", "tests", "failures", "disabled", "errors"},
                   {"testsuite"}),
    "testsuite": ({"name"}, {"tests", "failures", "errors", "time", "disabled", "skipped",
                             "timestamp", "hostname", "id", "package"},
                  {"testsuite", "properties", "testcase", "system-out", "system-err"}),
    "testcase": ({"name"}, {"assertions", "time", "classname", "status"},
                 {"skipped", "error", "failure", "system-out", "system-err", "properties"}),
    "properties": (set(), set(), {"property"}),
    "property": ({"name", "value"}, set(), set()),
    "skipped": (set(), {"message", "type"}, set()),
    "error": (set(), {"message", "type"}, set()),
    "failure": (set(), {"message", "type"}, set()),
}  # fmt: skip
NUMBERS = ("tests", "failures", "errors", "skipped", "disabled")


def require_valid(element: Element) -> None:
    """Raise where an element breaks the schema, or numbers are not those of the testcases."""
    must, may, children = SCHEMA[element.tag]
    assert must <= set(element.attrib) <= must | may, element.tag
    assert {child.tag for child in element} <= children, element.tag
    for name, value in element.items():
        if name in NUMBERS:
            assert value.isdecimal()
        if name == "time":
            assert float(value) >= 0
        if name == "timestamp":
            assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", value)
    if element.tag in ("testsuites", "testsuite"):
        cases = list(element.iter("testcase"))
        assert int(element.get("tests", "")) == len(cases)
        for number, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            if number in element.attrib:
                has = [case for case in cases if case.find(tag) is not None]
                assert int(element.get(number, "")) == len(has)
    for child in element:
        require_valid(child)


def read(path: Path) -> dict[tuple[str, str], Element]:
    """The testcases of a valid file, by class and name."""
    root = parse_xml(path.read_text())
    require_valid(root)
    cases = {(one.get("classname", ""), one.get("name", "")): one for one in root.iter("testcase")}
    assert len(cases) == len(list(root.iter("testcase"))), "a server takes two of a name for one"
    return cases


def outcome(case: Element) -> str:
    kinds = [child.tag for child in case if child.tag != "properties"]
    assert len(kinds) <= 1
    return kinds[0] if kinds else "passed"


def rule(algorithm: str, line: int | None = None) -> FileRule:
    return FileRule("alltoall", 2, None, 0, None, algorithm, line=line)


def verified(*verdicts: Verdict, **more: Any) -> Verified:
    """A rule for each verdict, with calls but for one that is never used."""
    ruled = []
    for line, verdict in enumerate(verdicts, 1):
        own = rule(f"algorithm_{line}", line)
        served = Served(Cell("alltoall", 4, own), "ring", 8, 0.5, 64, 64, verdict, "so it is")
        ruled.append(Ruled(own, verdict, () if verdict is Verdict.unused else (served,)))
    seen = Watched((), 4, 4, "Open MPI v5.0.11", True, 0, 4)
    served = [one for each in ruled for one in each.served]
    made = Verified("Open MPI v5.0.11", served, {}, ruled, None, None, {}, [seen])
    return replace(made, **more)


ALL = set(Failure)
USUAL = ALL - {Failure.unused}


def written(path: Path, found: Verified, failures: set[Failure] = USUAL) -> Any:
    write_junit(path, "rules.conf", cases_of(found, reasons_of(found, failures), failures))
    return read(path)


def test_each_rule_and_each_check_is_a_testcase_with_its_outcome(tmp_path: Path) -> None:
    cases = written(tmp_path / "a.xml", verified(*Verdict))
    rules = {name: outcome(case) for (group, name), case in cases.items() if group == RULES}
    assert list(rules.values()) == ["passed", "failure", "failure", "failure", "skipped"]
    assert list(rules)[1] == "line 2: alltoall on 2+ from 0 B: algorithm_2"
    checks = {name: outcome(case) for (group, name), case in cases.items() if group == CHECKS}
    assert checks == {
        "ignored": "failure", "unknown": "failure", "slower": "passed", "reordered": "passed",
    }  # fmt: skip


def test_what_is_no_reason_to_fail_fails_no_testcase(tmp_path: Path) -> None:
    cases = written(tmp_path / "a.xml", verified(*Verdict), {Failure.slower})
    assert {outcome(case) for case in cases.values()} == {"passed", "skipped"}
    cases = written(tmp_path / "a.xml", verified(*Verdict), ALL)
    assert outcome(cases[RULES, "line 5: alltoall on 2+ from 0 B: algorithm_5"]) == "failure"


def test_failures_are_the_sentences_that_verify_prints(tmp_path: Path) -> None:
    found = verified(Verdict.not_in_effect, Verdict.in_effect)
    cases = written(tmp_path / "a.xml", found)
    failure = cases[CHECKS, "ignored"].find("failure")
    assert failure is not None
    assert failure.get("message") == failure.text == "1 of 2 rules not in effect"
    failure = cases[RULES, "line 1: alltoall on 2+ from 0 B: algorithm_1"].find("failure")
    assert failure is not None
    assert "not in effect: so it is" in (failure.text or "")


def test_the_file_fails_where_the_exit_code_does(tmp_path: Path) -> None:
    rng = random.Random(1)
    for _ in range(60):
        found = verified(*rng.choices(list(Verdict), k=rng.randint(1, 4)))
        failures = set(rng.sample(list(Failure), rng.randint(1, 5)))
        cases = written(tmp_path / "a.xml", found, failures)
        has_failed = "failure" in {outcome(case) for case in cases.values()}
        assert has_failed == bool(reasons_of(found, failures))


def properties(case: Element) -> dict[str, str]:
    return {one.get("name", ""): one.get("value", "") for one in case.iter("property")}


def test_gains_are_properties_with_their_interval_and_a_loss_fails(tmp_path: Path) -> None:
    slower = gain_of([Pair(1.0, 2.0), Pair(1.01, 2.0), Pair(1.0, 2.01)])
    assert slower and slower.low
    found = verified(Verdict.in_effect, program=slower, collectives=slower)
    found = replace(found, cells={found.served[0].cell: slower})
    cases = written(tmp_path / "a.xml", found)
    case = cases[RULES, "line 1: alltoall on 2+ from 0 B: algorithm_1"]
    assert outcome(case) == "failure"
    held = properties(case)
    assert held["gain"] == f"{slower.value:.6g}"
    assert (held["gain_low"], held["pairs"]) == (f"{slower.low:.6g}", "3")
    held = properties(cases[CHECKS, "slower"])
    assert {"gain[program]", "gain_high[collectives]"} <= held.keys()
    assert "all collective calls together" in (cases[CHECKS, "slower"].find("failure").text or "")


def test_what_stands_in_the_way_is_told(tmp_path: Path) -> None:
    found = verified(Verdict.not_in_effect)
    found = replace(found, obstacles=[Finding("warning", "forced", "a beats b", "unset a")])
    cases = written(tmp_path / "a.xml", found)
    assert properties(cases[CHECKS, "ignored"])["obstacles"] == "a beats b; unset a"


@pytest.mark.parametrize("text", ["\x1b[31mred\x00", "<&>\"'", "\ud800", "a\nb\tc", "é☃𝄞", "]]>"])
def test_any_text_gives_a_file_that_is_read(tmp_path: Path, text: str) -> None:
    path = tmp_path / "a.xml"
    write_junit(path, text, [Case(CHECKS, text, properties={"a": text}, failure=f"{text}!")])
    (case,) = read(path).values()
    assert outcome(case) == "failure"


def test_testcases_of_one_name_are_told_apart(tmp_path: Path) -> None:
    path = tmp_path / "a.xml"
    write_junit(path, "", [Case(RULES, "a"), Case(RULES, "a", failure="b"), Case(CHECKS, "a")])
    assert [outcome(case) for case in read(path).values()] == ["passed", "failure", "passed"]


@pytest.mark.mpi
def test_a_program_that_does_not_run_is_an_error_in_the_file(
    contend: Callable[..., Any], mpi: Any, tmp_path: Path
) -> None:
    names = {"Open MPI": "openmpi", "MPICH": "mpich"}
    if mpi.family not in names:
        pytest.skip(f"no rules of {mpi.title}")
    rules = tmp_path / "rules"
    tree = '{"collective=alltoall": {"algorithm=MPIR_Alltoall_intra_pairwise": {}}}\n'
    rules.write_text(tree if mpi.family == "MPICH" else "1\n3\n1\n1\n1\n0 2 0 0\n")
    path = tmp_path / "result.xml"
    own = ("--repeat", "pairs=0", "--mpicc", mpi.mpicc, "--junit", path)
    contend("tune", "verify", rules, *own, "--", *mpi.launcher, "-n", 2, "false").fails()
    (case,) = read(path).values()
    assert outcome(case) == "error"
