"""Files of `contend record`, written by hand."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from contend.traces.recorded.files import RECORD

KINDS = (
    "flush", "clock", "communicator", "Init", "Finalize", "Send", "Isend", "Recv", "Irecv", "Wait",
    "Barrier", "Send_init", "Start", "Sendrecv", "Allreduce", "File_open", "Test", "Iprobe",
)  # fmt: skip
SENDS, RECEIVES = 8, 16


@dataclass
class RankWriter:
    """The file of a rank in the making; times in ns."""

    rank: int
    ranks: int
    order: str = "<"
    records: list[tuple[str, dict[str, int], list[int]]] = field(default_factory=list)

    def add(
        self, kind: str, start: int, end: int, words: tuple[int, ...] = (), **known: int
    ) -> None:
        """Append a record."""
        filled = {"comm": 0, "peer": -1} | known | {"start": start, "end": end}
        self.records.append((kind, filled, list(words)))

    def world(self) -> RankWriter:
        """With the communicators that every rank has."""
        self.add("communicator", 0, 0, (0, self.ranks, 1), bytes=self.ranks, peer=self.rank)
        self.add("communicator", 0, 0, (self.rank, 1, 0), comm=1, bytes=1, peer=0)
        return self

    def write(self, folder: Path, block: int = 5) -> None:
        """Write it, `block` records a block."""
        folder.mkdir(exist_ok=True)
        header = [
            "contend trace of a rank 1", f"rank {self.rank}", f"ranks {self.ranks}", "host here",
            f"bytes {'little' if self.order == '<' else 'big'}",
            *(f"kind {number} {name}" for number, name in enumerate(KINDS)), "end",
        ]  # fmt: skip
        data = "\n".join(header).encode() + b"\n"
        for first in range(0, len(self.records), block):
            data += self._block(self.records[first : first + block])
        (folder / f"rank-{self.rank}.trace").write_bytes(data)
        (folder / "trace.txt").write_text(f"contend trace 1\nranks {self.ranks}\nlibrary none\n")

    def _block(self, own: list[tuple[str, dict[str, int], list[int]]]) -> bytes:
        records = np.zeros(len(own), RECORD.newbyteorder(self.order))
        words: list[int] = []
        for row, (kind, known, values) in zip(records, own, strict=True):
            for name, value in known.items():
                row[name] = value
            row["kind"], row["first"], row["words"] = KINDS.index(kind), len(words), len(values)
            words += values
        content = records.tobytes() + np.array(words, f"{self.order}i8").tobytes()
        numbers = [int(one) for one in np.frombuffer(content, f"{self.order}u8")]
        sums = (sum(numbers), sum(place * one for place, one in enumerate(numbers, 1)))
        head = np.array([len(own), len(words)], f"{self.order}u4").tobytes()
        tail = np.array([one % 2**64 for one in sums], f"{self.order}u8").tobytes()
        return b"contblk\n" + head + tail + content
