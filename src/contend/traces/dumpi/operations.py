"""What the calls of a rank of a DUMPI trace do.

Receives get source, tag and size from the statuses of what ended them, where these were recorded;
else they stay as they were asked for.
"""

from collections.abc import Callable
from dataclasses import dataclass

from contend.traces.builder import RankBuilder
from contend.traces.dumpi.communicators import MEETINGS, NULL, SELF, UNKNOWN, WORLD, Communicators
from contend.traces.dumpi.datatypes import Datatypes
from contend.traces.dumpi.text import Call, RankText, Status, WrongCallError
from contend.traces.kinds import ANY, NONE, ROOTED, OpKind

_INIT = ("MPI_Init", "MPI_Init_thread")
_LARGEST = 2**53
_SENDS = {"send", "bsend", "rsend", "isend", "ibsend", "irsend"}
_SYNCHRONOUS = {"ssend", "issend"}
_COUNTED = {  # collectives with one count, and the names of count, datatype and size in blocks
    "bcast": ("count", "datatype"),
    "reduce": ("count", "datatype"),
    "allreduce": ("count", "datatype"),
    "scan": ("count", "datatype"),
    "exscan": ("count", "datatype"),
    "gather": ("sendcount", "sendtype"),
    "scatter": ("recvcount", "recvtype"),
    "allgather": ("recvcount", "recvtype"),
    "alltoall": ("recvcount", "recvtype"),
}
_LISTED = {  # names of counts and datatype; those of a root alone stand with what others have
    "gatherv": ("recvcounts", "recvtype"),
    "scatterv": ("sendcounts", "sendtype"),
    "allgatherv": ("recvcounts", "recvtype"),
    "alltoallv": ("sendcounts", "sendtype"),
    "reduce_scatter": ("recvcounts", "datatype"),
}


@dataclass
class _Request:
    """One that a call made; of a persistent one, what starts of it do."""

    row: int = NONE  # NONE: nothing is under way
    number: int = NONE
    comm: int = WORLD  # as the rank numbers it
    starts: Call | None = None


