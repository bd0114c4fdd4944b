"""UCC's file of configuration: sections by team size and ranks a node, which set UCC_TL_UCP_TUNE.

Source: `exports.ucc.conf`, and ucc_add_team_sections of src/utils/ucc_parser.c. Run with 1.9.0: the
map of scores of a team has what the section for it says. UCC reads the file that UCC_CONFIG_FILE
names, in the place of $HOME/ucc.conf and of share/ucc.conf beside it, which holds more than rules;
so files begin with the library's own. What the environment sets stands above the file, and what the
file sets for all teams above sections.
Idea: sections must not overlap, since of two that hold neither is sure to win. Teams are cut at
every end of a rule of any operation, and by ranks a node; a section has the rules of all operations
for its teams. Where a section of the file that is there holds, it stays, and ours leaves its teams.
Restrictions: vendor, model and sockets are not decided on. Teams with more ranks on some nodes than
on others are left to the library where a rule is for a number of ranks a node.
"""

import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

from contend.base.errors import FileFormatError, InvalidInputError
from contend.base.textfile import read_text
from contend.schedules.libraries import LibraryAlgorithm, Version
from contend.schedules.libraries.ucc import CALLED, PREFIX, RADICES, RANGED
from contend.tune.choose.rules import Rule
from contend.tune.exports.bands import Band, by_operation
from contend.tune.exports.file_rules import always_right, head_lines, wanted
from contend.tune.exports.filerule import FileRule, Placement
from contend.tune.exports.finding import Finding, worst
from contend.tune.exports.format import Export, Format, Request, not_merged
from contend.tune.exports.formats.ucc import UCCVariable, without_one_size
from contend.tune.exports.marks import SKIPPED, Made
from contend.tune.exports.settings.parser import says_script
from contend.tune.exports.shell import Departure, departures_of
from contend.tune.exports.ucc.conf import (
    LONGEST_LINE,
    MOST,
    Conf,
    Range,
    Section,
    has_sections,
    lint_conf,
    meet,
    parse,
)
from contend.tune.exports.ucc.tune import (
    END,
    NAMES,
    UNITS,
    VARIABLE,
    entries,
    entry_text,
    rules_of,
    text_without,
)

FILE = "UCC_CONFIG_FILE"
SHARE = "share/ucc.conf"
MPICH = "MPIR_CVAR_CH4_UCX_ENABLE_UCC"  # 5.0.2 calls UCC with it
Ranges = dict[str, Range]
Part = tuple[str, Band, LibraryAlgorithm]  # operation, sizes, and what is to run


