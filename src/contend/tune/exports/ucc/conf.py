"""UCC's file of configuration, taken apart as the library does it.

Source: src/utils/ini.c and ucc_file_parse_handler of src/utils/ucc_parser.c, and runs of 1.9.0.
Layout: lines NAME=VALUE or NAME:VALUE, comments of a whole line behind '#' or ';' and within one
behind " ;" alone, and sections [key=range key=range ...]. What stands before the first section is
for all teams, unless the environment sets it. Sections are for teams of which all conditions hold:
vendor and model of the processor, ranges of team_size, ppn (ranks a node: the least and the most of
the nodes), sock (ranks a socket) and nnodes. Of several that hold all are applied, in the order of
a table of hashes and not of the file, so that of two that set one variable neither is sure to win.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import combinations

from contend.schedules.libraries import Library, Version
from contend.schedules.libraries.ucc import PREFIX, RANGED
from contend.tune.exports.finding import Faults, Finding, by_line, meant
from contend.tune.exports.ucc.tune import KNOWN, VARIABLE, value_findings

LONGEST_LINE = 8189  # bytes; from 8192 on a line is cut in two
LONGEST_SECTION = 127
MOST = 2**31 - 1
RANGES = ("team_size", "ppn", "nnodes", "sock")
Range = tuple[int, int]  # the first and the last
REFUSED = "UCC refuses the file and does not start, and Open MPI goes on without it"
_FAULT = Faults(__file__, refused=REFUSED)


@dataclass(frozen=True)
class Variable:
    name: str
    value: str
    line: int


@dataclass
class Section:
    """Conditions and variables; without a name those before the first section."""

    name: str
    line: int
    words: dict[str, str] = field(default_factory=dict)  # vendor and model
    ranges: dict[str, Range] = field(default_factory=dict)
    variables: list[Variable] = field(default_factory=list)

    def value(self, name: str) -> Variable | None:
        """A variable of it; None where it is not set."""
        return next((variable for variable in self.variables if variable.name == name), None)

    def meets(self, other: "Section") -> bool:
        """Whether there is a team that both are for."""
        return all(
            self.words[key].lower() == other.words[key].lower()
            for key in self.words.keys() & other.words.keys()
        ) and meet(self.ranges, other.ranges)


def meet(ranges: dict[str, Range], other: dict[str, Range]) -> bool:
    """Whether ranges by key have numbers in common; a key that is left out has all."""
    return all(
        max(ranges[key][0], other[key][0]) <= min(ranges[key][1], other[key][1])
        for key in ranges.keys() & other.keys()
    )


@dataclass
class Conf:
    """What UCC finds in a text; where `faults` has errors it takes nothing."""

    sections: list[Section]
    faults: list[Finding]

    @property
    def all_teams(self) -> Section:
        """What stands before the first section."""
        return self.sections[0]


def parse(text: str) -> Conf:
    """What UCC finds in a text; never an error."""
    conf = Conf([Section("", 1)], [])
    current, has_variable = conf.all_teams, False
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        size = len(line.encode(errors="replace"))
        if size > LONGEST_LINE:
            conf.faults.append(_FAULT("long", number, bytes=size))
        start = line.strip()
        if not start or start[0] in "#;":
            continue
        if has_variable and line[0].isspace():
            conf.faults.append(_FAULT("indented", number))
        elif start[0] == "[":
            current = _section(conf, start, number)
            has_variable = False
        elif (match := re.match(r"[^=:]*[=:]", start)) and " ;" not in match[0]:
            name = match[0][:-1].rstrip()
            value = re.split(r"\s;", start[match.end() :])[0].strip()
            _set(conf, current, Variable(name, value, number))
            has_variable = True
        else:
            conf.faults.append(_FAULT("line", number, text=start))
    return conf


def has_sections(text: str) -> bool:
    """Whether a text has a section with a condition on teams."""
    return any(section.words or section.ranges for section in parse(text).sections[1:])


def _section(conf: Conf, start: str, line: int) -> Section:
    name, bracket, _ = start[1:].partition("]")
    if not bracket:
        conf.faults.append(_FAULT("bracket", line, text=start))
        return conf.sections[-1]
    before = next((section for section in conf.sections if section.name == name), None)
    if before is not None:
        return before
    section = Section(name, line)
    conf.sections.append(section)
    if len(name) > LONGEST_SECTION:
        conf.faults.append(_FAULT("section-long", line, bytes=len(name)))
    conf.faults += _conditions(section)
    return section


def _conditions(section: Section) -> Iterator[Finding]:
    for text in filter(None, section.name.split(" ")):
        key, _, value = text.partition("=")
        is_word = key.lower() == "vendor" or key == "model"
        if not is_word and key not in RANGES:
            remedy = f"give one of vendor, model, {', '.join(RANGES)}, in small letters"
            yield _FAULT("key", section.line, key=key, remedy=remedy)
        elif not value:
            yield _FAULT("crash", section.line, key=text)
        elif is_word:
            section.words[key.lower()] = value
        elif span := _range(value):
            section.ranges[key] = span
        else:
            yield _FAULT("range", section.line, text=text)


def _range(text: str) -> Range | None:
    ends = [part for part in text.split("-") if part]
    if len(ends) not in (1, 2) or not all(re.fullmatch(r"[0-9]{1,10}", end) for end in ends):
        return None
    return int(ends[0]), int(ends[-1])


def _set(conf: Conf, section: Section, variable: Variable) -> None:
    if len(variable.name) < 4 or "UCC_" not in variable.name:
        conf.faults.append(_FAULT("name", variable.line, name=variable.name))
    elif before := section.value(variable.name):
        given = {"name": variable.name, "first": before.line}
        conf.faults.append(_FAULT("twice", variable.line, **given))
    else:
        section.variables.append(variable)


_PART = r"(?:[0-9]+[kmgt]?b?-(?:[0-9]+[kmgt]?b?|inf)(?::[a-z_]+)?:(?:[0-9]+|auto)|[0-9]+|auto)"
_RANGED = re.compile(rf"{_PART}(?:,{_PART})*", re.IGNORECASE)


def lint_conf(text: str, library: Library, version: Version) -> list[Finding]:
    conf = parse(text)
    findings = list(conf.faults)
    for section in conf.sections:
        findings += _of_section(section)
        for variable in section.variables:
            findings += _of_variable(variable, bool(section.name), library, version)
    findings += _of_all_teams(conf)
    return by_line([*findings, *_overlaps(conf.sections[1:])])


def _of_section(section: Section) -> Iterator[Finding]:
    for key, (first, last) in section.ranges.items():
        if first > last:
            yield _FAULT("reversed", section.line, key=key, first=first, last=last)
    for key, names in (("vendor", KNOWN["vendors"]), ("model", KNOWN["models"])):
        value = section.words.get(key, "").lower()
        if value and value not in names:
            remedy = meant(value, names, f"give one of {', '.join(names)}")
            yield _FAULT("processor", section.line, key=key, value=value, remedy=remedy)
    if section.name and not section.variables:
        yield _FAULT("empty", section.line)


def _of_variable(
    variable: Variable, is_in_section: bool, library: Library, version: Version
) -> Iterator[Finding]:
    name, line = variable.name, variable.line
    option = name.removeprefix(PREFIX)
    if name == VARIABLE:
        yield from value_findings(variable.value, line, library, version)
    elif not name.startswith(PREFIX):
        if is_in_section:
            yield _FAULT("other", line, name=name)
    elif option not in KNOWN["options"]:
        remedy = meant(name, [PREFIX + option for option in KNOWN["options"]], "see ucc_info -caf")
        yield _FAULT("unknown", line, name=name, remedy=remedy)
    elif option.endswith("_RADIX"):
        is_ranged = option in RANGED
        is_read = _RANGED.fullmatch(variable.value) if is_ranged else variable.value.isdecimal()
        if not is_read:
            remedy = (
                "write first-last:host:radix, with commas between" if is_ranged
                else "write one number, since this radix has no ranges"
            )  # fmt: skip
            yield _FAULT("radix", line, name=name, value=variable.value, remedy=remedy)


def _of_all_teams(conf: Conf) -> Iterator[Finding]:
    if (here := conf.all_teams.value(VARIABLE)) and here.value:
        for section in conf.sections[1:]:
            if hidden := section.value(VARIABLE):
                yield _FAULT("hidden", hidden.line, line=here.line)


def _overlaps(sections: list[Section]) -> Iterator[Finding]:
    for section, other in combinations(sections, 2):
        names = {each.name for each in section.variables} & {each.name for each in other.variables}
        if names and section.meets(other):
            given = {"one": section.name, "line": section.line, "name": sorted(names)[0]}
            yield _FAULT("overlap", other.line, **given)