class Operations:
    """A rank while its calls are written."""

    def __init__(self, text: RankText, rank: int, comms: Communicators, to: RankBuilder) -> None:
        self.text = text
        self.rank = rank
        self.builder = to
        self.datatypes = Datatypes(text.sizes)
        self.all = comms
        self.comms = {WORLD: 0, SELF: comms.own[rank]}
        self.requests: dict[int, _Request] = {}
        self.free: list[int] = []
        self.next_request = 0
        self.left: int | None = None

    def write(self) -> None:
        """Write all calls, from MPI_Init on."""
        calls = self.text.calls
        begin = next((at for at, call in enumerate(calls) if call.name in _INIT), 0)
        for at, call in enumerate(calls):
            try:
                self.datatypes.take(call)
                if at >= begin:
                    self._take(call)
            except WrongCallError as error:
                raise self.text.error(call.line, f"{call.name} {error}") from None
            if call.name == "MPI_Finalize":
                break
        for request in self.requests.values():
            if request.row != NONE and self.builder.columns["peer"][request.row] == ANY:
                self._leave_out(request)  # a receive from anywhere that never ended

    def _take(self, call: Call) -> None:
        if self.left is not None:
            self.builder.compute(max(call.start - self.left, 0) / 1e9)
        self.left = call.end if self.left is None else max(self.left, call.end)
        action = call.name.removeprefix("MPI_").lower()
        if call.name in MEETINGS:
            self._meeting(call)
        elif taker := _TAKERS.get(action):
            taker(self, call, action)
        elif call.name in _INIT or call.name == "MPI_Finalize":
            self._spend(call, 0)
        else:
            self._time(call)
        if call.name not in MEETINGS and "newcomm" in call.values:
            self._renumber(call)

    def _renumber(self, call: Call) -> None:
        if (number := call.number("newcomm")) > NULL:
            self.comms[number] = self.all.made[self.rank].get(call.line, UNKNOWN)

    def _spend(self, call: Call, seconds: float) -> None:
        self.builder.spend(call.name, seconds, call.line)

    def _time(self, call: Call) -> None:
        """A call that is not modelled takes its time."""
        self._spend(call, (call.end - call.start) / 1e9)

    def _add(self, kind: OpKind, call: Call, **columns: object) -> None:
        self.builder.add(kind, call.name, line=call.line, **columns)  # type: ignore[arg-type]

    def _comm(self, call: Call, name: str = "comm") -> int:
        """Index of a communicator, UNKNOWN where its members are not known."""
        number = call.number(name)
        if number not in self.comms:
            raise WrongCallError(f"is on communicator {number}, which was not made")
        return self.comms[number]

    def _member(self, comm: int, place: int) -> int:
        members = self.all.members[comm]
        if place >= len(members):
            raise WrongCallError(f"names rank {place} of a communicator of {len(members)}")
        return members[place]

    def _bytes(self, call: Call, count: int, datatype: str) -> int:
        size = count * self.datatypes(call, datatype)
        if not 0 <= size < _LARGEST:
            raise WrongCallError(f"has {count} elements, {size} bytes")
        return size

    def _meeting(self, call: Call) -> None:
        comm = self._comm(call, "oldcomm")
        if comm == UNKNOWN:
            self._time(call)
        else:
            self._add(OpKind.BARRIER, call, comm=comm)
        self._renumber(call)

    # Messages and requests.

    def _number(self) -> int:
        if self.free:
            return self.free.pop()
        self.next_request += 1
        return self.next_request - 1

    def _leave_out(self, request: _Request) -> None:
        self.builder.amend(request.row, kind=OpKind.TIME, request=NONE)

    def message(
        self, call: Call, made: Call, action: str, request: int = NONE, half: str = ""
    ) -> bool:
        """A send or receive of a call, as `made` describes it; whether there is one."""
        is_send = "send" in action
        comm = self._comm(made)
        place = made.number("dest" if is_send else "source")
        is_open = not is_send and place == ANY
        if comm == UNKNOWN or (place < 0 and not is_open):
            self._spend(call, 0)  # to nobody, or to another group
            return False
        tag = made.number(f"{half}tag")
        if tag < 0 and is_send:
            raise WrongCallError(f"has a tag of {tag}")
        is_split = bool(half) and f"{half}count" in made.values
        count, datatype = (f"{half}count", f"{half}type") if is_split else ("count", "datatype")
        kind = OpKind.RECEIVE
        if is_send:
            kind = OpKind.SYNC_SEND if action.removesuffix("_init") in _SYNCHRONOUS else OpKind.SEND
        self._add(
            kind,
            call,
            peer=ANY if is_open else self._member(comm, place),
            tag=max(tag, ANY),
            bytes=self._bytes(made, made.number(count), datatype),
            comm=comm,
            request=request,
        )
        return True

    def amend(self, row: int, comm: int, statuses: list[Status]) -> bool:
        """Put what was found into the row of a receive or probe; whether it was received."""
        kind = self.builder.columns["kind"][row]
        if kind not in (OpKind.RECEIVE, OpKind.PROBE) or not statuses:
            return True
        found = statuses[0]
        if found.is_cancelled or (found.source < 0 and self.builder.columns["peer"][row] == ANY):
            return False
        if found.source >= 0:
            self.builder.amend(row, peer=self._member(comm, found.source))
            if found.tag >= 0:
                self.builder.amend(row, tag=found.tag)
            if 0 < found.bytes <= self.builder.columns["bytes"][row]:
                self.builder.amend(row, bytes=found.bytes)
        return True

    def begin(self, handle: int, call: Call, made: Call, action: str) -> None:
        """A request that is under way."""
        number = self._number()
        request = self.requests.setdefault(handle, _Request())
        if self.message(call, made, action, number):
            request.row, request.number = len(self.builder) - 1, number
            request.comm = self._comm(made)
        else:
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
                self._leave_out(request)
            self.free.append(request.number)
            request.row = NONE
            if request.starts is None:
                del self.requests[handle]
        if ended:
            self._add(OpKind.WAIT, call, list=ended)
        else:
            self._spend(call, 0)


def _blocking(me: Operations, call: Call, action: str) -> None:
    if me.message(call, call, action) and action == "recv":
        row = len(me.builder) - 1
        if not me.amend(row, me._comm(call), call.statuses("status")):
            me.builder.amend(row, kind=OpKind.TIME)


def _nonblocking(me: Operations, call: Call, action: str) -> None:
    handle = call.number("request")
    me.requests.pop(handle, None)
    me.begin(handle, call, call, action)


def _pair(me: Operations, call: Call, action: str) -> None:
    """A receive, a send, and a wait for both."""
    halves = []
    for half, kind in (("recv", "recv"), ("send", "send")):
        number = me._number()
        if me.message(call, call, kind, number, half):
            halves.append(number)
            if kind == "recv":
                me.amend(len(me.builder) - 1, me._comm(call), call.statuses("status"))
        else:
            me.free.append(number)
    if halves:
        me._add(OpKind.WAIT, call, list=halves)
        me.free += halves


def _persistent(me: Operations, call: Call, action: str) -> None:
    me.requests[call.number("request")] = _Request(starts=call)
    me._spend(call, 0)


