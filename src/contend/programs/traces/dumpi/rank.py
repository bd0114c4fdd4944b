"""What each call of a rank of a DUMPI trace does.

Receives get source, tag and size from the statuses of what ended them, where these were recorded;
else they stay as they were asked for. Waits name the requests that they end; those that DUMPI does
not know (files, MPI-3) are passed over. Calls that are no messages take their time.
"""

from collections.abc import Callable
from dataclasses import dataclass

from contend.programs.traces.builder import RankBuilder
from contend.programs.traces.dumpi.communicators import (
    EMPTY_GROUP,
    MEETINGS,
    NULL,
    SELF,
    UNKNOWN,
    WORLD,
    Communicators,
    Groups,
    Walk,
    group_of,
)
from contend.programs.traces.dumpi.datatypes import Datatypes
from contend.programs.traces.dumpi.text import Call, RankText, Status
from contend.programs.traces.kinds import ANY, NONE, ROOTED, OpKind

INIT = ("MPI_Init", "MPI_Init_thread")
ALL_RANKS = "name the folder with the files of all ranks"
_LARGEST = 2**53
_SYNCHRONOUS = ("ssend", "issend", "ssend_init")
# Names of count and datatype, the first that a call has; in place it may lack those of one side.
_SENT, _RECEIVED = ("sendcount", "sendtype"), ("recvcount", "recvtype")
_SENT_EACH, _RECEIVED_EACH = ("sendcounts", "sendtype"), ("recvcounts", "recvtype")
_COUNTED = {  # collectives with one count; a root looks at the other side first
    **dict.fromkeys(("bcast", "reduce", "allreduce", "scan", "exscan"), (("count", "datatype"),)),
    "gather": (_SENT, _RECEIVED),
    **dict.fromkeys(("scatter", "allgather", "alltoall"), (_RECEIVED, _SENT)),
}
_LISTED = {
    **dict.fromkeys(("gatherv", "allgatherv"), (_RECEIVED_EACH,)),
    "scatterv": (_SENT_EACH,),
    "alltoallv": (_SENT_EACH, _RECEIVED_EACH),
    "alltoallw": (("sendcounts", "sendtypes"), ("recvcounts", "recvtypes")),
    "reduce_scatter": (("recvcounts", "datatype"),),
}
_BESIDE_ROOT = {"gatherv": _SENT, "scatterv": _RECEIVED}  # what other ranks have in place of counts


@dataclass
class Request:
    """A request that a call made; of a persistent one, what starts of it do."""

    row: int = NONE  # NONE: nothing is under way
    number: int = NONE
    comm: int = WORLD  # index in the trace
    starts: Call | None = None