class UCCConf(Format):
    name = "ucc-conf"
    title = "UCC's file of configuration"
    library_name = "ucc"
    first = (1, 3)

    def write(self, request: Request) -> Export:
        """Write sections behind UCC's own file, or the old one without what was decided on."""
        notes, decided, old = list[str](), request.decided, request.old
        if old is not None and worst(parse(old).faults) == "error":
            raise not_merged(parse(old).faults[0])
        if old is None:
            path, decided = own_file(request.library_rules), set()
            old = read_text(path) if path else ""
            notes = [] if path else [
                f"no {SHARE} of UCC was found: if there is one, name it by --default, since {FILE} "
                "takes its place"
            ]  # fmt: skip
        rules, left_out = always_right(wanted(request), request, self.library)
        kept = _without(_body(old), decided)
        conf = parse(kept)
        held = [section for section in conf.sections[1:] if section.value(VARIABLE)]
        notes += left_out
        made: list[tuple[Ranges, list[Part]]] = []
        for ranges, parts in self._sections(rules, request.version, notes):
            boxes = [ranges]
            for section in held:
                if any(meet(box, section.ranges) for box in boxes):
                    boxes = [part for box in boxes for part in _cut(box, section.ranges)]
                    notes.append(f"teams of [{section.name}] are left to that section")
            made += [(box, parts) for box in boxes]
        _require_sections(conf, bool(made))
        loading = [
            f"To load it: absolute path of this file in {FILE}, and for Open MPI",
            *(f"  export {name}={value}" for name, value in CALLED.items()),
            f"For an MPICH that was built with UCC: export {MPICH}=1",
        ]
        about = head_lines(self.library.title, request, loading, dict.fromkeys(notes), rules)
        text = "".join(f"# {line}".rstrip() + "\n" for line in about) + "\n" + kept
        text += "" if text.endswith("\n") else "\n"
        text += "".join(_section(box, parts) for box, parts in made)
        settings = dict(CALLED) if made else {}
        return Export(text, "\n".join(about), settings, tuple(dict.fromkeys(notes)))

    def _sections(
        self, rules: Sequence[Rule], version: Version, notes: list[str]
    ) -> Iterator[tuple[Ranges, list[Part]]]:
        """Conditions that exclude each other, and what is to run under them."""
        placements = sorted({rule.processes_per_node or 0 for rule in rules})
        named = [placement for placement in placements if placement]
        tiled = {
            placement: self._tiled(rules, placement, version, notes) for placement in placements
        }
        for first, last in _teams(rules, tiled.values(), named):
            for placement, ranges in _conditions(first, last, named):
                here = {
                    rule.operation for rule in rules
                    if (rule.processes_per_node or 0) == placement
                    and rule.n <= first and (rule.n_to is None or last < rule.n_to)
                }  # fmt: skip
                blocks = {of: tiles for of, tiles in tiled.get(0, {}).items() if of not in here}
                blocks |= {
                    of: tiles for of, tiles in tiled.get(placement, {}).items() if of in here
                }
                parts = [
                    (operation, band, algorithm)
                    for operation, tiles in blocks.items()
                    for piece, band, algorithm in tiles
                    if piece.first <= first and (piece.last is None or last <= piece.last)
                ]
                if parts:
                    yield {"team_size": (first, last), **ranges}, parts

    def _tiled(
        self, rules: Sequence[Rule], placement: int, version: Version, notes: list[str]
    ) -> dict[str, list[Departure]]:
        """Where operations depart from the default on a number of ranks a node; 0: on any."""
        here = [rule for rule in rules if (rule.processes_per_node or 0) == placement]
        tiles: dict[str, list[Departure]] = {}
        for operation, of_operation in by_operation(here).items():
            unit = UNITS.get(operation, "none")
            departures = departures_of(self.library, of_operation, unit, END, version, notes)
            tiles[operation] = without_one_size(operation, departures, notes)
        return tiles

    def read(self, text: str, version: Version) -> tuple[FileRule, ...]:
        """The rules of all sections; where the file sets the variable for all teams, those."""
        conf = parse(text)
        if conf.faults:
            raise FileFormatError(str(conf.faults[0]), "'contend tune lint' says more")
        here = conf.all_teams.value(VARIABLE)
        sections = [conf.all_teams] if here and here.value else conf.sections[1:]
        return tuple(rule for section in sections for rule in _read(section))

    def lint(self, text: str, version: Version) -> list[Finding]:
        """What UCC refuses, ignores or takes otherwise than meant; of a script, its variables."""
        if says_script(text):
            return UCCVariable().lint(text, version)
        return lint_conf(text, self.library, version)

    def made_of_mark(self, text: str) -> Made:
        return super().made_of_mark(text) if says_script(text) else SKIPPED

    def settings(self, path: str, version: Version) -> dict[str, str]:
        return {FILE: path}

    def needs(self, text: str, version: Version) -> dict[str, str]:
        """What makes Open MPI call UCC, where there are rules."""
        return dict(CALLED) if f"{VARIABLE}=" in _body(text) else {}

    def recognises(self, text: str) -> bool:
        """Whether it has a section of UCC, or sets variables of UCC and holds nothing else."""
        conf = parse(text)
        is_plain = any(variable.name.startswith("UCC_") for variable in conf.all_teams.variables)
        return has_sections(text) or (is_plain and not conf.faults) or _says(text)


def own_file(given: str | None) -> Path | None:
    """The library's own file: a path of it, of libucc, or beside ucc_info; None for none."""
    if given is None:
        program = shutil.which("ucc_info")
        beside = Path(program).resolve().parents[1] / SHARE if program else Path(SHARE)
        return beside if program and beside.is_file() else None
    path = Path(given)
    if ".so" in path.name:
        path = path.parent.parent / SHARE
    if not path.is_file():
        raise InvalidInputError(f"{path} is no file", f"name libucc.so or its {SHARE}")
    return path


def _says(text: str) -> bool:
    return text.startswith("# Rules for UCC ") and f"path of this file in {FILE}" in text


def _body(old: str) -> str:
    """A file without what contend says of it at its head."""
    if not _says(old):
        return old
    lines = old.split("\n")
    head = next((index for index, line in enumerate(lines) if not line.startswith("#")), len(lines))
    return "\n".join(lines[head:]).removeprefix("\n")


def _without(text: str, decided: set[str]) -> str:
    """The file without entries of operations that were decided on, line by line."""
    lines = text.split("\n")
    gone: set[int] = set()
    for section in parse(text).sections:
        if variable := section.value(VARIABLE):
            held = list(entries(variable.value))
            rest = "#".join(filter(None, (text_without(entry, decided) for entry in held)))
            if rest != variable.value and len(rest) < len(variable.value):
                lines[variable.line - 1] = f"{VARIABLE}={rest}"
                gone |= set() if rest else {variable.line}
        if section.name and {variable.line for variable in section.variables} <= gone:
            gone.add(section.line)
    return "\n".join(line for number, line in enumerate(lines, 1) if number not in gone)


def _require_sections(conf: Conf, has_ours: bool) -> None:
    here = conf.all_teams.value(VARIABLE)
    if has_ours and here and here.value:
        raise InvalidInputError(
            f"the file sets {VARIABLE} for all teams in line {here.line}, by which UCC does not "
            "look at sections",
            "move it into a section, or remove it",
        )


