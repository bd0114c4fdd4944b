"""Time-independent traces of SMPI: a line per call, with bytes and operations in place of times.

Source: Desprez, Markomanolis, Quinson, Suter, "Assessing the performance of MPI applications
through time-independent trace replay", PSTI 2011; actions as in SimGrid 3.32.
Idea: `rank action arguments`; one file for all ranks, a file for each, or a file that lists them.
Restrictions: those of its actions (`traces.smpi_actions`).
"""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np

from contend.base.errors import FileFormatError
from contend.base.textfile import read_text
from contend.programs.traces.builder import TraceBuilder
from contend.programs.traces.endings import cut_of
from contend.programs.traces.kinds import OpKind
from contend.programs.traces.matching import match
from contend.programs.traces.reader import TraceReader
from contend.programs.traces.smpi_actions import ACTIONS, IGNORED, SPLIT, RankState, WrongLineError
from contend.programs.traces.trace import Trace

_HEAD = 20_000  # characters that tell whether it is such a trace
Line = tuple[Path, int, list[str]]  # number from 1, and words
MOST_KNOWN = 1 << 16  # different lines of a file that are kept to be found again


class SmpiReader(TraceReader):
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
        files = _files(path)
        if path.is_dir() and (lists := [file for file in files if _is_list(file)]):
            raise FileFormatError(
                f"{lists[0]} is a list of files", "name it in place of its folder"
            )
        parts = [_lines(file) for file in files]
        lines = [line for part, _ in parts for line in part]
        ranks = _count(lines, files[0])
        builder = TraceBuilder(ranks, (str(path),) if len(files) == 1 else _names(lines, ranks))
        states = [RankState(builder.rank(rank), ranks, speed) for rank in range(ranks)]
        for file, number, words in lines:
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
        actions = {(int(words[0]), words[1]) for *_, words in lines}
        has_init, has_finalize = (
            [(rank, action) in actions for rank in range(ranks)] for action in ("init", "finalize")
        )
        doubts = _of_communicators(trace)
        # Traces that were written by hand have no finalize at all, but all that they wait for.
        is_begun = all(has_init) and not doubts
        is_torn = any(torn for _, torn in parts)
        if any(has_finalize) or is_torn or (is_begun and _lacks_partners(trace)):
            trace = replace(trace, cut=cut_of(has_init, has_finalize))
        return replace(trace, doubts=doubts or (() if trace.is_cut else _of_counts(trace)))


def _lacks_partners(trace: Trace) -> bool:
    """Whether messages or collective calls miss what other ranks have to do for them."""
    matches = match(trace)
    return bool(matches.lost_sends.size or matches.lost_receives.size or _of_counts(trace))


def _of_communicators(trace: Trace) -> tuple[str, ...]:
    rank, collectives = trace.rank, np.flatnonzero(trace.kind >= OpKind.BARRIER)
    numbers = [number for number, name in enumerate(trace.calls) if name == SPLIT]
    splits = np.flatnonzero(np.isin(trace.call, numbers))
    last = np.full(trace.ranks, -1)
    last[rank[collectives]] = collectives  # rows rise, and the last one stays
    if not (last[rank[splits]] > splits).any():
        return ()
    return (
        f"{trace.place(int(splits[0]))}: the format does not tell who is in communicators that "
        "are made. Collective calls after it are not distinguishable: all are taken for calls of "
        "all ranks",
    )


def _of_counts(trace: Trace) -> tuple[str, ...]:
    calls = np.bincount(trace.rank[trace.kind >= OpKind.BARRIER], minlength=trace.ranks)
    fewest, most = int(calls.argmin()), int(calls.argmax())
    if calls[fewest] == calls[most]:
        return ()
    return (
        f"rank {most} makes {calls[most]} collective calls and rank {fewest} {calls[fewest]}: the "
        "trace is cut off, or has communicators, which the format does not tell",
    )


def _first_words(path: Path) -> list[str]:
    lines = (line.split("#", 1)[0].split() for line in read_text(path, _HEAD).splitlines())
    return next(filter(None, lines), [])


def _files(path: Path) -> list[Path]:
    """The files of a trace: itself, those in a folder, or those that it lists."""
    if path.is_dir():
        return sorted(file for file in path.iterdir() if file.is_file())
    lines = [line.strip() for line in read_text(path).splitlines() if line.strip()]
    if not lines or len(lines[0].split()) > 1:
        return [path]
    files = [path.parent / line for line in lines]
    missing = [number for number, file in enumerate(files, start=1) if not _is_file(file)]
    if missing:
        raise FileFormatError(
            f"{path} line {missing[0]}: there is no file {files[missing[0] - 1]}",
            "name files beside the list",
        )
    return files


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


def _lines(path: Path) -> tuple[list[Line], bool]:
    """Return the lines with something in them, and whether the file ends within one.

    The last line was being written when the program was killed, and is left out, where it has no
    end and is no finalize, in a file with an init.
    """
    text = read_text(path)
    split: dict[str, list[str]] = {}  # loops write the same lines again
    lines: list[Line] = []
    for number, line in enumerate(text.splitlines(), start=1):
        words = split.get(line)
        if words is None:
            words = line.split("#", 1)[0].split()
            if len(split) < MOST_KNOWN:
                split[line] = words
        if words:
            lines.append((path, number, words))
    is_torn = bool(lines) and lines[-1][2][1:] != ["finalize"] and not text.endswith("\n")
    is_torn = is_torn and any("init" in words for *_, words in lines)
    return (lines[:-1] if is_torn else lines), is_torn


def _count(lines: list[Line], first: Path) -> int:
    ranks: set[int] = set()
    checked: set[int] = set()  # lists of words, which equal lines share
    for file, number, words in lines:
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
        problem = "no rank does anything" if not ranks else f"rank {missing} does nothing"
        raise FileFormatError(f"{first}: {problem}", "name all files of the trace")
    return len(ranks)


def _names(lines: list[Line], ranks: int) -> tuple[str, ...]:
    last = {int(words[0]): file for file, _, words in lines}
    return tuple(str(last[rank]) for rank in range(ranks))
