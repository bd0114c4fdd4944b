"""Files of `contend record`, written by hand."""

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from contend.programs.traces.recording.blocks import RECORD, sums_of

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
    run: int | None = 0xC0FFEE  # None: version 1, whose blocks have no number
    records: list[tuple[str, dict[str, int], list[int]]] = field(default_factory=list)

    def add(
        self, kind: str, start: int, end: int, words: tuple[int, ...] = (), **known: int
    ) -> None:
        """Append a record."""
        filled = {"comm": 0, "peer": -1} | known | {"start": start, "end": end}
        self.records.append((kind, filled, list(words)))

    def world(self) -> "RankWriter":
        """With the communicators that every rank has."""
        self.add("communicator", 0, 0, (0, self.ranks, 1), bytes=self.ranks, peer=self.rank)
        self.add("communicator", 0, 0, (self.rank, 1, 0), comm=1, bytes=1, peer=0)
        return self

    def write(self, folder: Path, block: int = 5) -> None:
        """Write it, `block` records a block."""
        folder.mkdir(exist_ok=True)
        version, run = 1 if self.run is None else 2, self._run_line()
        header = [
            f"contend trace of a rank {version}", f"rank {self.rank}", f"ranks {self.ranks}", *run,
            "host here", f"bytes {'little' if self.order == '<' else 'big'}",
            *(f"kind {number} {name}" for number, name in enumerate(KINDS)), "",
        ]  # fmt: skip
        data = "\n".join(header).encode()
        if self.run is not None:
            sums = sums_of(np.frombuffer(data + bytes(-len(data) % 8), f"{self.order}u8"))
            data += "sum {:016x} {:016x}\n".format(*sums).encode()
        data += b"end\n"
        for first in range(0, len(self.records), block):
            data += self._block(self.records[first : first + block])
        (folder / f"rank-{self.rank}.trace").write_bytes(data)
        title = [f"contend trace {version}", f"ranks {self.ranks}", *run, "library none"]
        (folder / "trace.txt").write_text("\n".join(title) + "\n")

    def _run_line(self) -> list[str]:
        return [] if self.run is None else [f"run {self.run:016x}"]

    def _block(self, own: list[tuple[str, dict[str, int], list[int]]]) -> bytes:
        records = np.zeros(len(own), RECORD.newbyteorder(self.order))
        words: list[int] = []
        for row, (kind, known, values) in zip(records, own, strict=True):
            for name, value in known.items():
                row[name] = value
            row["kind"], row["first"], row["words"] = KINDS.index(kind), len(words), len(values)
            words += values
        content = records.tobytes() + np.array(words, f"{self.order}i8").tobytes()
        counts = np.array([len(own), len(words)], f"{self.order}u4").tobytes()
        summed = np.frombuffer(content, f"{self.order}u8").astype(np.uint64)
        if self.run is None:
            mark, run = b"contblk\n", b""
        else:
            mark, run = b"contbl2\n", np.array([self.run], f"{self.order}u8").tobytes()
            first = np.array([self.run, len(own) << 32 | len(words)], np.uint64)
            summed = np.concatenate([first, summed])
        sums = np.array(sums_of(summed), f"{self.order}u8").tobytes()
        return mark + counts + run + sums + content
