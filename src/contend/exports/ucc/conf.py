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

from contend.exports.finding import Faults, Finding

LONGEST_LINE = 8189  # bytes; from 8192 on a line is cut in two
LONGEST_SECTION = 127
MOST = 2**31 - 1
RANGES = ("team_size", "ppn", "nnodes", "sock")
VENDORS = ("intel", "amd", "arm", "ppc", "riscv", "fujitsu", "zhaoxin", "nvidia")
MODELS = ("ivybridge", "sandybridge", "nehalem", "westmere", "haswell", "broadwell", "skylake",
          "aarch64", "naples", "rome", "milan", "genoa", "wudaokou", "lujiazui", "grace",
          "a64fx", "zhangjiang", "monaka")  # fmt: skip
Range = tuple[int, int]  # the first and the last
REFUSED = "UCC refuses the file and does not start, and Open MPI goes on without it"
FAULT = Faults({
    "line": ("error", f"{{text!r:.60}} is neither a section nor NAME=VALUE: {REFUSED}",
             "write NAME=VALUE, or # before a comment"),
    "bracket": ("error", f"{{text!r:.60}} has no ]: {REFUSED}", "close it"),
    "long": ("error", f"the line has {{bytes}} bytes, and UCC cuts lines after {LONGEST_LINE}: "
             f"{REFUSED}", "cut the rules up by sections of fewer team sizes"),
    "section-long": ("error", f"the name of a section has {{bytes}} characters, and UCC cuts it "
                     f"after {LONGEST_SECTION}, by which it can crash", "shorten it"),
    "name": ("error", f"{{name!r:.60}} does not begin with UCC_: {REFUSED}", "write UCC_{{...}}"),
    "twice": ("error", f"{{name}} was set in line {{first}} already: {REFUSED}",
              "remove one of the two"),
    "indented": ("error", f"an indented line goes on with the variable before it, which is then "
                 f"set twice: {REFUSED}", "begin it at the margin"),
    "key": ("error", f"{{key!r:.40}} is no condition: {REFUSED}", "{remedy}"),
    "crash": ("error", "{key!r:.40} has no value, by which UCC crashes",
              "write key=value, without blanks"),
    "range": ("error", f"{{text!r:.40}} is no range: {REFUSED}",
              "write first-last in decimal; there are no lists and no 'inf', 2147483647 stands for "
              "no end"),
})  # fmt: skip


@dataclass(frozen=True)
class Variable:
    """A variable that a section sets."""

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
        return next((one for one in self.variables if one.name == name), None)

    def meets(self, other: "Section") -> bool:
        """Whether there is a team that both are for."""
        return all(
            self.words[key].lower() == other.words[key].lower()
            for key in self.words.keys() & other.words.keys()
        ) and meet(self.ranges, other.ranges)


def meet(one: dict[str, Range], other: dict[str, Range]) -> bool:
    """Whether ranges by key have numbers in common; a key that is left out has all."""
    return all(
        max(one[key][0], other[key][0]) <= min(one[key][1], other[key][1])
        for key in one.keys() & other.keys()
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
            conf.faults.append(FAULT("long", number, bytes=size))
        start = line.strip()
        if not start or start[0] in "#;":
            continue
        if has_variable and line[0].isspace():
            conf.faults.append(FAULT("indented", number))
        elif start[0] == "[":
            current = _section(conf, start, number)
            has_variable = False
        elif (match := re.match(r"[^=:]*[=:]", start)) and " ;" not in match[0]:
            name = match[0][:-1].rstrip()
            value = re.split(r"\s;", start[match.end() :])[0].strip()
            _set(conf, current, Variable(name, value, number))
            has_variable = True
        else:
            conf.faults.append(FAULT("line", number, text=start))
    return conf


def has_sections(text: str) -> bool:
    """Whether a text has a section with a condition on teams."""
    return any(one.words or one.ranges for one in parse(text).sections[1:])


def _section(conf: Conf, start: str, line: int) -> Section:
    name, bracket, _ = start[1:].partition("]")
    if not bracket:
        conf.faults.append(FAULT("bracket", line, text=start))
        return conf.sections[-1]
    before = next((one for one in conf.sections if one.name == name), None)
    if before is not None:
        return before
    section = Section(name, line)
    conf.sections.append(section)
    if len(name) > LONGEST_SECTION:
        conf.faults.append(FAULT("section-long", line, bytes=len(name)))
    conf.faults += _conditions(section)
    return section


def _conditions(section: Section) -> Iterator[Finding]:
    for text in filter(None, section.name.split(" ")):
        key, _, value = text.partition("=")
        is_word = key.lower() == "vendor" or key == "model"
        if not is_word and key not in RANGES:
            remedy = f"give one of vendor, model, {', '.join(RANGES)}, in small letters"
            yield FAULT("key", section.line, key=key, remedy=remedy)
        elif not value:
            yield FAULT("crash", section.line, key=text)
        elif is_word:
            section.words[key.lower()] = value
        elif found := _range(value):
            section.ranges[key] = found
        else:
            yield FAULT("range", section.line, text=text)


def _range(text: str) -> Range | None:
    """The ends of a range; one number is both."""
    ends = [part for part in text.split("-") if part]
    if len(ends) not in (1, 2) or not all(re.fullmatch(r"[0-9]{1,10}", end) for end in ends):
        return None
    return int(ends[0]), int(ends[-1])


def _set(conf: Conf, section: Section, variable: Variable) -> None:
    if len(variable.name) < 4 or "UCC_" not in variable.name:
        conf.faults.append(FAULT("name", variable.line, name=variable.name))
    elif before := section.value(variable.name):
        given = {"name": variable.name, "first": before.line}
        conf.faults.append(FAULT("twice", variable.line, **given))
    else:
        section.variables.append(variable)
