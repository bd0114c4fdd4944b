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
        "failures": sum(bool(one.failure) for one in cases),
        "errors": sum(bool(one.error) for one in cases),
        "time": f"{sum(one.seconds for one in cases):.6f}",
    }
    root = Element("testsuites", _texts({"name": SUITE, **total}))
    skipped = sum(bool(one.skipped) for one in cases)
    where = {"timestamp": f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%S}", "hostname": gethostname()}
    head = {"name": title, **total, "skipped": skipped, **where}
    suite = SubElement(root, "testsuite", _texts(head))
    seen: Counter[tuple[str, str]] = Counter()
    for one in cases:  # servers take two of a name for one
        seen[one.group, one.name] += 1
        number = seen[one.group, one.name]
        _case(suite, one if number == 1 else replace(one, name=f"{one.name} ({number})"))
    indent(root)
    write_whole(path, tostring(root, encoding="utf-8", xml_declaration=True) + b"\n")


def _case(suite: Element, one: Case) -> None:
    head = {"classname": one.group, "name": one.name, "time": f"{one.seconds:.6f}"}
    case = SubElement(suite, "testcase", _texts(head))
    if one.properties:
        held = SubElement(case, "properties")
        for name, value in one.properties.items():
            SubElement(held, "property", _texts({"name": name, "value": value}))
    for kind, text in (("skipped", one.skipped), ("error", one.error), ("failure", one.failure)):
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


def cases_of(found: Verified, reasons: Sequence[Reason], watched: Iterable[str]) -> list[Case]:
    """A case for each rule and for each check; `watched` are the reasons that are looked for."""
    wanted = set(watched)
    rules = [_of_rule(one, found, wanted) for one in found.ruled]
    return [*rules, *_checks(found, reasons, wanted)]


def _of_rule(one: Ruled, found: Verified, wanted: set[str]) -> Case:
    gains = {cell: gain for cell, gain in found.cells.items() if cell.rule == one.rule}
    calls = "; ".join(dict.fromkeys(called(each, found) for each in one.served))
    text = f"{rule_text(one.rule)}: {calls or one.verdict.value}"
    fails = {
        Verdict.not_in_effect: "ignored", Verdict.in_part: "ignored", Verdict.unknown: "unknown",
        Verdict.unused: "unused",
    }  # fmt: skip
    is_failed = fails.get(one.verdict) in wanted
    slower = [cell for cell in gains if cell in found.slower] if "slower" in wanted else []
    failure = [text] if is_failed else []
    failure += [f"slower than by default on {cell.n} processes" for cell in slower]
    is_open = one.verdict in (Verdict.unknown, Verdict.unused)
    properties: dict[str, object] = {"verdict": one.verdict.value}
    for cell, gain in gains.items():
        properties |= _gain(gain, f"[n={cell.n}]" if len(gains) > 1 else "")
    line = f"line {one.rule.line}: " if one.rule.line else ""
    return Case(
        RULES,
        line + rule_text(one.rule),
        sum(each.seconds for each in one.served),
        properties,
        "; ".join(failure),
        skipped=text if is_open and not failure else "",
    )


def _checks(found: Verified, reasons: Sequence[Reason], wanted: set[str]) -> list[Case]:
    """One for each reason to fail; whole runs have their gains with that of being slower."""
    gains = {"program": found.program, "collectives": found.collectives}
    held = {
        name: value
        for of, gain in gains.items() if gain
        for name, value in _gain(gain, f"[{of}]").items()
    }  # fmt: skip
    kinds = [*sorted(wanted), *dict.fromkeys(one.kind for one in reasons if one.kind not in wanted)]
    obstacles = "; ".join(str(one) for one in found.obstacles)
    return [
        Case(
            CHECKS,
            kind,
            properties=held if kind == "slower" else {"obstacles": obstacles} if (
                kind == "ignored" and obstacles
            ) else {},
            failure="; ".join(one.text for one in reasons if one.kind == kind),
        )
        for kind in kinds
    ]  # fmt: skip


def _gain(gain: Gain, of: str) -> dict[str, object]:
    bounds = {"gain_low": gain.low, "gain_high": gain.high}
    known = {name: f"{value:.6g}" for name, value in bounds.items() if value is not None}
    return {
        f"{name}{of}": value
        for name, value in {"gain": f"{gain.value:.6g}", **known, "pairs": gain.pairs}.items()
    }
