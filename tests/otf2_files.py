"""OTF2 archives as Score-P writes them, by the library itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

RESOLUTION = 1_000_000  # ticks per second


class Archive:
    """An archive of so many ranks; `rank(r)` is where their events go."""

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
