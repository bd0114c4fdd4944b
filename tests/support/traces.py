"""Traces as dumpi2ascii prints them and as Score-P writes them, and what is read of them."""

from pathlib import Path
from typing import Any

from contend.programs.traces.kinds import OpKind
from contend.programs.traces.trace import Trace

NANOSECONDS = 1_000_000_000
RESOLUTION = 1_000_000  # ticks per second, of an OTF2 archive


def status(source: int, tag: int, size: int, *, cancelled: int = 0) -> str:
    return f"{{bytes={size}, cancelled={cancelled}, source={source}, tag={tag}, error=0}}"


class RankText:
    """The text of one rank; a call takes 1 us, and comes 1 us after the one before."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.time = 5 * NANOSECONDS
        self.call("MPI_Init", "int argc=0", "string argv[0]=<IGNORED>")

    def call(self, name: str, *parameters: str, seconds: float = 1e-6, gap: float = 1e-6) -> None:
        self.time += round(gap * NANOSECONDS)
        self._edge(name, "entering")
        self.lines += parameters
        self.time += round(seconds * NANOSECONDS)
        self._edge(name, "returning")

    def message(
        self, name: str, peer: int, count: int, *more: str, tag: int = 0, comm: int = 2
    ) -> None:
        side = "dest" if "send" in name.lower() else "source"
        self.call(
            name, f"int count={count}", "MPI_Datatype datatype=9 (MPI_INT)",
            f"int {side}={peer}" + (" (MPI_ANY_SOURCE)" if side == "source" and peer < 0 else ""),
            f"int tag={tag}", f"MPI_Comm comm={comm} (MPI_COMM_WORLD)", *more,
        )  # fmt: skip

    def text(self) -> str:
        """All calls, and MPI_Finalize."""
        lines, time = self.lines.copy(), self.time
        self.call("MPI_Finalize")
        whole = self.lines
        self.lines, self.time = lines, time
        return "\n".join(whole) + "\n"

    def _edge(self, name: str, what: str) -> None:
        wall = f"{self.time // NANOSECONDS}.{self.time % NANOSECONDS:09d}"
        self.lines.append(
            f"{name} {what} at walltime {wall}, cputime 0.000000100 seconds in thread 0."
        )


class Archive:
    """An OTF2 archive of so many ranks; `rank(r)` is where their events go."""

    def __init__(self, folder: Path, ranks: int, split: list[int]) -> None:
        import otf2
        from otf2.enums import GroupType, LocationType, Paradigm

        self.otf2 = otf2
        self.file = otf2.writer.Writer(str(folder), timer_resolution=RESOLUTION)
        definitions = self.file.definitions
        node = definitions.system_tree_node("node")
        self.locations = []
        for rank in range(ranks):
            process = definitions.location_group(f"MPI Rank {rank}", system_tree_parent=node)
            self.locations.append(
                definitions.location("Master", LocationType.CPU_THREAD, group=process)
            )
        mpi: dict[str, Any] = {"paradigm": Paradigm.MPI}
        definitions.group("", group_type=GroupType.COMM_LOCATIONS, members=self.locations, **mpi)
        self.world = definitions.comm(
            "MPI_COMM_WORLD",
            definitions.group("", group_type=GroupType.COMM_GROUP, members=self.locations, **mpi),
        )
        self.split = definitions.comm(
            "",
            definitions.group(
                "s",
                group_type=GroupType.COMM_GROUP,
                members=[self.locations[rank] for rank in split],
                **mpi,
            ),
        )
        alone = definitions.group("a", group_type=GroupType.COMM_SELF, members=[], **mpi)
        self.alone = definitions.comm("MPI_COMM_SELF", alone)
        self.ranks = [Rank(self, location) for location in self.locations]

    def close(self) -> None:
        self.file.close()


class Rank:
    """Events of one rank; a call takes 10 ticks and comes 10 ticks after the one before."""

    def __init__(self, archive: Archive, location: Any) -> None:
        self.archive = archive
        self.writer = archive.file.event_writer_from_location(location)
        self.time = 1000
        self.call("MPI_Init")

    def call(self, name: str, *events: tuple[Any, ...], ticks: int = 10, gap: int = 10) -> None:
        """A call with events, each a name of `otf2.events` and its fields."""
        region = self.archive.file.definitions.region(name)
        self.time += gap
        self.writer.enter(self.time, region)
        self.events(*events)
        self.time += ticks
        self.writer.leave(self.time, region)

    def events(self, *events: tuple[Any, ...]) -> None:
        """Events at this time."""
        for name, *fields in events:
            self.writer.write(getattr(self.archive.otf2.events, name)(self.time, *fields))


def calls_of(trace: Trace, rank: int) -> list[tuple[str, int, int, int, list[int]]]:
    """Call, kind, peer, bytes and list, without what takes no message."""
    return [
        (
            trace.calls[trace.call[op]], int(trace.kind[op]), int(trace.peer[op]),
            int(trace.bytes[op]), trace.list_of(op).tolist(),
        )
        for op in range(int(trace.first[rank]), int(trace.first[rank + 1]))
        if trace.kind[op] != OpKind.TIME
    ]  # fmt: skip
