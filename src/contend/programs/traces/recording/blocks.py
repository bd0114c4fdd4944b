"""Blocks of records and words, as the recorder writes them to the file of a rank.

A block has a checksum as Fletcher's: its 64-bit words summed up, plain and each times its place
from 1, modulo 2^64; since version 2 the number of the run and the counts are summed with them.
Versions 1 and 2 hold records as they are in memory, version 3 packs them (packed.py).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from contend.programs.traces.recording.shapes import RECORD, UnsoundError

_COUNTS = [("records", "u4"), ("words", "u4")]
_SUMS = [("sum", "u8"), ("weighted", "u8")]
_MARKS = {1: b"contblk\n", 2: b"contbl2\n", 3: b"contbl3\n"}

Records = NDArray[Any]
Words = NDArray[np.int64]
Order = Literal["<", ">"]
Content = tuple[Records, Words]
Unpack = Callable[[memoryview, int], Content]


@dataclass(frozen=True)
class Blocks:
    """What the blocks hold before the first that is not whole, or is of another run."""

    records: Records
    first: Words  # where the words of each record begin
    words: Words
    size: int  # bytes
    is_mixed: bool  # a block of another run follows


def sums_of(words: NDArray[Any]) -> tuple[int, int]:
    """The checksum of 64-bit words.

    >>> sums_of(np.array([5, 7], np.uint64))
    (12, 19)
    """
    native = words.astype(np.uint64)
    places = np.arange(1, native.size + 1, dtype=np.uint64)
    return int(native.sum(dtype=np.uint64)), int((native * places).sum(dtype=np.uint64))


def read_blocks(
    data: memoryview, order: Order, version: int, run: int | None, unpack: Unpack | None
) -> Blocks:
    """The blocks of a file behind its header.

    `run` is None in version 1, which has no number; `unpack` is for version 3.
    """
    run_field = [] if version == 1 else [("run", "u8")]
    header = np.dtype([("mark", "S8"), *_COUNTS, *run_field, *_SUMS]).newbyteorder(order)
    records, first, words = [np.zeros(0, RECORD)], [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    at = count = 0
    is_mixed = False
    while (block := _whole_block(data[at:], header, version)) is not None:
        head, content = block
        if is_mixed := run is not None and int(head["run"]) != run:
            break
        held = _held(content, int(head["records"]), order, unpack)
        if held is None:
            break
        records.append(held[0])
        first.append(held[0]["first"].astype(np.int64) + count)
        words.append(held[1])
        count += held[1].size
        at += header.itemsize + len(content)
    return Blocks(
        np.concatenate(records), np.concatenate(first), np.concatenate(words), at, is_mixed
    )


def _held(content: memoryview, count: int, order: Order, unpack: Unpack | None) -> Content | None:
    """Records and words; None where no recorder has written them."""
    if unpack is not None:
        try:
            return unpack(content, count)
        except UnsoundError:
            return None
    records = np.frombuffer(content, RECORD.newbyteorder(order), count)
    words = np.frombuffer(content, f"{order}i8", offset=records.nbytes).astype(np.int64)
    is_sound = (records["first"].astype(np.int64) + records["words"] <= words.size).all()
    return (records, words) if is_sound else None


def _whole_block(
    data: memoryview, header: "np.dtype[Any]", version: int
) -> tuple[Any, memoryview] | None:
    """Header and content of the first block; None where it is not whole."""
    if len(data) < header.itemsize:
        return None
    head = np.frombuffer(data, header, 1)[0]
    n_records, n_words = int(head["records"]), int(head["words"])
    size = 8 * n_words + (RECORD.itemsize * n_records if version < 3 else 0)
    content = data[header.itemsize : header.itemsize + size]
    if bytes(head["mark"]) != _MARKS[version] or len(content) < size:
        return None
    summed = np.frombuffer(content, header["sum"])
    if version > 1:
        counts = np.array([head["run"], n_records << 32 | n_words], np.uint64)
        summed = np.concatenate([counts, summed.astype(np.uint64)])
    is_whole = sums_of(summed) == (int(head["sum"]), int(head["weighted"]))
    return (head, content) if is_whole else None
