"""The result of contend tune verify as a JUnit XML file, which CI servers show.

Form: the schema of Jenkins' xUnit plugin (junit-10.xsd), which GitLab reads too: testsuites, with
one testsuite, with a testcase for each rule and one for each check, in it properties before the
outcome. A rule that the program never uses, or of which it is not known whether it is in effect,
is skipped where that is no reason to fail.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from socket import gethostname
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from contend.base.errors import ContendError
from contend.base.wholefile import write_whole
from contend.base.xml_text import printable
from contend.tune.verification.gain import Gain
from contend.tune.verification.reasons import Reason
from contend.tune.verification.summary import called, rule_text
from contend.tune.verification.verdict import Ruled, Verdict
from contend.tune.verification.verify import Verified

SUITE = "contend tune verify"
RULES, CHECKS = f"{SUITE}.rules", f"{SUITE}.checks"  # names of classes of testcases


@dataclass(frozen=True)
class Case:
    """A testcase: `failure` or `error` say why it did not pass, `skipped` why it tells nothing."""

    group: str
    name: str
    seconds: float = 0.0
    properties: Mapping[str, object] = field(default_factory=dict)
    failure: str = ""
    error: str = ""
    skipped: str = ""


def write_junit(path: Path, title: str, cases: Sequence[Case]) -> None:
    """Write the file whole or not at all; `title` says what was verified."""
    total = {
        "tests": len(cases),
        "failures": sum(bool(case.failure) for case in cases),
        "errors": sum(bool(case.error) for case in cases),
        "time": f"{sum(case.seconds for case in cases):.6f}",
    }
    root = Element("testsuites", _texts({"name": SUITE, **total}))
    skipped = sum(bool(case.skipped) for case in cases)
    where = {"timestamp": f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%S}", "hostname": gethostname()}
    head = {"name": title, **total, "skipped": skipped, **where}
    suite = SubElement(root, "testsuite", _texts(head))
    seen: Counter[tuple[str, str]] = Counter()
    for case in cases:  # servers take two of a name for one
        seen[case.group, case.name] += 1
        number = seen[case.group, case.name]
        _case(suite, case if number == 1 else replace(case, name=f"{case.name} ({number})"))
    indent(root)
    write_whole(path, tostring(root, encoding="utf-8", xml_declaration=True) + b"\n")


def _case(suite: Element, outcome: Case) -> None:
    head = {"classname": outcome.group, "name": outcome.name, "time": f"{outcome.seconds:.6f}"}
    case = SubElement(suite, "testcase", _texts(head))
    if outcome.properties:
        held = SubElement(case, "properties")
        for name, value in outcome.properties.items():
            SubElement(held, "property", _texts({"name": name, "value": value}))
    for kind, text in (
        ("skipped", outcome.skipped),
        ("error", outcome.error),
        ("failure", outcome.failure),
    ):
        if text:
            SubElement(case, kind, _texts({"message": text})).text = printable(text)


def _texts(attributes: Mapping[str, object]) -> dict[str, str]:
    return {name: printable(str(value)) for name, value in attributes.items()}


@contextmanager
def errors_in(path: Path | None, title: str) -> Iterator[None]:
    """A context of which an error stands in the file for a CI server too."""
    try:
        yield
    except ContendError as error:
        if path:
            write_junit(path, title, [Case(CHECKS, "runs", error=str(error))])
        raise


def cases_of(verified: Verified, reasons: Sequence[Reason], watched: Iterable[str]) -> list[Case]:
    """A case for each rule and for each check; `watched` are the reasons that are looked for."""
    wanted = set(watched)
    rules = [_of_rule(ruled, verified, wanted) for ruled in verified.ruled]
    return [*rules, *_checks(verified, reasons, wanted)]


def _of_rule(ruled: Ruled, verified: Verified, wanted: set[str]) -> Case:
    gains = {cell: gain for cell, gain in verified.cells.items() if cell.rule == ruled.rule}
    calls = "; ".join(dict.fromkeys(called(each, verified) for each in ruled.served))
    text = f"{rule_text(ruled.rule)}: {calls or ruled.verdict.value}"
    fails = {
        Verdict.not_in_effect: "ignored", Verdict.in_part: "ignored", Verdict.unknown: "unknown",
        Verdict.unused: "unused",
    }  # fmt: skip
    is_failed = fails.get(ruled.verdict) in wanted
    slower = [cell for cell in gains if cell in verified.slower] if "slower" in wanted else []
    failure = [text] if is_failed else []
    failure += [f"slower than by default on {cell.n} processes" for cell in slower]
    is_open = ruled.verdict in (Verdict.unknown, Verdict.unused)
    properties: dict[str, object] = {"verdict": ruled.verdict.value}
    for cell, gain in gains.items():
        properties |= _gain(gain, f"[n={cell.n}]" if len(gains) > 1 else "")
    line = f"line {ruled.rule.line}: " if ruled.rule.line else ""
    return Case(
        RULES,
        line + rule_text(ruled.rule),
        sum(each.seconds for each in ruled.served),
        properties,
        "; ".join(failure),
        skipped=text if is_open and not failure else "",
    )


def _checks(verified: Verified, reasons: Sequence[Reason], wanted: set[str]) -> list[Case]:
    """One for each reason to fail; whole runs have their gains with that of being slower."""
    gains = {"program": verified.program, "collectives": verified.collectives}
    held = {
        name: value
        for of, gain in gains.items() if gain
        for name, value in _gain(gain, f"[{of}]").items()
    }  # fmt: skip
    kinds = [
        *sorted(wanted),
        *dict.fromkeys(reason.kind for reason in reasons if reason.kind not in wanted),
    ]
    obstacles = "; ".join(str(obstacle) for obstacle in verified.obstacles)
    return [
        Case(
            CHECKS,
            kind,
            properties=held if kind == "slower" else {"obstacles": obstacles} if (
                kind == "ignored" and obstacles
            ) else {},
            failure="; ".join(reason.text for reason in reasons if reason.kind == kind),
        )
        for kind in kinds
    ]  # fmt: skip


def _gain(gain: Gain, of: str) -> dict[str, object]:
    bounds = {"gain_low": gain.low, "gain_high": gain.high}
    limits = {name: f"{value:.6g}" for name, value in bounds.items() if value is not None}
    return {
        f"{name}{of}": value
        for name, value in {"gain": f"{gain.value:.6g}", **limits, "pairs": gain.pairs}.items()
    }