def _start(me: Operations, call: Call, action: str) -> None:
    handles = call.numbers("request" if action == "start" else "requests")
    for handle in handles:
        request = me.requests.get(handle)
        if request is None or request.starts is None:
            raise WrongCallError(f"starts request {handle}, which was not made for it")
        if request.row != NONE:
            raise WrongCallError(f"starts request {handle}, which is under way")
        me.begin(handle, call, request.starts, request.starts.name.removeprefix("MPI_").lower())
    if not handles:
        me._spend(call, 0)


def _one(me: Operations, call: Call, action: str) -> None:
    is_done = action == "wait" or call.number("flag") != 0
    handles = call.numbers("request")[:1] if is_done else []
    me.end(call, handles, [call.statuses("status")] * len(handles))


def _any(me: Operations, call: Call, action: str) -> None:
    handles, index = call.numbers("requests"), call.number("index")
    is_done = index >= 0 and (action == "waitany" or call.number("flag") != 0)
    if is_done and index >= len(handles):
        raise WrongCallError(f"ends request {index} of {len(handles)}")
    ended = [handles[index]] if is_done else []
    me.end(call, ended, [call.statuses("status")] * len(ended))


def _all(me: Operations, call: Call, action: str) -> None:
    is_done = action == "waitall" or call.number("flag") != 0
    handles = call.numbers("requests") if is_done else []
    me.end(call, handles, _each(call, len(handles)))


def _some(me: Operations, call: Call, action: str) -> None:
    handles = call.numbers("requests")
    indices = call.numbers("indices") if call.number("outcount") > 0 else []
    if (wrong := next((i for i in indices if not 0 <= i < len(handles)), None)) is not None:
        raise WrongCallError(f"ends request {wrong} of {len(handles)}")
    me.end(call, [handles[index] for index in indices], _each(call, len(indices)))


def _each(call: Call, count: int) -> list[list[Status]]:
    """The status of each of so many requests; none where they were not recorded."""
    found = call.statuses("statuses")
    if found and len(found) != count:
        raise WrongCallError(f"has {len(found)} statuses of {count} requests")
    return [[one] for one in found] or [[]] * count


def _probe(me: Operations, call: Call, action: str) -> None:
    comm = me._comm(call)
    is_found = action == "probe" or call.number("flag") != 0
    if not is_found or comm == UNKNOWN:
        me._spend(call, 0)
        return
    place = call.number("source")
    peer = me._member(comm, place) if place >= 0 else ANY
    me._add(OpKind.PROBE, call, peer=peer, tag=max(call.number("tag"), ANY), comm=comm)
    row = len(me.builder) - 1
    if not me.amend(row, comm, call.statuses("status")):
        me.builder.amend(row, kind=OpKind.TIME)


def _release(me: Operations, call: Call, action: str) -> None:
    """A request that nobody waits for any more; what it does goes on."""
    me.requests.pop(call.number("request"), None)
    me._spend(call, 0)


def _collective(me: Operations, call: Call, action: str) -> None:
    comm = me._comm(call)
    if comm == UNKNOWN:
        me._time(call)
        return
    kind = OpKind[action.upper()]
    root = me._member(comm, max(call.number("root"), 0)) if kind in ROOTED else ANY
    columns: dict[str, object] = {"comm": comm, "peer": root}
    if action in _COUNTED:
        count, datatype = _COUNTED[action]
        columns["bytes"] = me._bytes(call, call.number(count), datatype)
    elif action in _LISTED and (action not in ("gatherv", "scatterv") or root == me.rank):
        counts, datatype = _LISTED[action]
        sizes = [me._bytes(call, count, datatype) for count in call.numbers(counts)]
        members = len(me.all.members[comm])
        if len(sizes) != members:
            raise WrongCallError(f"has {len(sizes)} {counts} for {members} ranks")
        columns["list"] = sizes
    me._add(kind, call, **columns)


_Taker = Callable[[Operations, Call, str], None]
_TAKERS: dict[str, _Taker] = {
    **dict.fromkeys(("send", "bsend", "rsend", "ssend", "recv"), _blocking),
    **dict.fromkeys(("isend", "ibsend", "irsend", "issend", "irecv"), _nonblocking),
    **dict.fromkeys(("sendrecv", "sendrecv_replace"), _pair),
    **dict.fromkeys(("send_init", "bsend_init", "rsend_init", "ssend_init", "recv_init"),
                    _persistent),
    **dict.fromkeys(("start", "startall"), _start),
    **dict.fromkeys(("wait", "test"), _one),
    **dict.fromkeys(("waitany", "testany"), _any),
    **dict.fromkeys(("waitall", "testall"), _all),
    **dict.fromkeys(("waitsome", "testsome"), _some),
    **dict.fromkeys(("probe", "iprobe"), _probe),
    "request_free": _release,
    **dict.fromkeys(("barrier", *_COUNTED, *_LISTED), _collective),
}  # fmt: skip
