"""What is in a folder of `contend record`: a title, and records and words of each rank.

A rank's file is a header of text and then blocks; docs/traces.md has both. Blocks are written at
once, and the first that is not whole ends the file: what follows was being written when the
process was killed.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from contend.errors import FileFormatError
from contend.textfile import read_text

TITLE = "trace.txt"
FIRST_LINE = "contend trace 1"
_RANK_LINE = "contend trace of a rank 1"
_MARK = b"contblk\n"
_HEADER = np.dtype(
    [("mark", "S8"), ("records", "u4"), ("words", "u4"), ("sum", "u8"), ("weighted", "u8")]
)
RECORD = np.dtype(
    [
        *((name, "i8") for name in ("start", "end", "bytes", "received")),
        *((name, "u2") for name in ("kind", "flags")),
        *((name, "i4") for name in ("comm", "peer", "tag")),
        *((name, "u4") for name in ("request", "first", "words", "thread")),
    ]
)
_HEADER_MOST = 1 << 20  # bytes of a header, which has a line for each kind of call
_REMEDY = "record again; a trace is copied with all files of its folder"

Records = NDArray[Any]
Words = NDArray[np.int64]


@dataclass(frozen=True)
class Title:
    """What the folder is of."""

    ranks: int
    library: str


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
    cut_bytes: int  # behind the last block that is whole

    def is_kind(self, name: str) -> NDArray[np.bool_]:
        """Which records are of a kind, (n_records,)."""
        wanted = self.kinds.index(name) if name in self.kinds else -1
        return np.asarray(self.records["kind"] == wanted)


def is_folder(path: Path) -> bool:
    """Whether a path is a folder of `contend record`."""
    title = path / TITLE
    try:
        return title.is_file() and read_text(title, len(FIRST_LINE)) == FIRST_LINE
    except FileFormatError:
        return False


def read_title(folder: Path) -> Title:
    """The title of a folder.

    Raises
    ------
    FileFormatError
        Where there is none.
    """
    path = folder / TITLE
    lines = read_text(path).splitlines()
    if not lines or lines[0] != FIRST_LINE:
        raise FileFormatError(f"{path} line 1: a trace begins with {FIRST_LINE!r}", _REMEDY)
    said = {key: value for key, _, value in (line.partition(" ") for line in lines[1:])}
    return Title(_number(path, said, "ranks"), " ".join(said.get("library", "unknown").split()))


def rank_file(folder: Path, rank: int) -> Path:
    """The file of a rank."""
    return folder / f"rank-{rank}.trace"


def read_rank(folder: Path, rank: int, ranks: int) -> RankFile:
    """What one rank recorded.

    Raises
    ------
    FileFormatError
        Where the file is missing or is none of that rank.
    """
    path = rank_file(folder, rank)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise FileFormatError(f"cannot read {path}: {error.strerror}", _REMEDY) from None
    end = data.find(b"\nend\n", 0, _HEADER_MOST)
    lines = data[: max(end, 0)].decode(errors="replace").splitlines()
    if not lines or lines[0] != _RANK_LINE:
        raise FileFormatError(f"{path}: a file of a rank begins with {_RANK_LINE!r}", _REMEDY)
    said = {key: value for key, _, value in (line.partition(" ") for line in lines[1:])}
    if (_number(path, said, "rank"), _number(path, said, "ranks")) != (rank, ranks):
        raise FileFormatError(f"{path} is of another rank or another run", _REMEDY)
    order: Literal["<", ">"] = "<" if said.get("bytes") == "little" else ">"
    if said.get("bytes") not in ("little", "big"):
        raise FileFormatError(f"{path}: the order of bytes is {said.get('bytes')!r}", _REMEDY)
    records, first, words, whole = _blocks(memoryview(data)[end + 5 :], order)
    kinds = _kinds(path, lines)
    if records.size and int(records["kind"].max()) >= len(kinds):
        raise FileFormatError(f"{path}: a record is of a kind without a name", _REMEDY)
    cut = len(data) - (end + 5) - whole
    return RankFile(path, rank, said.get("host", "unknown"), kinds, records, first, words, cut)


def _number(path: Path, said: dict[str, str], key: str) -> int:
    text = said.get(key, "")
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


def _blocks(data: memoryview, order: Literal["<", ">"]) -> tuple[Records, Words, Words, int]:
    """Records, where the words of each begin, all words, and how many bytes were whole blocks."""
    header, record = _HEADER.newbyteorder(order), RECORD.newbyteorder(order)
    records, first, words = [np.zeros(0, record)], [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    at = count = 0
    while at + header.itemsize <= len(data):
        head = np.frombuffer(data, header, 1, at)[0]
        n_records, n_words = int(head["records"]), int(head["words"])
        size = n_records * record.itemsize + 8 * n_words
        begin = at + header.itemsize
        if bytes(head["mark"]) != _MARK.rstrip(b"\0") or begin + size > len(data):
            break
        content = np.frombuffer(data, f"{order}u8", size // 8, begin)
        if not _is_whole(content, int(head["sum"]), int(head["weighted"])):
            break
        own = np.frombuffer(data, record, n_records, begin)
        if (own["first"].astype(np.int64) + own["words"] > n_words).any():
            break
        records.append(own)
        first.append(own["first"].astype(np.int64) + count)
        words.append(content[n_records * record.itemsize // 8 :].astype(np.uint64).view(np.int64))
        count += n_words
        at = begin + size
    return np.concatenate(records), np.concatenate(first), np.concatenate(words), at


def _is_whole(content: NDArray[Any], sum_: int, weighted: int) -> bool:
    """Whether 64-bit words sum up, modulo 2^64, plain and each times its place from 1."""
    native = content.astype(np.uint64)
    places = np.arange(1, native.size + 1, dtype=np.uint64)
    return int(native.sum(dtype=np.uint64)) == sum_ and (
        int((native * places).sum(dtype=np.uint64)) == weighted
    )