def _teams(
    rules: Sequence[Rule],
    tiled: Iterable[Mapping[str, Sequence[Departure]]],
    named: Sequence[int],
) -> Iterator[Range]:
    """Ranges of team sizes within which the same rules hold."""
    starts = {placement + 1 for placement in named} | {rule.n for rule in rules}
    starts |= {rule.n_to for rule in rules if rule.n_to is not None}
    for blocks in tiled:
        for piece in (piece for tiles in blocks.values() for piece, _, _ in tiles):
            starts |= {piece.first} | ({piece.last + 1} if piece.last else set())
    ordered = sorted(start for start in starts if start >= 1)
    for first, following in pairwise([*ordered, MOST + 1]):
        yield first, following - 1


def _conditions(first: int, last: int, named: Sequence[int]) -> Iterator[tuple[int, Ranges]]:
    """Ranks a node that are named, and 0 for all others, as conditions that exclude each other.

    So few ranks that a node holds them all are on one.
    """
    single = next((placement for placement in named if placement >= last), None)
    several = [placement for placement in named if placement < first]
    if single is not None:
        yield single, {"nnodes": (1, 1)}
    yield from ((placement, {"ppn": (placement, placement)}) for placement in several)
    rest: Ranges = {"nnodes": (2, MOST)} if single is not None else {}
    begin = 1
    for placement in [*several, MOST]:
        end = placement if placement == MOST else placement - 1
        if begin <= end:
            yield 0, {**rest, **({"ppn": (begin, end)} if several else {})}
        begin = placement + 1


def _cut(box: Ranges, other: Mapping[str, Range]) -> Iterator[Ranges]:
    """What is left of conditions without those of another section."""
    if not meet(box, dict(other)):
        yield box
        return
    inner = dict(box)
    for key in ("team_size", "ppn", "nnodes"):
        if key not in other:
            continue
        first, last = inner.get(key, (1, MOST))
        low, high = other[key]
        if first < low:
            yield {**inner, key: (first, low - 1)}
        if high < last:
            yield {**inner, key: (high + 1, last)}
        inner[key] = max(first, low), min(last, high)


def _section(ranges: Ranges, parts: Sequence[Part]) -> str:
    texts = [entry_text(NAMES.get(of, of), algorithm.name, band) for of, band, algorithm in parts]
    name = " ".join(
        f"{key}={first}-{last}" if first != last else f"{key}={first}"
        for key, (first, last) in ranges.items()
    )
    lines = [f"[{name}]", f"{VARIABLE}={'#'.join(texts)}", *_radices(parts)]
    if too_long := [line for line in lines if len(line) > LONGEST_LINE]:
        raise InvalidInputError(
            f"the rules of [{name}] make a line of {len(too_long[0])} bytes, where UCC reads "
            f"{LONGEST_LINE}",
            "decide on fewer sizes",
        )
    return "\n".join(lines) + "\n"


def _radices(parts: Sequence[Part]) -> Iterator[str]:
    wanted: dict[str, list[tuple[Band, int]]] = {}
    for operation, band, algorithm in parts:
        name = RADICES.get((operation, algorithm.name), "")
        if name and band.departure and "k" in band.departure.options:
            wanted.setdefault(name, []).append((band, band.departure.options["k"]))
    for name, bands in wanted.items():
        values = {k for _, k in bands}
        if len(values) > 1 and name not in RANGED:
            raise InvalidInputError(
                f"{PREFIX}{name} is to be {', '.join(map(str, sorted(values)))} by size, and has "
                "no ranges",
                "leave all but one of the radices out of the decisions",
            )
        if name in RANGED:
            ends = [(band.least, "inf" if band.last is None else band.last) for band, _ in bands]
            radices = (k for _, k in bands)
            held = zip(ends, radices, strict=True)
            value = ",".join(f"{first}-{last}:host:{k}" for (first, last), k in held) + ",auto"
        else:
            value = str(bands[0][1])
        yield f"{PREFIX}{name}={value}"


def _read(section: Section) -> Iterator[FileRule]:
    variable = section.value(VARIABLE)
    n, n_last = section.ranges.get("team_size", (1, MOST))
    per_node, nodes = section.ranges.get("ppn"), section.ranges.get("nnodes")
    placement: Placement = "any"
    if nodes == (1, 1):
        placement = "single-node"
    elif per_node == (1, 1):
        placement = "one-per-node"
    when = tuple(
        word for word in section.name.split() if word.partition("=")[0] not in ("team_size", "")
    )
    for entry in entries(variable.value) if variable else ():
        for rule in rules_of(entry) if entry.algorithm else ():
            ends = [end for end in (rule.n_to, None if n_last >= MOST else n_last + 1) if end]
            yield FileRule(
                rule.operation, max(n, rule.n), min(ends, default=None), rule.size, rule.size_to,
                rule.algorithm, _options(section, rule), rule.is_per_communicator, placement, when,
                variable.line if variable else None,
            )  # fmt: skip


def _options(section: Section, rule: FileRule) -> dict[str, int]:
    """The radix that the section sets for an algorithm, at the begin of its sizes."""
    name = RADICES.get((rule.operation, rule.algorithm))
    variable = section.value(f"{PREFIX}{name}") if name else None
    for part in variable.value.split(",") if variable else ():
        span, _, value = part.rpartition(":")
        if value.isdecimal() and (not span or span.partition("-")[0] == str(rule.size)):
            return {"k": int(value)}
    return {}
