"""Messages and requests of a rank of a DUMPI trace while its calls are written.

Receives get source, tag and size from the statuses of what ended them, where these were recorded;
else they stay as they were asked for.
"""

from dataclasses import dataclass

from contend.traces.builder import RankBuilder
from contend.traces.dumpi.communicators import NULL, SELF, UNKNOWN, WORLD, Communicators
from contend.traces.dumpi.datatypes import Datatypes
from contend.traces.dumpi.text import Call, RankText, Status, WrongCallError
from contend.traces.kinds import ANY, NONE, OpKind

_LARGEST = 2**53
ALL_RANKS = "name the folder with the files of all ranks"
_SYNCHRONOUS = {"ssend", "issend"}


@dataclass
class Request:
    """One that a call made; of a persistent one, what starts of it do."""

    row: int = NONE  # NONE: nothing is under way
    number: int = NONE
    comm: int = WORLD  # as the rank numbers it
    starts: Call | None = None


class Operations:
    """A rank while its calls are written; the methods are for traces/dumpi/actions.py."""

    def __init__(self, text: RankText, rank: int, comms: Communicators, to: RankBuilder) -> None:
        self.text = text
        self.rank = rank
        self.builder = to
        self.datatypes = Datatypes(text.sizes)
        self.all = comms
        self.comms = {WORLD: 0, SELF: comms.own[rank]}
        self.requests: dict[int, Request] = {}
        self.free: list[int] = []
        self.next_request = 0
        self.left: dict[int, int] = {}  # by thread: when its last call returned
        self.sends_to_null: Call | None = None  # the first to -1, which is MPICH's MPI_PROC_NULL
        self.of_strangers: Call | None = None  # the first message whose communicator is not known
        self.backward: Call | None = None  # the first call that begins before the end of the last

    def renumber(self, call: Call) -> None:
        """Note the communicator that a call makes."""
        if (number := call.number("newcomm")) > NULL:
            self.comms[number] = self.all.made[self.rank].get(call.line, UNKNOWN)

    def spend(self, call: Call, seconds: float) -> None:
        """A call that is no message."""
        self.builder.spend(call.name, seconds, call.line)

    def time(self, call: Call, bytes: int = 0) -> None:
        """A call that is not modelled takes its time."""
        self.builder.spend(call.name, (call.end - call.start) / 1e9, call.line, bytes)

    def pass_time(self, call: Call) -> None:
        """Count the time since the last call, of whichever thread, as computation."""
        if call.start < self.left.get(call.thread, 0):
            self.backward = self.backward or call
        last = max(self.left.values(), default=call.start)
        self.builder.compute(max(call.start - last, 0) / 1e9)
        self.left[call.thread] = max(call.end, self.left.get(call.thread, 0))

    def add(self, kind: OpKind, call: Call, **columns: object) -> None:
        """Append an operation."""
        self.builder.add(kind, call.name, line=call.line, **columns)  # type: ignore[arg-type]

    def comm(self, call: Call, name: str = "comm") -> int:
        """Index of a communicator, UNKNOWN where its members are not known."""
        number = call.number(name)
        if number not in self.comms:
            raise WrongCallError(f"is on communicator {number}, which was not made")
        return self.comms[number]

    def member(self, comm: int, place: int) -> int:
        """The rank of the world at a place of a communicator."""
        members = self.all.members[comm]
        if place >= len(members):
            what = f"names rank {place} of a communicator of {len(members)}"
            raise WrongCallError(what, ALL_RANKS) if comm == 0 else WrongCallError(what)
        return members[place]

    def sizes(self, call: Call, *names: tuple[str, str], each: int = 1) -> list[int]:
        """Return the bytes of a count, or of a count for each of so many ranks.

        `names` are of counts and datatypes: the first pair counts that the call has.
        """
        count, datatype = next((pair for pair in names if call.has(pair[0])), names[0])
        counts, types = call.numbers(count), call.numbers(datatype)
        if len(counts) != each:
            raise WrongCallError(f"has {len(counts)} {count} for {each} ranks")
        if len(types) == 1:
            types *= each
        if len(types) != each:
            raise WrongCallError(f"has {len(types)} {datatype} for {each} ranks")
        return [self._bytes(count, one) for count, one in zip(counts, types, strict=True)]

    def _bytes(self, count: int, datatype: int) -> int:
        size = count * self.datatypes(datatype)
        if not 0 <= size < _LARGEST:
            raise WrongCallError(f"has {count} elements, {size} bytes")
        return size

    def meeting(self, call: Call) -> None:
        """All ranks of a communicator meet to make another; what they tell each other is small."""
        comm = self.comm(call, "oldcomm")
        if comm == UNKNOWN:
            self.time(call)
        else:
            self.add(OpKind.BARRIER, call, comm=comm)
        self.renumber(call)

    def number(self) -> int:
        """One for a request."""
        if self.free:
            return self.free.pop()
        self.next_request += 1
        return self.next_request - 1

    def leave_out(self, request: Request) -> None:
        """What never ended or was cancelled is no message."""
        self.builder.amend(request.row, kind=OpKind.TIME, request=NONE)

    def message(
        self, call: Call, made: Call, action: str, request: int = NONE, half: str = ""
    ) -> bool:
        """Append a send or receive as `made` describes it; return whether there is one.

        There is none to or from MPI_PROC_NULL, as a rank or by the status of a call that blocks.
        """
        is_send = "send" in action
        comm = self.comm(made)
        place = made.number("dest" if is_send else "source")
        is_open = not is_send and place == ANY
        if comm == UNKNOWN or (place < 0 and not is_open):
            if is_send and place == ANY:
                self.sends_to_null = self.sends_to_null or call
            elif place >= 0:
                self.of_strangers = self.of_strangers or call
            return False
        tag = made.number(f"{half}tag")
        if tag < 0 and is_send:
            raise WrongCallError(f"has a tag of {tag}")
        is_split = bool(half) and f"{half}count" in made.values
        count, datatype = (f"{half}count", f"{half}type") if is_split else ("count", "datatype")
        kind = OpKind.RECEIVE
        if is_send:
            kind = OpKind.SYNC_SEND if action.removesuffix("_init") in _SYNCHRONOUS else OpKind.SEND
        self.add(
            kind,
            call,
            peer=ANY if is_open else self.member(comm, place),
            tag=max(tag, ANY),
            bytes=self._bytes(made.number(count), made.number(datatype)),
            comm=comm,
            request=request,
        )
        return True

    def amend(self, row: int, comm: int, statuses: list[Status]) -> bool:
        """Put what was found into the row of a receive or probe; return whether it was received.

        The status of what is from MPI_PROC_NULL has no rank as its source.
        """
        kind = self.builder.columns["kind"][row]
        if kind not in (OpKind.RECEIVE, OpKind.PROBE) or not statuses:
            return True
        found = statuses[0]
        if found.is_cancelled or (found.source < 0 and self.builder.columns["peer"][row] == ANY):
            return False
        if found.source >= 0:
            self.builder.amend(row, peer=self.member(comm, found.source))
            if found.tag >= 0:
                self.builder.amend(row, tag=found.tag)
            if 0 < found.bytes <= self.builder.columns["bytes"][row]:
                self.builder.amend(row, bytes=found.bytes)
        return True

    def begin(self, handle: int, call: Call, made: Call, action: str) -> None:
        """A request that is under way."""
        number = self.number()
        request = self.requests.setdefault(handle, Request())
        if self.message(call, made, action, number):
            request.row, request.number = len(self.builder) - 1, number
            request.comm = self.comm(made)
        else:
            self.spend(call, 0)
            self.free.append(number)
            request.row = NONE

    def end(self, call: Call, handles: list[int], statuses: list[list[Status]]) -> None:
        """A wait for requests, or a test that found them."""
        ended = []
        for handle, found in zip(handles, statuses, strict=True):
            request = self.requests.get(handle)
            if request is None or request.row == NONE:
                continue  # of a file, to nobody, or ended before
            if self.amend(request.row, request.comm, found):
                ended.append(request.number)
            else:
                self.leave_out(request)
            self.free.append(request.number)
            request.row = NONE
            if request.starts is None:
                del self.requests[handle]
        if ended:
            self.add(OpKind.WAIT, call, list=ended)
        else:
            self.spend(call, 0)
