"""Blocks of version 3: shapes of records, which of them comes when, times.

A shape is a record but for its times, with requests counted from the newest one, and stands in the
file once. The next shape is predicted from the last three (finite context method: Sazeides, Smith
1997), and the block has the misses; then times in steps of 16 ns, by shape. All numbers stand in
columns (patched frame of reference: Zukowski, Heman, Nes, Boncz 2006). mpi/interpose/record/pack.c
writes this. A block is read after those before it.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]

RECORD = np.dtype(
    [
        *((name, "i8") for name in ("start", "end", "bytes", "received")),
        *((name, "u2") for name in ("kind", "flags")),
        *((name, "i4") for name in ("comm", "peer", "tag")),
        *((name, "u4") for name in ("request", "first", "words", "thread")),
    ]
)
_FIELDS = ("kind", "flags", "comm", "peer", "tag", "bytes", "received", "request", "thread",
           "words")  # fmt: skip
_REQUEST, _WORDS = _FIELDS.index("request"), _FIELDS.index("words")
_UNSUCCESSFUL, _ENDS = 256, 16384  # flags of mpi/interpose/record/record.h
_WORDS_OF_END = 4
_CONTEXTS, _OF_SHAPE = 1 << 15, 1 << 5
_TIME_BITS = 4
_GROUP_LEAST = 16  # records of a shape that has columns of its own
_NUMBER_MOST = 10  # bytes
_WIDTH_MOST = 32  # bits
_REQUESTS = 1 << 32
_MOST_RECORDS, _MOST_WORDS = 1 << 20, 1 << 24  # of a block; recorders hold fewer


class UnsoundError(ValueError):
    """Content that no recorder writes."""


class Numbers:
    """Numbers and columns of numbers, one after the other."""

    def __init__(self, data: memoryview) -> None:
        self._data = bytes(data)
        self._array = np.frombuffer(self._data, np.uint8)
        self._at = 0

    def raw(self, count: int) -> bytes:
        self._at += count
        if self._at > len(self._data):
            raise UnsoundError("bytes that are not there")
        return self._data[self._at - count : self._at]

    def next(self, most: int = (1 << 64) - 1) -> int:
        number = 0
        for shift in range(0, 7 * _NUMBER_MOST, 7):
            byte = self.raw(1)[0]
            number |= (byte & 127) << shift
            if byte < 128:
                if number > most:
                    raise UnsoundError(f"{number} where {most} is the most")
                return number
        raise UnsoundError("a number that does not end")

    def column(self, count: int) -> Ints:
        """The next column: the least, a width, bits above the least, and what has no room there."""
        if not count:
            return np.zeros(0, np.int64)
        least = _unfolded(np.array([self.next()], np.uint64))
        width = self.raw(1)[0]
        if width > _WIDTH_MOST:
            raise UnsoundError("a column of too many bits")
        packed = np.frombuffer(self.raw((count * width + 7) // 8), np.uint8)
        bits = np.unpackbits(packed, bitorder="little")[: count * width].reshape(count, width)
        offsets = np.zeros(count, np.int64)
        for place in range(width):
            offsets |= bits[:, place].astype(np.int64) << place
        if width:
            behind = np.flatnonzero(offsets == (1 << width) - 1)
            offsets[behind] = _unfolded(self._several(behind.size))
        return offsets + least

    def _several(self, count: int) -> NDArray[np.uint64]:
        window = self._array[self._at : self._at + _NUMBER_MOST * count]
        ends = np.flatnonzero(window < 128)[:count]
        starts = np.append(-1, ends[:-1]) + 1
        if ends.size < count or (count and (ends - starts).max() >= _NUMBER_MOST):
            raise UnsoundError("numbers that are not there")
        values = np.zeros(count, np.uint64)
        for place in range(int((ends - starts).max(initial=-1)) + 1):
            has = starts + place <= ends
            part = (window[starts[has] + place] & 127).astype(np.uint64)
            values[has] |= part << np.uint64(7 * place)
        self._at += int(ends[-1]) + 1 if count else 0
        return values


class Unpacker:
    """What the blocks so far say of those to come."""

    def __init__(self) -> None:
        self._names: dict[int, str] = {}  # of kinds
        self._newest = 0  # request
        self._ended = 0  # the record before, steps
        self._forget()

    def _forget(self) -> None:
        self._shapes = np.zeros((0, len(_FIELDS)), np.int64)
        self._words = np.zeros(0, np.int64)
        self._predicted = [0] * _CONTEXTS
        self._context = 0

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._names.get(kind, "") for kind in range(max(self._names, default=-1) + 1))

    def block(self, data: memoryview, count: int) -> tuple[NDArray[Any], Ints]:
        """Records and words of the next block.

        Raise UnsoundError where it is no block of this version.
        """
        if count > _MOST_RECORDS:
            raise UnsoundError("more records than a recorder holds")
        numbers = Numbers(data)
        if numbers.next(most=1):
            self._forget()
        self._read_kinds(numbers)
        self._read_shapes(numbers, count)
        shapes = self._read_misses(numbers, count)
        fields = self._shapes[shapes]
        records = np.zeros(count, RECORD)
        for place, name in enumerate(_FIELDS):
            records[name] = fields[:, place] & (_REQUESTS - 1 if name == "request" else -1)
        newest = self._set_requests(records, fields[:, _REQUEST])
        words = self._words_of(records, shapes, newest)
        self._set_times(records, shapes, numbers)
        return records, words

    def _read_kinds(self, numbers: Numbers) -> None:
        for _ in range(numbers.next()):
            kind = numbers.next(most=(1 << 16) - 1)
            name = numbers.raw(numbers.next(most=64)).decode(errors="replace")
            if not name.isidentifier():
                raise UnsoundError("a kind without a name")
            self._names[kind] = name

    def _read_shapes(self, numbers: Numbers, count: int) -> None:
        new = numbers.next(most=count)
        fields = np.stack([numbers.column(new) for _ in _FIELDS], axis=1)
        sizes = fields[:, _WORDS]
        if (
            not np.isin(fields[:, 0], list(self._names)).all()
            or any(_exceeds(fields[:, place], name) for place, name in enumerate(_FIELDS))
            or sizes.sum() > _MOST_WORDS
        ):
            raise UnsoundError("a record that cannot be")
        words = np.zeros(int(sizes.sum()), np.int64)
        place_of = ranges(np.zeros(new, np.int64), sizes, 1) % _WORDS_OF_END
        for place in range(_WORDS_OF_END):
            at = np.flatnonzero(place_of == place)
            words[at] = numbers.column(at.size)
        self._shapes = np.concatenate([self._shapes, fields])
        self._words = np.concatenate([self._words, words])

    def _read_misses(self, numbers: Numbers, count: int) -> Ints:
        """The shape of each record of the block."""
        misses = numbers.next(most=count)
        hits, missed = numbers.column(misses), numbers.column(misses)
        if misses and not (0 <= hits.min() <= hits.max() <= count and
                           0 <= missed.min() <= missed.max() < len(self._shapes)):  # fmt: skip
            raise UnsoundError("a shape that is not there")
        at_miss = dict(zip((np.cumsum(hits + 1) - 1).tolist(), missed.tolist(), strict=True))
        if (misses and max(at_miss) >= count) or (count and not len(self._shapes)):
            raise UnsoundError("a miss that is not there")
        shapes, predicted, context = [0] * count, self._predicted, self._context
        for at in range(count):
            if at in at_miss:
                predicted[context] = at_miss[at]
            shapes[at] = shape = predicted[context]
            context = (context * _OF_SHAPE + shape) % _CONTEXTS
        self._context = context
        return np.array(shapes, np.int64)

    def _set_requests(self, records: NDArray[Any], coded: Ints) -> Ints:
        has, steps = coded > 0, _unfolded((coded - 1).view(np.uint64))
        newest = self._newest + np.cumsum(np.where(has, np.maximum(steps, 0), 0))
        before = np.append(self._newest, newest[:-1])
        records["request"] = np.where(has, (before + steps) % _REQUESTS, 0)
        self._newest = int(newest[-1]) % _REQUESTS if newest.size else self._newest
        return np.asarray(newest % _REQUESTS)

    def _words_of(self, records: NDArray[Any], shapes: Ints, newest: Ints) -> Ints:
        counts = records["words"].astype(np.int64)
        if counts.sum() > _MOST_WORDS:
            raise UnsoundError("more words than a recorder holds")
        of_shape = self._shapes[:, _WORDS]
        words = self._words[ranges((np.cumsum(of_shape) - of_shape)[shapes], counts, 1)]
        records["first"] = np.cumsum(counts) - counts
        place = ranges(np.zeros(counts.size, np.int64), counts, 1)
        is_end = np.repeat(records["flags"] & _ENDS != 0, counts)
        at = np.flatnonzero(is_end & (place % _WORDS_OF_END == 0))
        words[at] = np.repeat(newest, counts)[at] - words[at]
        return np.asarray(words)

    def _set_times(self, records: NDArray[Any], shapes: Ints, numbers: Numbers) -> None:
        before, within = np.zeros((2, shapes.size), np.int64)
        is_poll = records["flags"] & _UNSUCCESSFUL != 0
        for rows in _groups(shapes):
            before[rows], within[rows] = numbers.column(rows.size), numbers.column(rows.size)
            polls = rows[is_poll[rows]]
            records["bytes"][polls] = numbers.column(polls.size)
            records["received"][polls] = numbers.column(polls.size)
        ends = self._ended + np.cumsum(before + within)
        self._ended = int(ends[-1]) if ends.size else self._ended
        records["start"], records["end"] = (ends - within) << _TIME_BITS, ends << _TIME_BITS


def _unfolded(numbers: NDArray[np.uint64]) -> Ints:
    """Restore values of either sign.

    >>> _unfolded(np.array([0, 1, 2, 3], np.uint64)).tolist()
    [0, -1, 1, -2]
    """
    half = (numbers >> np.uint64(1)).view(np.int64)
    return np.asarray(half ^ -(numbers & np.uint64(1)).view(np.int64))


def _exceeds(values: Ints, name: str) -> bool:
    """Whether the field of a record has no room for a value."""
    if name == "request":  # 0, or one more than a distance of either sign
        return bool(((values < 0) | (values > _REQUESTS)).any())
    return bool((values != values.astype(RECORD[name])).any())


def _groups(shapes: Ints) -> list[Ints]:
    order = np.argsort(shapes, kind="stable")
    counts = np.bincount(shapes)
    is_rare = (counts < _GROUP_LEAST)[shapes]
    groups = np.split(order, np.cumsum(counts[counts > 0])[:-1]) if order.size else []
    frequent = [rows for rows in groups if rows.size >= _GROUP_LEAST]
    return [*frequent, np.flatnonzero(is_rare)]


def ranges(first: Ints, counts: Ints, step: int) -> Ints:
    """first, first + step, ... of each, `counts` of them.

    >>> ranges(np.array([10, 50]), np.array([2, 1]), 4).tolist()
    [10, 14, 50]
    """
    places = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
    return np.asarray(np.repeat(first, counts) + places * step)