class Rank:
    def __init__(self, text: RankText, comms: Communicators, to: RankBuilder) -> None:
        self.text, self.rank, self.builder = text, to.rank, to
        self.datatypes = Datatypes(text.sizes)
        self.all = comms
        self.comms = {WORLD: 0, SELF: comms.alone[self.rank]}
        self.groups: Groups = {EMPTY_GROUP: []}
        self.requests: dict[int, Request] = {}
        self.last_ends: dict[int, int] = {}  # by thread: when its last call returned
        self.sends_to_null: Call | None = None  # the first to -1, which is MPICH's MPI_PROC_NULL
        self.of_strangers: Call | None = None  # the first message whose communicator is not known
        self.backward: Call | None = None  # the first call that begins before the end of the last

    def walk(self) -> Walk:
        """Write the calls from MPI_Init to MPI_Finalize; wait where they make communicators."""
        calls = self.text.calls
        begin = next((at for at, call in enumerate(calls) if call.name in INIT), 0)
        for at, call in enumerate(calls):
            self.datatypes.take(call)
            if at < begin:
                continue
            self._pass_time(call)
            made: int | None = UNKNOWN
            action = call.name.removeprefix("MPI_").lower()
            if call.name in MEETINGS:
                if (parent := self._comm(call, "oldcomm")) == UNKNOWN:
                    self._time(call)
                else:  # what they tell each other is small
                    self._add(OpKind.BARRIER, call, comm=parent)
                    made = yield self.all.offer(self.rank, call, parent, self.groups)
            elif taker := _TAKERS.get(action):
                taker(self, call, action)
            elif call.name in (*INIT, "MPI_Finalize"):
                self._spend(call)
            else:
                self._note_group(call)
                self._time(call)
            if "newcomm" in call.values and (number := call.number("newcomm")) > NULL:
                self.comms[number] = UNKNOWN if made is None else made
            if call.name == "MPI_Finalize":
                break
        for request in self.requests.values():
            if request.row != NONE and self.builder.columns["peer"][request.row] == ANY:
                self.builder.leave_out(request.row)  # a receive from anywhere that never ended

    def _pass_time(self, call: Call) -> None:
        if call.start < self.last_ends.get(call.thread, 0):
            self.backward = self.backward or call
        last = max(self.last_ends.values(), default=call.start)
        self.builder.compute(max(call.start - last, 0) / 1e9)
        self.last_ends[call.thread] = max(call.end, self.last_ends.get(call.thread, 0))

    def _note_group(self, call: Call) -> None:
        if call.name == "MPI_Comm_group":
            index = self._comm(call)
            members = None if index == UNKNOWN else self.all.members[index]
            self.groups[call.number("group")] = members
        elif call.name.startswith("MPI_Group_") and "newgroup" in call.values:
            self.groups[call.number("newgroup")] = group_of(self.groups, call)

    def _spend(self, call: Call) -> None:
        """Append a call that is no message and takes no time of its own."""
        self.builder.spend(call.name, 0, call.line)

    def _time(self, call: Call, bytes: int = 0) -> None:
        self.builder.spend(call.name, (call.end - call.start) / 1e9, call.line, bytes)

    def _add(self, kind: OpKind, call: Call, **columns: object) -> None:
        self.builder.add(kind, call.name, line=call.line, **columns)  # type: ignore[arg-type]

    def _comm(self, call: Call, name: str = "comm") -> int:
        """Return the index of a communicator, UNKNOWN where its members are not known."""
        number = call.number(name)
        if number not in self.comms:
            raise call.error(f"is on communicator {number}, which was not made")
        return self.comms[number]

    def _member(self, call: Call, comm: int, place: int) -> int:
        """Return the rank of the world at a place of a communicator."""
        members = self.all.members[comm]
        if place >= len(members):
            problem = f"names rank {place} of a communicator of {len(members)}"
            raise call.error(problem, ALL_RANKS) if comm == 0 else call.error(problem)
        return members[place]

    def _sizes(self, call: Call, *names: tuple[str, str], each: int = 1) -> list[int]:
        """Return the bytes of a count, or of a count for each of so many ranks.

        `names` are of counts and datatypes: the first pair counts that the call has.
        """
        pair = next((pair for pair in names if call.has(pair[0])), names[0])
        counts, types = map(call.numbers, pair)
        if len(types) == 1:
            types *= each
        for name, values in zip(pair, (counts, types), strict=True):
            if len(values) != each:
                raise call.error(f"has {len(values)} {name} for {each} ranks")
        return [self._bytes(call, *both) for both in zip(counts, types, strict=True)]

    def _bytes(self, call: Call, count: int, datatype: int) -> int:
        size: int = count * self.datatypes.size(call, datatype)
        if not 0 <= size < _LARGEST:
            raise call.error(f"has {count} elements, {size} bytes")
        return size

    def _message(
        self, call: Call, made: Call, action: str, request: int = NONE, half: str = ""
    ) -> bool:
        """Append a send or receive as `made` describes it; return whether there is one.

        There is none to or from MPI_PROC_NULL, as a rank or by the status of a call that blocks.
        """
        is_send = "send" in action
        comm = self._comm(made)
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
            raise call.error(f"has a tag of {tag}")
        is_split = bool(half) and f"{half}count" in made.values
        count, datatype = (f"{half}count", f"{half}type") if is_split else ("count", "datatype")
        of_send = OpKind.SYNC_SEND if action in _SYNCHRONOUS else OpKind.SEND
        self._add(
            of_send if is_send else OpKind.RECEIVE,
            call,
            peer=ANY if is_open else self._member(call, comm, place),
            tag=max(tag, ANY),
            bytes=self._bytes(call, made.number(count), made.number(datatype)),
            comm=comm,
            request=request,
        )
        return True

    def _amend(self, call: Call, row: int, comm: int, statuses: list[Status]) -> bool:
        """Put what was found into the row of a receive or probe; return whether it was received.

        The status of what is from MPI_PROC_NULL has no rank as its source.
        """
        columns = self.builder.columns
        if columns["kind"][row] not in (OpKind.RECEIVE, OpKind.PROBE) or not statuses:
            return True
        status = statuses[0]
        if status.is_cancelled or (status.source < 0 and columns["peer"][row] == ANY):
            return False
        if status.source >= 0:
            self.builder.amend(row, peer=self._member(call, comm, status.source))
            if status.tag >= 0:
                self.builder.amend(row, tag=status.tag)
            if 0 < status.bytes <= columns["bytes"][row]:
                self.builder.amend(row, bytes=status.bytes)
        return True

    def _begin(self, handle: int, call: Call, made: Call) -> None:
        """Begin a request as `made` describes it."""
        number = self.builder.request()
        request = self.requests.setdefault(handle, Request())
        if self._message(call, made, made.name.removeprefix("MPI_").lower(), number):
            request.row, request.number = len(self.builder) - 1, number
            request.comm = self._comm(made)
        else:
            self._spend(call)
            self.builder.release([number])
            request.row = NONE

    def blocking(self, call: Call, action: str) -> None:
        if _is_from_nobody(call) or not self._message(call, call, action):
            self._spend(call)
        elif action == "recv":
            self._amend(call, len(self.builder) - 1, self._comm(call), call.statuses("status"))

    def nonblocking(self, call: Call, action: str) -> None:
        handle = call.number("request")
        self.requests.pop(handle, None)
        self._begin(handle, call, call)

    def pair(self, call: Call, action: str) -> None:
        halves = []
        for half in ("send",) if _is_from_nobody(call) else ("recv", "send"):
            number = self.builder.request()
            if self._message(call, call, half, number, half):
                halves.append(number)
                self._amend(call, len(self.builder) - 1, self._comm(call), call.statuses("status"))
            else:
                self.builder.release([number])
        self._wait(call, halves)
        self.builder.release(halves)

    def persistent(self, call: Call, action: str) -> None:
        self.requests[call.number("request")] = Request(starts=call)
        self._spend(call)

    def start(self, call: Call, action: str) -> None:
        """Begin again what MPI_Start or MPI_Startall name: requests made by other calls."""
        handles = call.numbers("request" if action == "start" else "requests")
        for handle in handles:
            request = self.requests.get(handle)
            if request is None or request.starts is None:
                raise call.error(f"starts request {handle}, which was not made for it")
            if request.row != NONE:
                raise call.error(f"starts request {handle}, which is under way")
            self._begin(handle, call, request.starts)
        if not handles:
            self._spend(call)

    def complete(self, call: Call, action: str) -> None:
        """A wait for requests, or a test that found some: each that ended has its status."""
        which = action[4:]  # "", any, all, some
        handles = call.numbers("requests") if which else call.numbers("request")[:1]
        if which == "some":
            places = call.numbers("indices") if call.number("outcount") > 0 else []
        elif action.startswith("test") and call.number("flag") == 0:
            places = []
        elif which == "any":
            places = [at for at in [call.number("index")] if at >= 0]
        else:
            places = [*range(len(handles))]
        if (wrong := next((at for at in places if not 0 <= at < len(handles)), None)) is not None:
            raise call.error(f"ends request {wrong} of {len(handles)}")
        statuses = call.statuses("statuses" if which in ("all", "some") else "status")
        if which in ("all", "some") and statuses and len(statuses) != len(places):
            raise call.error(f"has {len(statuses)} statuses of {len(places)} requests")
        ended = []
        for at, place in enumerate(places):
            request = self.requests.get(handles[place])
            if request is None or request.row == NONE:
                continue  # of a file, to nobody, or ended before
            if self._amend(call, request.row, request.comm, statuses[at : at + 1]):
                ended.append(request.number)
            else:
                self.builder.leave_out(request.row)
            self.builder.release([request.number])
            request.row = NONE
            if request.starts is None:
                del self.requests[handles[place]]
        self._wait(call, ended)

    def _wait(self, call: Call, requests: list[int]) -> None:
        if requests:
            self._add(OpKind.WAIT, call, list=requests)
        else:
            self._spend(call)

    def probe(self, call: Call, action: str) -> None:
        """A probe that found a message, or a poll that did not."""
        comm = self._comm(call)
        is_found = action == "probe" or call.number("flag") != 0
        place = call.number("source")
        if not is_found or comm == UNKNOWN or place < ANY or _is_from_nobody(call):
            self._spend(call)
            return
        peer = self._member(call, comm, place) if place >= 0 else ANY
        self._add(OpKind.PROBE, call, peer=peer, tag=max(call.number("tag"), ANY), comm=comm)
        self._amend(call, len(self.builder) - 1, comm, call.statuses("status"))

    def release(self, call: Call, action: str) -> None:
        """A request that nobody waits for any more; what it does goes on."""
        self.requests.pop(call.number("request"), None)
        self._spend(call)

    def collective(self, call: Call, action: str) -> None:
        comm = self._comm(call)
        if comm == UNKNOWN:
            self._time(call)
            return
        kind = OpKind[action.upper().replace("TOALLW", "TOALLV")]
        root = self._member(call, comm, max(call.number("root"), 0)) if kind in ROOTED else ANY
        columns: dict[str, object] = {"comm": comm, "peer": root}
        if action in _COUNTED:
            sides = _COUNTED[action]
            columns["bytes"] = self._sizes(call, *(sides[::-1] if root == self.rank else sides))[0]
        elif action in _BESIDE_ROOT and root != self.rank:
            columns["bytes"] = self._sizes(call, _BESIDE_ROOT[action])[0]
        elif action in _LISTED:
            members = self.all.members[comm]
            sizes = self._sizes(call, *_LISTED[action], each=len(members))
            columns |= {"list": sizes, "bytes": sizes[members.index(self.rank)]}
        self._add(kind, call, **columns)

    def one_sided(self, call: Call, action: str) -> None:
        """A call that moves data and is not modelled."""
        is_to_nobody = call.number("targetrank") < 0
        self._time(call, 0 if is_to_nobody else self._sizes(call, ("origincount", "origintype"))[0])


