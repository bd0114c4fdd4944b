"""The file that `mpi/execute` reads: one algorithm at several sizes, a part for each rank of each.

Format, version 1: words of 8 bytes, little-endian. The header: a magic word, version, ranks,
points, whether it reduces; names of the operation and the algorithm (64 bytes each, ending with a
zero byte) and its parameters (256 bytes of JSON). For each point m, and where in the file the part
of each rank begins, and the last one ends. A part: bytes of input, output and scratch; numbers of
held blocks, wanted blocks, slots, extents and instructions; these, one after the other: (block,
place, bytes), (kind, peer, tag, bytes, scratch, extents), (from, to, bytes), (what, slot); and the
sum of all words before, each times its odd number 1, 3, 5, ...
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from contend.base.errors import InvalidInputError
from contend.base.wholefile import write_whole
from contend.schedules.collective import Collective
from contend.schedules.program import RankProgram, compile_ranks
from contend.schedules.ragged_rows import ints
from contend.schedules.schedule import Schedule

MAGIC, VERSION = b"CONTENDX", 1
_NAME, _PARAMETERS = 64, 256  # bytes
_WORD = 8


@dataclass(frozen=True)
class Executable:
    """What to run: an algorithm's schedules, by the size that the points will be called by."""

    collective: Collective
    algorithm: str
    schedules: Mapping[int, Schedule]
    root: int = 0
    parameters: Mapping[str, float] | None = None

    @property
    def ranks(self) -> int:
        return next(iter(self.schedules.values())).ranks


def write_programs(path: Path, executable: Executable) -> None:
    if len({schedule.ranks for schedule in executable.schedules.values()}) != 1:
        raise InvalidInputError(
            "schedules for different numbers of ranks", "write a file for each number"
        )
    parts = {
        m: [_part(rank) for rank in compile_ranks(schedule, executable.collective, executable.root)]
        for m, schedule in executable.schedules.items()
    }
    words = [VERSION, executable.ranks, len(parts), int(executable.collective.reduces)]
    names = _text(executable.collective.name, _NAME) + _text(executable.algorithm, _NAME)
    names += _text(
        json.dumps(dict(executable.parameters)) if executable.parameters else "", _PARAMETERS
    )
    at = len(MAGIC) + _WORD * (len(words) + len(parts) * (executable.ranks + 2)) + len(names)
    table: list[int] = []
    for m, ranks in parts.items():
        ends = at + np.cumsum([len(part) for part in ranks])
        table += [m, at, *ends.tolist()]
        at = int(ends[-1])
    body = b"".join(part for ranks in parts.values() for part in ranks)
    write_whole(path, MAGIC + _words(words) + names + _words(table) + body)


def _text(text: str, room: int) -> bytes:
    data = text.encode()
    if len(data) >= room:
        raise InvalidInputError(f"{text!r} is too long", f"use less than {room} bytes")
    return data.ljust(room, b"\0")


def _words(values: Sequence[int]) -> bytes:
    return ints(values).astype("<i8").tobytes()


def _part(program: RankProgram) -> bytes:
    extents = [extent for slot in program.slots for extent in slot.extents]
    slots = [
        (int(slot.kind), slot.peer, slot.tag, slot.bytes, slot.scratch, len(slot.extents))
        for slot in program.slots
    ]
    words = [program.input_bytes, program.output_bytes, program.scratch_bytes]
    lists: tuple[Sequence[tuple[int, ...]], ...] = (
        program.held, program.wanted, slots, extents, program.instructions
    )  # fmt: skip
    words += [len(rows) for rows in lists]
    words += [int(word) for rows in lists for row in rows for word in row]
    checked = ints(words).astype(np.uint64)
    odd = 2 * np.arange(checked.size, dtype=np.uint64) + np.uint64(1)
    return _words(words) + np.asarray((checked * odd).sum()).astype("<u8").tobytes()
