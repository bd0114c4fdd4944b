"""One number for each communicator, from the numbers that each of its ranks gave it.

Idea: ranks know the members of a communicator in their order, in ranks of the world. Those with the
same members differ by the order in which they were made, which is the same on all of them,
since making a communicator is collective.
"""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from contend.base.errors import FileFormatError
from contend.programs.traces.recording.files import RankFile

Ranks = NDArray[np.int64]

INTER, CUT = 1024, 2048  # flags of mpi/interpose/record/record.h
_OTHERS = -1  # ranks of another world


@dataclass(frozen=True)
class OwnCommunicators:
    number: Ranks  # (n_comms,) of all ranks; _OTHERS where they are unknown
    peers: Ranks  # ranks of the world, of one communicator after the other
    offsets: Ranks  # (n_comms + 1,) where those of each begin in peers
    is_inter: NDArray[np.bool_]  # (n_comms,)


@dataclass
class Communicators:
    """The communicators of all ranks, numbered as they are met; 0 is that of all ranks."""

    ranks: int
    members: list[Ranks] = field(default_factory=list)
    _numbers: dict[tuple[bytes, int], int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        world = np.arange(self.ranks, dtype=np.int64)
        self._number(world, 0)

    def of(self, file: RankFile) -> OwnCommunicators:
        """What a rank calls which communicator."""
        rows = np.flatnonzero(file.is_kind("communicator"))
        met: dict[bytes, int] = {}
        numbers, peers, kinds = [], [], []
        for place, row in enumerate(rows):
            record = file.records[row]
            if int(record["comm"]) != place:
                raise _unsound(file, f"communicator {int(record['comm'])} comes as the {place}th")
            local, others = self._groups(file, int(row))
            is_inter = bool(int(record["flags"]) & INTER)
            everyone = np.sort(np.concatenate([local, others])) if is_inter else local
            is_known = not int(record["flags"]) & CUT and everyone.size and everyone.min() >= 0
            seen = met.get(key := everyone.tobytes(), 0)
            met[key] = seen + 1
            numbers.append(self._number(everyone, seen) if is_known else _OTHERS)
            peers.append(others if is_inter else local)
            kinds.append(is_inter)
        sizes = [group.size for group in peers]
        return OwnCommunicators(
            np.array(numbers, dtype=np.int64),
            np.concatenate([np.zeros(0, np.int64), *peers]),
            np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
            np.array(kinds, dtype=bool),
        )

    def _groups(self, file: RankFile, row: int) -> tuple[Ranks, Ranks]:
        """Ranks of the own group, and of the other one."""
        record, first = file.records[row], int(file.first[row])
        local_size, other = int(record["bytes"]), int(record["received"])
        runs = file.words[first : first + int(record["words"])].reshape(-1, 3)
        if int(record["flags"]) & CUT:
            return np.zeros(0, np.int64), np.zeros(0, np.int64)
        lengths = runs[:, 1]
        if (
            (lengths < 0).any()
            or int(lengths.sum()) != local_size + other
            or local_size + other > 1 << 27
        ):
            raise _unsound(file, f"communicator {int(record['comm'])} has other ranks than it says")
        members = np.repeat(runs[:, 0], lengths)
        steps = np.arange(members.size) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        members = members + steps * np.repeat(runs[:, 2], lengths)
        if members.size and (members.min() < _OTHERS or members.max() >= self.ranks):
            raise _unsound(file, f"communicator {int(record['comm'])} has ranks that are not there")
        return members[:local_size], members[local_size:]

    def _number(self, members: Ranks, seen: int) -> int:
        key = (members.tobytes(), seen)
        if key not in self._numbers:
            self._numbers[key] = len(self.members)
            self.members.append(members)
        return self._numbers[key]


def _unsound(file: RankFile, problem: str) -> FileFormatError:
    return FileFormatError(f"{file.path}: {problem}", "record again")
