"""Time-independent traces of SMPI: a line per call, with bytes and operations in place of times.

Source: Desprez, Markomanolis, Quinson, Suter, "Assessing the performance of MPI applications
through time-independent trace replay", PSTI 2011; actions as in SimGrid 3.32.
Idea: `rank action arguments`; one file for all ranks, a file for each, or a file that lists them.
Restrictions: those of its actions (`traces.smpi_actions`).
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from contend.errors import FileFormatError
from contend.textfile import read_text
from contend.traces.builder import TraceBuilder
from contend.traces.endings import cut_of
from contend.traces.kinds import OpKind
from contend.traces.matching import match
from contend.traces.reader import TraceReader
from contend.traces.smpi_actions import ACTIONS, IGNORED, SPLIT, RankState, WrongLineError
from contend.traces.trace import Trace

_HEAD = 20_000  # characters that tell whether it is such a trace
MOST_KNOWN = 1 << 16  # different lines of a file that are kept to be found again


class SmpiReader(TraceReader):
    """Reader of SMPI's time-independent traces."""

    name = "ti"
    title = "time-independent trace of SMPI: a file, a folder of one per rank, or a list of files"

    def recognises(self, path: Path) -> bool:
        """Whether the first line is an action, or names a file whose first line is one."""
        try:
            file = _files(path)[0] if path.is_dir() else path
            words = _first_words(file)
            if len(words) == 1:
                words = _first_words(file.parent / words[0])
        except (FileFormatError, IndexError):
            return False
        return len(words) > 1 and words[0].isdigit() and words[1] in ACTIONS.keys() | IGNORED

    def read(self, path: Path, speed: float | None) -> Trace:
        """The operations of all ranks."""
        files = _files(path)
        if path.is_dir() and (lists := [file for file in files if _is_list(file)]):
            raise FileFormatError(
                f"{lists[0]} is a list of files", "name it in place of its folder"
            )
        whole = [(file, list(_lines(file))) for file in files]
        parsed = [(file, _without_torn_line(file, lines)) for file, lines in whole]
        is_torn = any(len(part[1]) < len(all_[1]) for part, all_ in zip(parsed, whole, strict=True))
        ranks = _count(parsed)
        by_rank = [str(path)] if len(files) == 1 else _names(parsed, ranks)
        builder = TraceBuilder(ranks, tuple(by_rank))
        states = [RankState(builder.rank(rank), ranks, speed) for rank in range(ranks)]
        for file, lines in parsed:
            for number, words in lines:
                try:
                    states[int(words[0])].take(number, words)
                except WrongLineError as error:
                    raise FileFormatError(
                        f"{file} line {number}: {error}", "correct the line"
                    ) from None
        builder.counts_operations = speed is None
        try:
            trace = builder.trace()
        except FileFormatError as error:
            raise FileFormatError(f"{path}: {error.message}", error.remedy) from None
        has_init, has_finalize = _ends(parsed, ranks)
        doubts = _of_communicators(trace)
        # Traces that were written by hand have no finalize at all, but all that they wait for.
        is_begun = all(has_init) and not doubts
        if any(has_finalize) or is_torn or (is_begun and _lacks_partners(trace)):
            trace = replace(trace, cut=cut_of(has_init, has_finalize))
        return replace(trace, doubts=doubts or (() if trace.is_cut else _of_counts(trace)))


def _lacks_partners(trace: Trace) -> bool:
    """Whether messages or collective calls miss what other ranks have to do for them."""
    found = match(trace)
    return bool(found.lost_sends.size or found.lost_receives.size or _of_counts(trace))


def _of_communicators(trace: Trace) -> tuple[str, ...]:
    """Return a sentence on communicators of some ranks, where the trace seems to have them."""
    rank, collectives = trace.rank, np.flatnonzero(trace.kind >= OpKind.BARRIER)
    numbers = [number for number, name in enumerate(trace.calls) if name == SPLIT]
    splits = np.flatnonzero(np.isin(trace.call, numbers))
    last = np.full(trace.ranks, -1)
    last[rank[collectives]] = collectives  # rows rise, and the last one stays
    if not (last[rank[splits]] > splits).any():
        return ()
    return (
        f"{trace.place(int(splits[0]))}: the format does not tell who is in communicators that "
        "are made. Collective calls after it cannot be told apart: all are taken for calls of "
        "all ranks",
    )