def _is_from_nobody(call: Call) -> bool:
    """Whether a receive that blocks was from MPI_PROC_NULL, which MPICH has as -1."""
    statuses = call.statuses("status")
    return bool(statuses) and statuses[0].source < 0 and call.number("source") == ANY


_TAKERS: dict[str, Callable[[Rank, Call, str], None]] = {
    **dict.fromkeys(("send", "bsend", "rsend", "ssend", "recv"), Rank.blocking),
    **dict.fromkeys(("isend", "ibsend", "irsend", "issend", "irecv"), Rank.nonblocking),
    **dict.fromkeys(("sendrecv", "sendrecv_replace"), Rank.pair),
    **dict.fromkeys(("send_init", "bsend_init", "rsend_init", "ssend_init", "recv_init"),
                    Rank.persistent),
    **dict.fromkeys(("start", "startall"), Rank.start),
    **{f"{form}{which}": Rank.complete
       for form in ("wait", "test") for which in ("", "any", "all", "some")},
    **dict.fromkeys(("probe", "iprobe"), Rank.probe),
    "request_free": Rank.release,
    **dict.fromkeys(("barrier", *_COUNTED, *_LISTED), Rank.collective),
    **dict.fromkeys(("put", "get", "accumulate"), Rank.one_sided),
}  # fmt: skip
