"""Blocks of records and words, as the recorder writes them to the file of a rank.

A block has a checksum as Fletcher's: its 64-bit words summed up, plain and each times its place
from 1, modulo 2^64. In version 2 the number of the run and the counts are summed with them.
"""

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

_COUNTS = [("records", "u4"), ("words", "u4")]
_SUMS = [("sum", "u8"), ("weighted", "u8")]
_HEADERS = {
    b"contblk\n": np.dtype([("mark", "S8"), *_COUNTS, *_SUMS]),
    b"contbl2\n": np.dtype([("mark", "S8"), *_COUNTS, ("run", "u8"), *_SUMS]),
}
RECORD = np.dtype(
    [
        *((name, "i8") for name in ("start", "end", "bytes", "received")),
        *((name, "u2") for name in ("kind", "flags")),
        *((name, "i4") for name in ("comm", "peer", "tag")),
        *((name, "u4") for name in ("request", "first", "words", "thread")),
    ]
)

Records = NDArray[Any]
Words = NDArray[np.int64]
Order = Literal["<", ">"]


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


def read_blocks(data: memoryview, order: Order, run: int | None) -> Blocks:
    """The blocks of a file behind its header; `run` is None in version 1, which has no number."""
    header, record = _header(run).newbyteorder(order), RECORD.newbyteorder(order)
    records, first, words = [np.zeros(0, record)], [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    at = count = 0
    is_mixed = False
    while (block := _whole_block(data[at:], header)) is not None:
        head, content = block
        if is_mixed := run is not None and int(head["run"]) != run:
            break
        own = np.frombuffer(content, record, int(head["records"]))
        records.append(own)
        first.append(own["first"].astype(np.int64) + count)
        words.append(np.frombuffer(content, f"{order}i8", offset=own.nbytes).astype(np.int64))
        count += int(head["words"])
        at += header.itemsize + len(content)
    return Blocks(
        np.concatenate(records), np.concatenate(first), np.concatenate(words), at, is_mixed
    )


def _header(run: int | None) -> "np.dtype[Any]":
    return _HEADERS[b"contblk\n" if run is None else b"contbl2\n"]


def _whole_block(data: memoryview, header: "np.dtype[Any]") -> tuple[Any, memoryview] | None:
    """Header and content of the first block; None where it is not whole."""
    if len(data) < header.itemsize:
        return None
    head = np.frombuffer(data, header, 1)[0]
    n_records, n_words = int(head["records"]), int(head["words"])
    size = n_records * RECORD.itemsize + 8 * n_words
    content = data[header.itemsize : header.itemsize + size]
    if _HEADERS.get(bytes(head["mark"])) != header.newbyteorder("=") or len(content) < size:
        return None
    summed = np.frombuffer(content, header["sum"])
    if "run" in (header.names or ()):
        counts = np.array([head["run"], n_records << 32 | n_words], np.uint64)
        summed = np.concatenate([counts, summed.astype(np.uint64)])
    if sums_of(summed) != (int(head["sum"]), int(head["weighted"])):
        return None
    own = np.frombuffer(content, RECORD.newbyteorder(header["sum"].byteorder), n_records)
    is_sound = (own["first"].astype(np.int64) + own["words"] <= n_words).all()
    return (head, content) if is_sound else None