def _of_counts(trace: Trace) -> tuple[str, ...]:
    """Return a sentence on collective calls that not all ranks make."""
    calls = np.bincount(trace.rank[trace.kind >= OpKind.BARRIER], minlength=trace.ranks)
    fewest, most = int(calls.argmin()), int(calls.argmax())
    if calls[fewest] == calls[most]:
        return ()
    return (
        f"rank {most} makes {calls[most]} collective calls and rank {fewest} {calls[fewest]}: the "
        "trace is cut off, or has communicators, which the format does not tell",
    )


def _first_words(path: Path) -> list[str]:
    """Words of the first line with something in it, where that is at the beginning."""
    lines = (line.split("#", 1)[0].split() for line in read_text(path, _HEAD).splitlines())
    return next(filter(None, lines), [])


def _files(path: Path) -> list[Path]:
    """The files of a trace: itself, those in a folder, or those that it lists."""
    if path.is_dir():
        return sorted(one for one in path.iterdir() if one.is_file())
    lines = [line.strip() for line in read_text(path).splitlines() if line.strip()]
    if not lines or len(lines[0].split()) > 1:
        return [path]
    found = [path.parent / line for line in lines]
    missing = [number for number, file in enumerate(found, start=1) if not _is_file(file)]
    if missing:
        raise FileFormatError(
            f"{path} line {missing[0]}: there is no file {found[missing[0] - 1]}",
            "name files beside the list",
        )
    return found


def _is_list(path: Path) -> bool:
    """Whether each line names another file beside it."""
    try:
        names = [line.strip() for line in read_text(path).splitlines() if line.strip()]
    except FileFormatError:
        return False
    return bool(names) and all(name != path.name and _is_file(path.parent / name) for name in names)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # a name that no file can have
        return False


def _lines(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Words of the lines with something in them, numbered from 1."""
    known: dict[str, list[str]] = {}  # loops write the same lines again
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        words = known.get(line)
        if words is None:
            words = line.split("#", 1)[0].split()
            if len(known) < MOST_KNOWN:
                known[line] = words
        if words:
            yield number, words


def _without_torn_line(
    path: Path, lines: list[tuple[int, list[str]]]
) -> list[tuple[int, list[str]]]:
    """Its lines, but the last where that was being written when the program was killed."""
    is_torn = lines and lines[-1][1][1:] != ["finalize"] and not read_text(path).endswith("\n")
    return lines[:-1] if is_torn and any("init" in words for _, words in lines) else lines


def _ends(
    parsed: list[tuple[Path, list[tuple[int, list[str]]]]], ranks: int
) -> tuple[list[bool], list[bool]]:
    """Return which ranks have an init, and which a finalize."""
    actions = {(int(words[0]), words[1]) for _, lines in parsed for _, words in lines}
    has_init, has_finalize = (
        [(rank, action) in actions for rank in range(ranks)] for action in ("init", "finalize")
    )
    return has_init, has_finalize


def _count(parsed: list[tuple[Path, list[tuple[int, list[str]]]]]) -> int:
    """Number of ranks; every line has an action, every rank a line."""
    ranks: set[int] = set()
    for file, lines in parsed:
        checked: set[int] = set()  # lists of words, which equal lines share
        for number, words in lines:
            if id(words) in checked:
                continue
            checked.add(id(words))
            if len(words) < 2 or not re.fullmatch("[0-9]{1,8}", words[0]):
                raise FileFormatError(
                    f"{file} line {number}: {' '.join(words)[:60]!r} is no action",
                    "write: rank action arguments",
                )
            ranks.add(int(words[0]))
    missing = next((rank for rank in range(len(ranks)) if rank not in ranks), None)
    if not ranks or missing is not None:
        what = "no rank does anything" if not ranks else f"rank {missing} does nothing"
        raise FileFormatError(f"{parsed[0][0]}: {what}", "name all files of the trace")
    return len(ranks)


def _names(parsed: list[tuple[Path, list[tuple[int, list[str]]]]], ranks: int) -> list[str]:
    """The file of each rank: the last one that has a line of it."""
    names = [""] * ranks
    for file, lines in parsed:
        for rank in {int(words[0]) for _, words in lines}:
            names[rank] = str(file)
    return names
