"""Intel MPI: a file of shell that sets I_MPI_ADJUST_<OPERATION>="preset:sizes@processes;...".

Source: Developer Reference, I_MPI_ADJUST family: sizes are those of `UNITS`. Run with 2021.18: a
value that it cannot read is ignored and said so at I_MPI_DEBUG=5 ("Incorrect adjust value"); a
preset out of range, ranges that overlap and ranges that end before they begin are taken without a
word.
Grammar: preset[:condition[,condition...]][;preset:...], where a condition is size[-size]
[@processes[-processes]], both ends within. No condition: all calls.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

from contend.exports.bands import Unit
from contend.exports.filerule import FileRule
from contend.exports.finding import Faults, Finding, meant
from contend.exports.operands import wrong_in_some
from contend.exports.settings import Setting
from contend.exports.shell import Departures, VariablesFormat, values
from contend.libraries import Version

PREFIX = "I_MPI_ADJUST_"
MOST = 2**31 - 1  # the largest number of an int
# How sizes are counted, Developer Reference, "message collective functions": bytes of a block of a
# rank, or of all that a rank receives; of others no size is told apart.
UNITS: Mapping[str, Unit] = {
    "bcast": "m", "reduce": "m", "allreduce": "m", "alltoall": "m", "allgather": "m",
    "gather": "m", "scatter": "m", "scan": "m", "exscan": "m", "allgatherv": "total",
    "reduce_scatter": "total",
}  # fmt: skip
NONBLOCKING = "I_MPI_ADJUST_I"
# Ends of names of variables that choose parts of algorithms, in libmpi.so of 2021.18.
PARTS = ("_LIST", "ALLTOALLW", "_COMPOSITION", "_NETWORK", "_NODE", "_RADIX", "_SEGSIZE",
         "_THROTTLE", "_TYPE", "_NBUFFERS", "_THRESHOLD", "_OFFLOAD", "_SIZE", "_NLEAD",
         "_MREDUCE", "_NRAIL", "_PIPELINE", "_FALLBACK", "_NB_ALLGATHER", "_NB_ALLTOALL",
         "_ARCH")  # fmt: skip
_CLAUSE = re.compile(r"\s*(\d{1,9})\s*(?::(.*))?", re.DOTALL)
_CONDITION = re.compile(
    r"\s*(\d{1,19})\s*(?:-\s*(\d{1,19})\s*)?(?:@\s*(\d{1,19})\s*(?:-\s*(\d{1,19})\s*)?)?"
)
_FAULT = Faults({
    "variable": ("error", "{name} is no variable of Intel MPI, which ignores it", "{remedy}"),
    "syntax": ("error", "{text!r:.60} cannot be read, and Intel MPI ignores all of {name}",
               "write preset:size-size@processes-processes, with ';' between presets"),
    "preset": ("error", "preset {preset} of {of}, where there are 0 to {most}: it is taken "
               "without a word, and what runs is not known",
               "impi_info -v {name} says the range of the library at hand"),
    "range": ("error", "{text!r} ends before it begins: it holds for nothing",
              "write the smaller number first"),
    "number": ("warning", f"{{text!r}} goes beyond {MOST}, which no int holds",
               f"end it with {MOST}"),
    "size": ("warning", "Intel MPI has no size of {of} to compare with",
             f"write 0-{MOST} in the place of {{text}}"),
    "overlap": ("warning", "{one} and {other} hold for the same calls, and which of them is taken "
                "is not documented", "let one end before the other begins"),
    "gap": ("note", "{of} of {least} to {most} bytes on {first} to {last} processes is left to the "
            "library", "nothing is to be done if that is meant"),
})  # fmt: skip


class IntelVariables(VariablesFormat):
    """Variables of Intel MPI."""

    name = "intel"
    title = "Intel MPI's variables"
    library_name = "intel"
    first = (2021, 18)
    family = PREFIX
    between = ";"
    units = UNITS
    most = MOST

    def variables(
        self, departures: Departures, kept: Mapping[str, str], notes: list[str]
    ) -> dict[str, str]:
        """A variable for each operation, its conditions by preset."""
        variables = dict(kept)
        for operation, own in departures.items():
            by_preset: dict[int | None, list[str]] = {}
            for piece, band, algorithm in own:
                last = MOST if band.last is None else band.last
                end = MOST if piece.last is None else piece.last
                condition = f"{band.least}-{last}@{piece.first}-{end}"
                by_preset.setdefault(algorithm.number, []).append(condition)
            name = f"{PREFIX}{operation.upper()}"
            variables.pop(name, None)
            if by_preset:
                parts = (f"{number}:{','.join(those)}" for number, those in by_preset.items())
                variables[name] = ";".join(parts)
        return variables

    def read(self, text: str, version: Version) -> tuple[FileRule, ...]:
        """The rules of all variables that it can read."""
        return tuple(self._read(text, version))

    def _read(self, text: str, version: Version) -> Iterator[FileRule]:
        for name, value in values(text).items():
            operation = name.removeprefix(PREFIX).lower()
            known = {one.number: one.name for one in self.library.algorithms(operation, version)}
            for clause in clauses(value) if name.startswith(PREFIX) and known else ():
                for one in clause.conditions:
                    yield FileRule(
                        operation, one.n, None if one.n_last >= MOST else one.n_last + 1,
                        one.size, None if one.size_last >= MOST else one.size_last + 1,
                        known.get(clause.preset, "default"),
                        is_per_communicator=UNITS.get(operation) == "total",
                    )  # fmt: skip

    def check(self, setting: Setting, version: Version, text: str) -> Iterator[Finding]:
        """What is ignored, and what is taken without a word."""
        name, line = setting.name, setting.line
        variables = sorted(f"{PREFIX}{each.upper()}" for each in self.library.operations(version))
        if name not in variables:
            if not name.startswith(NONBLOCKING) and not name.endswith(PARTS):
                yield _FAULT("variable", line, name=name, remedy=meant(name, variables))
            return  # the others exist, and are not what is decided on
        operation = name.removeprefix(PREFIX).lower()
        names = {each.number: each.name for each in self.library.algorithms(operation, version)}
        held = list(clauses(setting.value))
        if unread := [part for clause in held for part in clause.unread]:
            yield _FAULT("syntax", line, text=unread[0], name=name)
            return
        most = max(number or 0 for number in names)
        for clause in held:
            if clause.preset > most:
                given = {"preset": clause.preset, "most": most, "name": name}
                yield _FAULT("preset", line, of=operation, **given)
            for condition in clause.conditions:
                yield from _of_condition(condition, operation, line)
            algorithm = names.get(clause.preset, "")
            yield from wrong_in_some(self.library, operation, algorithm, version, text, line)
        yield from _together(held, operation, line)


@dataclass(frozen=True)
class Condition:
    """Sizes and processes, both ends within."""

    size: int
    size_last: int
    n: int
    n_last: int
    text: str = ""

    def meets(self, other: "Condition") -> bool:
        """Whether there is a call that both are for."""
        return (
            max(self.size, other.size) <= min(self.size_last, other.size_last)
            and max(self.n, other.n) <= min(self.n_last, other.n_last)
        )  # fmt: skip


@dataclass(frozen=True)
class Clause:
    """A preset and what it is for; `unread` holds what is neither a preset nor a condition."""

    preset: int
    conditions: tuple[Condition, ...]
    unread: tuple[str, ...] = ()


ALL = Condition(0, MOST, 1, MOST, "all")


def clauses(value: str) -> Iterator[Clause]:
    """The presets of a value, in order.

    >>> [(one.preset, one.conditions[0].size_last) for one in clauses("1:0-256@2-8;3:257-512")]
    [(1, 256), (3, 512)]
    """
    for text in value.split(";"):
        match = _CLAUSE.fullmatch(text)
        if match is None:
            yield Clause(0, (), (text.strip(),))
            continue
        if not (match[2] or "").strip():
            yield Clause(int(match[1]), (ALL,))
            continue
        parts = [(part, _CONDITION.fullmatch(part)) for part in match[2].split(",")]
        read = tuple(_condition(found, part) for part, found in parts if found)
        yield Clause(int(match[1]), read, tuple(part.strip() for part, found in parts if not found))


def _condition(match: re.Match[str], text: str) -> Condition:
    size, n = int(match[1]), int(match[3] or 1)
    size_last = int(match[2]) if match[2] else size
    n_last = int(match[4]) if match[4] else n if match[3] else MOST
    return Condition(size, size_last, n, n_last, text.strip())


def _of_condition(condition: Condition, operation: str, line: int) -> Iterator[Finding]:
    if condition.size > condition.size_last or condition.n > condition.n_last:
        yield _FAULT("range", line, text=condition.text)
    if max(condition.size_last, condition.n_last) > MOST:
        yield _FAULT("number", line, text=condition.text)
    sized = condition.size > 0 or condition.size_last < MOST
    if sized and operation not in UNITS:
        yield _FAULT("size", line, of=operation, text=condition.text.partition("@")[0])


def _together(held: list[Clause], operation: str, line: int) -> Iterator[Finding]:
    """Conditions that are for the same calls, and sizes between those of one range of processes."""
    all_of = [(clause.preset, each) for clause in held for each in clause.conditions]
    for (first, left), (second, right) in combinations(all_of[:200], 2):
        if left.meets(right) and first != second:
            texts = {"one": f"{first}:{left.text}", "other": f"{second}:{right.text}"}
            yield _FAULT("overlap", line, **texts)
    ranges: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for _, each in all_of:
        ranges.setdefault((each.n, each.n_last), []).append((each.size, each.size_last))
    for (n, n_last), sizes in ranges.items():
        (_, reached), *others = sorted(sizes)
        for size, size_last in others:
            if size > reached + 1:
                gap = {"least": reached + 1, "most": size - 1, "first": n, "last": n_last}
                yield _FAULT("gap", line, of=operation, **gap)
            reached = max(reached, size_last)
