"""What an OTF2 archive holds of the processes of MPI, by the library that reads it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from contend.base.errors import FileFormatError, MissingToolError
from contend.base.wholefile import is_special

_LAST = 2**63 - 1  # tick of an int64
REMEDY = "write the trace again, or look at it with otf2-print"
_READ = {  # fields of events
    "Enter": ("region",),
    "Leave": ("region",),
    "MpiSend": ("communicator", "receiver", "msg_tag", "msg_length"),
    "MpiIsend": ("communicator", "receiver", "msg_tag", "msg_length", "request_id"),
    "MpiIsendComplete": ("request_id",),
    "MpiIrecvRequest": ("request_id",),
    "MpiRecv": ("communicator", "sender", "msg_tag", "msg_length"),
    "MpiIrecv": ("communicator", "sender", "msg_tag", "msg_length", "request_id"),
    "MpiRequestCancelled": ("request_id",),
    "MpiCollectiveEnd": ("communicator", "collective_op", "root", "size_sent", "size_received"),
    "NonBlockingCollectiveRequest": ("request_id",),
    "NonBlockingCollectiveComplete": (
        "communicator", "collective_op", "root", "size_sent", "size_received", "request_id",
    ),
}  # fmt: skip

Event = tuple[str, int, tuple[Any, ...]]  # name, time in ticks, fields as _READ has them


@dataclass
class Archive:
    resolution: int  # ticks per second
    communicators: dict[int, list[int] | None]  # members; None: the rank alone
    events: list[list[Event]]  # of each rank


def read_archive(anchor: Path) -> Archive:
    """Everything that the library is needed for."""
    _require_files(anchor)
    try:
        import otf2
    except ImportError as error:
        raise MissingToolError(
            f"{anchor}: OTF2 is read by the Python package otf2, which is missing: {error}",
            "pip install 'contend[otf2]', or Debian's python3-otf2",
        ) from None
    try:
        with otf2.reader.open(str(anchor)) as file:
            return _archive(file)
    except MemoryError:
        raise FileFormatError(f"{anchor}: does not fit into memory", REMEDY) from None
    # The library raises whatever damaged definitions lead to.
    except Exception as error:
        reason = " ".join(str(error).split())[:200] or type(error).__name__
        if absent := _absent(anchor):
            reason = f"{', '.join(map(str, absent[:3]))}: no such file"
        raise FileFormatError(f"{anchor}: cannot be read: {reason}", REMEDY) from None


def _require_files(anchor: Path) -> None:
    """Refuse an archive with a pipe or a device in it, which the library would wait for."""
    for path in (anchor, anchor.with_suffix(".def"), *anchor.with_suffix("").glob("*")):
        if is_special(path):
            raise FileFormatError(f"{path} is no regular file", "copy the archive with its files")


def _absent(anchor: Path) -> list[Path]:
    """Return files of events that are missing beside definitions of the same place."""
    events = (path.with_suffix(".evt") for path in anchor.with_suffix("").glob("*.def"))
    return sorted(path for path in events if not path.exists())


def _archive(file: Any) -> Archive:
    places: dict[Any, int] = {}
    for group in file.definitions.groups:
        if _name(group.group_type) == "COMM_LOCATIONS" and _name(group.paradigm) == "MPI":
            places = {location: rank for rank, location in enumerate(group.members)}
    communicators: dict[int, list[int] | None] = {}
    for comm in file.definitions.comms:
        group = comm.group
        if _name(group.paradigm) == "MPI":
            is_self = _name(group.group_type) == "COMM_SELF"
            communicators[id(comm)] = (
                None if is_self else [places[member] for member in group.members]
            )
    events: list[list[Event]] = [[] for _ in places]
    for location, event in file.events:
        if location in places and (name := type(event).__name__) in _READ:
            fields = tuple(_plain(field, getattr(event, field)) for field in _READ[name])
            if event.time > _LAST:
                raise ValueError(f"an event at {event.time} ticks")
            events[places[location]].append((name, int(event.time), fields))
    if file.timer_resolution < 1:
        raise ValueError(f"a clock of {file.timer_resolution} ticks per second")
    return Archive(int(file.timer_resolution), communicators, events)


def _plain(field: str, value: Any) -> Any:
    if field == "collective_op":
        return _name(value)
    if field == "region":
        return value.name
    return id(value) if field == "communicator" else int(value)


def _name(kind: Any) -> str:
    return str(kind).rpartition(".")[2]
