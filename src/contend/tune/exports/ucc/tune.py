"""The grammar of UCC_TL_UCP_TUNE, which UCC reads from the environment and from its files.

Source: ucc_coll_score_parse_str of src/coll_score and src/utils/ucc_coll_utils.c of UCC 1.3 on. Run
with 1.9.0: the map of scores that it prints for a team has the ranges that were written; what makes
it ignore the variable says "failed to parse UCC_*_TUNE parameter".
Entries are separated by '#', their fields by ':' in any order: collectives, memory types, a score
(a number or "inf"), sizes start-end, numbers of processes in brackets, and @algorithm. A field that
is none of these makes UCC ignore the variable as a whole. Sizes have units (k is 1024) and "inf";
those of an all-to-all and an all-gather are of all blocks. The end of a range is within it where
the score is above that of what follows, as "inf" is, and else not (`ucc_coll_score_build_map`); an
end equal to the start is an error.
"""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path

from contend.schedules.libraries import Library, Version
from contend.tune.exports.bands import Band, Unit
from contend.tune.exports.filerule import FileRule
from contend.tune.exports.finding import Faults, Finding, meant

VARIABLE = "UCC_TL_UCP_TUNE"
KNOWN = tomllib.loads(Path(__file__).with_name("names.toml").read_text())
COLLECTIVES, MEMORY = tuple(KNOWN["collectives"]), tuple(KNOWN["memory"])
MOST_PROCESSES = 2**31 - 1
END = 2**64 - 1  # "inf"
# MPI's operation: UCC's collective, and how it counts sizes (ucc_coll_args_msgsize).
NAMES = {"reduce_scatter_block": "reduce_scatter", "reduce_scatter": "reduce_scatterv"}
BACK = {ucc: mpi for mpi, ucc in NAMES.items()}
UNITS: Mapping[str, Unit] = {
    "bcast": "m", "reduce": "m", "allreduce": "m", "alltoall": "total", "allgather": "total",
    "allgatherv": "total", "gather": "total", "scatter": "total",
}  # fmt: skip
ASYMMETRIC = ("alltoallv", "gatherv", "scatterv")  # ranks cannot agree on a size: it is taken as 0
_BYTES_OF = {"": 1, "b": 1, "k": 1024, "kb": 1024, "m": 1024**2, "mb": 1024**2, "g": 1024**3,
             "gb": 1024**3, "t": 1024**4, "tb": 1024**4}  # fmt: skip
_SIZE = re.compile(r"(\d{1,19})([a-z]{0,2})")
_FAULT = Faults(__file__)


def value_findings(value: str, line: int, library: Library, version: Version) -> Iterator[Finding]:
    """What makes UCC ignore all of a value, or parts of it."""
    held = list(entries(value))
    for entry in held:
        for token in entry.unread:
            given = {"token": token, "text": entry.text, "remedy": _remedy(token.lower())}
            yield _FAULT("field", line, **given)
        yield from _of_entry(entry, line)
        for collective in entry.collectives:
            yield from _of_collective(entry, collective, line, library, version)
    yield from _overlaps(held, line)


def _of_collective(
    entry: "Entry", collective: str, line: int, library: Library, version: Version
) -> Iterator[Finding]:
    offered = library.algorithms(BACK.get(collective, collective), version)
    names = [*(algorithm.name for algorithm in offered), *KNOWN["others"].get(collective, ())]
    if names and entry.algorithm not in ("", *names) and not entry.algorithm.isdecimal():
        listed = f"choose from {', '.join(names)}; ucc_info -A lists those of the library at hand"
        remedy = meant(entry.algorithm, names, listed)
        yield _FAULT("algorithm", line, name=entry.algorithm, of=collective, remedy=remedy)
    if collective in ASYMMETRIC and entry.sizes and entry.sizes[0][0] > 0:
        yield _FAULT("size", line, of=collective, text=entry.text)


def text_without(entry: "Entry", operations: set[str]) -> str:
    """The text of an entry without MPI's operations; empty where it is of these alone."""
    excluded = {NAMES.get(operation, operation) for operation in operations}
    rest = [collective for collective in entry.collectives if collective not in excluded]
    if len(rest) == len(entry.collectives):
        return entry.text
    fields = (token for token in entry.text.split(":") if not _are_collectives(token))
    return ":".join((",".join(rest), *fields)) if rest else ""


@dataclass
class Entry:
    """An entry of the value; what it leaves out holds for all."""

    text: str
    collectives: tuple[str, ...] = ()
    memory: tuple[str, ...] = ()
    score: str = ""
    sizes: tuple[tuple[int, int], ...] = ()
    processes: tuple[tuple[int, int], ...] = ()
    algorithm: str = ""
    unread: list[str] = field(default_factory=list)

    @property
    def has_last(self) -> bool:
        """Whether the ends of its sizes are within them."""
        return self.score.lower() == "inf"


