"""What is in a folder of `contend record`: a title, and records and words of each rank.

A rank's file is a header of text and then blocks, as mpi/interpose/record/pack.h has them. Blocks
are written at once, and the first that is not whole ends the file: where that is its end, it was
being written when the process was killed, and else the file is damaged. Files of versions 1 and 2
are read, too.
"""

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from contend.base.errors import FileFormatError
from contend.base.textfile import read_bytes, read_text
from contend.programs.traces.endings import NO_FINALIZE
from contend.programs.traces.recording.blocks import Order, Records, Words, read_blocks, sums_of
from contend.programs.traces.recording.shapes import RECORD, Unpacker

TITLE = "trace.txt"
UNKNOWN = "unknown"  # library of a title that has none
VERSION = 3
_TITLE_LINE = re.compile(r"contend trace (\d{1,9})")
_RANK_LINE = re.compile(r"contend trace of a rank (\d{1,9})")
_MOST_BYTES = 1 << 32  # of a rank, which are 67 million records
_HEADER_MOST = 1 << 20  # bytes of a header, which has a line for each kind of call
_REMEDY = "record again; a trace is copied with all files of its folder"


@dataclass(frozen=True)
class Title:
    version: int
    ranks: int
    library: str
    run: str = ""  # number of the launch; version 1 has none


@dataclass(frozen=True)
class RankFile:
    """What one rank recorded; `first` of a record is where its words begin in `words`."""

    path: Path
    rank: int
    host: str
    kinds: tuple[str, ...]  # by number
    records: Records  # (n_records,) of RECORD
    first: Words  # (n_records,)
    words: Words
    damage: str = ""  # where the file is not whole

    def is_kind(self, name: str) -> NDArray[np.bool_]:
        wanted = self.kinds.index(name) if name in self.kinds else -1
        return np.asarray(self.records["kind"] == wanted)

    @property
    def cut(self) -> str:
        """Why the record ends before the program does; empty where it does not."""
        if self.damage:
            return self.damage
        if self.is_kind("Finalize").any():
            return ""
        return "ended by MPI_Abort" if self.is_kind("Abort").any() else NO_FINALIZE


def is_folder(path: Path) -> bool:
    title = path / TITLE
    try:
        return title.is_file() and bool(_TITLE_LINE.match(read_text(title, 40)))
    except FileFormatError:
        return False


def read_title(folder: Path) -> Title:
    """The title of a folder.

    Raise FileFormatError where there is none.
    """
    path = folder / TITLE
    lines = read_text(path).splitlines()
    first = _TITLE_LINE.fullmatch(lines[0]) if lines else None
    if first is None:
        raise FileFormatError(
            f"{path} line 1: a trace begins with 'contend trace {VERSION}'", _REMEDY
        )
    if not 1 <= int(first[1]) <= VERSION:
        raise FileFormatError(
            f"{path} is of version {first[1]}, and 1 to {VERSION} are read here",
            "read it by the version of contend that recorded it, or a later one",
        )
    values = _values(lines)
    library = " ".join(values.get("library", UNKNOWN).split())
    return Title(int(first[1]), _number(path, values, "ranks"), library, values.get("run", ""))


def rank_file(folder: Path, rank: int) -> Path:
    return folder / f"rank-{rank}.trace"


def read_rank(folder: Path, rank: int, title: Title) -> RankFile:
    """What one rank recorded; nothing where the header of its file is not whole.

    Raise FileFormatError where the file is missing, or is of another rank or another run.
    """
    path = rank_file(folder, rank)
    data = read_bytes(path, _MOST_BYTES)
    end = data.find(b"\nend\n", 0, _HEADER_MOST) + 1
    lines = data[:end].decode(errors="replace").splitlines()
    if not end or not _is_sound(data[:end], lines):
        damage = f"{path} is damaged in its header, so that nothing of it is used"
        return _without_records(path, rank, damage)
    values = _values(lines)
    _check_run(path, lines, rank, title)
    if values.get("bytes") not in ("little", "big"):
        raise FileFormatError(f"{path}: the order of bytes is {values.get('bytes')!r}", _REMEDY)
    begin = end + len(b"end\n")
    run = int(values["run"], 16) if "run" in values else None
    order: Order = "<" if values["bytes"] == "little" else ">"
    unpacker = Unpacker() if title.version == VERSION else None
    blocks = read_blocks(
        memoryview(data)[begin:], order, title.version, run, unpacker.block if unpacker else None
    )
    kinds = unpacker.names if unpacker else _kinds(path, lines)
    if blocks.records.size and int(blocks.records["kind"].max()) >= len(kinds):
        raise FileFormatError(f"{path}: a record is of a kind without a name", _REMEDY)
    at = begin + blocks.size
    if blocks.is_mixed:
        raise FileFormatError(f"{path}: what follows byte {at} is of another run", _REMEDY)
    damage = f"{path} is damaged or cut off at byte {at}, from where on nothing is used"
    return RankFile(path, rank, values.get("host", "unknown"), kinds, blocks.records, blocks.first,
                    blocks.words, damage if at < len(data) else "")  # fmt: skip


def _without_records(path: Path, rank: int, damage: str) -> RankFile:
    none = np.zeros(0, np.int64)
    return RankFile(path, rank, "unknown", (), np.zeros(0, RECORD), none, none, damage)


def _values(lines: list[str]) -> dict[str, str]:
    return {key: value for key, _, value in (line.partition(" ") for line in lines[1:])}


def _is_sound(header: bytes, lines: list[str]) -> bool:
    """Whether it is the header of a rank, and sums up where it has a sum."""
    version = _RANK_LINE.fullmatch(lines[0])
    if version is None or version[1] == "1":
        return version is not None
    begin = header.rfind(b"\nsum ") + 1
    summed = header[:begin] + bytes(-begin % 8)
    order = "<" if b"\nbytes little\n" in header else ">"
    plain, weighted = sums_of(np.frombuffer(summed, f"{order}u8"))
    return header[begin:] == f"sum {plain:016x} {weighted:016x}\n".encode()


def _check_run(path: Path, lines: list[str], rank: int, title: Title) -> None:
    values, version = _values(lines), lines[0].split()[-1]
    if int(version) != title.version:
        raise FileFormatError(
            f"{path} is of version {version}, {path.with_name(TITLE)} of version {title.version}",
            _REMEDY,
        )
    if (_number(path, values, "rank"), _number(path, values, "ranks")) != (rank, title.ranks):
        raise FileFormatError(f"{path} is of another rank or another run", _REMEDY)
    if (run := values.get("run", "")) != title.run:
        raise FileFormatError(
            f"{path} is of run {run or 'without a number'}, {path.with_name(TITLE)} of run "
            f"{title.run or 'without a number'}: the folder has files of several runs",
            "keep the files of each run in a folder of its own; " + _REMEDY,
        )


def _number(path: Path, values: dict[str, str], key: str) -> int:
    text = values.get(key, "")
    if not re.fullmatch(r"\d{1,9}", text):
        raise FileFormatError(f"{path}: {key} is {text!r}, which has to be a number", _REMEDY)
    return int(text)


def _kinds(path: Path, lines: list[str]) -> tuple[str, ...]:
    words = [line.split() for line in lines if line.startswith("kind ")]
    if [word[1:2] for word in words] != [[str(i)] for i in range(len(words))] or any(
        len(word) != 3 for word in words
    ):
        raise FileFormatError(f"{path}: kinds are not counted from 0", _REMEDY)
    return tuple(word[2] for word in words)