def entries(value: str) -> Iterator[Entry]:
    """The entries of a value, in order.

    >>> [one.sizes for one in entries("alltoall:0-4k:host:[2-64]:inf:@bruck")]
    [((0, 4096),)]
    """
    for text in (part for part in value.split("#") if part):
        entry = Entry(text)
        for token in (part for part in text.split(":") if part):
            if not _take(entry, token):
                entry.unread.append(token)
        yield entry


def _take(entry: Entry, token: str) -> bool:
    """Put a field where it belongs; false for one that is none, or there already."""
    words = tuple(token.lower().split(","))
    if not entry.collectives and _are_collectives(token):
        entry.collectives = words
    elif not entry.memory and all(word in MEMORY for word in words):
        entry.memory = words
    elif not entry.score and (token.isdecimal() or token.lower() == "inf"):
        entry.score = token
    elif not entry.sizes and (sizes := _ranges(token, _bytes)):
        entry.sizes = sizes
    elif not entry.processes and token[0] == "[" and token[-1] == "]":
        entry.processes = _ranges(token[1:-1], _count, is_single=True)
        return bool(entry.processes)
    elif not entry.algorithm and token[0] == "@" and len(token) > 1:
        entry.algorithm = token[1:]
    else:
        return False
    return True


def _are_collectives(token: str) -> bool:
    return all(word in COLLECTIVES for word in token.lower().split(","))


def _ranges(
    token: str, number: Callable[[str], int | None], is_single: bool = False
) -> tuple[tuple[int, int], ...]:
    """The ranges of a list; empty where one is none."""
    ranges = []
    for part in token.split(","):
        ends = [number(end) for end in part.split("-")]
        if is_single and len(ends) == 1:
            ends *= 2
        numbers = [end for end in ends if end is not None]
        if len(ends) != 2 or len(numbers) != 2:
            return ()
        ranges.append((numbers[0], numbers[1]))
    return tuple(ranges)


def _bytes(text: str) -> int | None:
    if text.lower() == "inf":
        return END
    match = _SIZE.fullmatch(text.lower())
    if match is None or match[2] not in _BYTES_OF:
        return None
    return int(match[1]) * _BYTES_OF[match[2]]


def _count(text: str) -> int | None:
    if text.lower() == "inf":
        return MOST_PROCESSES
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else None


def entry_text(collective: str, algorithm: str, band: Band, processes: str = "") -> str:
    """An entry with the highest score, for the sizes of a band."""
    fields = [collective, "host"]
    if (band.least, band.last) != (0, None):
        fields.append(f"{band.least}-{'inf' if band.last is None else band.last}")
    fields += [*[f"[{processes}]"] * bool(processes), "inf", f"@{algorithm}"]
    return ":".join(fields)


def rules_of(entry: Entry) -> Iterator[FileRule]:
    for collective in entry.collectives:
        operation = BACK.get(collective, collective)
        for n, n_last in entry.processes or ((1, MOST_PROCESSES),):
            for size, last in entry.sizes or ((0, END),):
                yield FileRule(
                    operation, n, None if n_last >= MOST_PROCESSES else n_last + 1,
                    size, None if last >= END else last + entry.has_last, entry.algorithm,
                    is_per_communicator=UNITS.get(operation) == "total",
                )  # fmt: skip


def _remedy(token: str) -> str:
    otherwise = "see the fields that docs/tuning.md names"
    return "write host" if token == "cpu" else meant(token, (*COLLECTIVES, *MEMORY), otherwise)


def _of_entry(entry: Entry, line: int) -> Iterator[Finding]:
    for first, last in entry.sizes:
        if first >= last:
            yield _FAULT("sizes", line, first=first, last=last, text=entry.text)
    for first, last in entry.processes:
        if first > last:
            yield _FAULT("processes", line, first=first, last=last)
    if not entry.score and not entry.algorithm:
        yield _FAULT("nothing", line, text=entry.text)
    if entry.algorithm and not entry.collectives:
        yield _FAULT("collective", line, text=entry.text)


def _overlaps(held: list[Entry], line: int) -> Iterator[Finding]:
    ranges = [
        (entry, sizes, processes)
        for entry in held
        for sizes in entry.sizes or ((0, 2**64),)
        for processes in entry.processes or ((1, 2**31),)
    ]
    for (entry, s, p), (other, t, q) in combinations(ranges[:200], 2):
        both = _meet(entry.collectives, other.collectives) and _meet(entry.memory, other.memory)
        if both and max(s[0], t[0]) < min(s[1], t[1]) and max(p[0], q[0]) <= min(p[1], q[1]):
            yield _FAULT("overlap", line, one=entry.text, other=other.text)


def _meet(words: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether two lists of words name one alike; an empty one names all."""
    return not words or not other or bool({*words} & {*other})
