"""What each call of a DUMPI trace does.

Waits name the requests that they end; those that DUMPI does not know (files, MPI-3) are passed
over. Calls that are no messages take their time.
"""

from collections.abc import Callable

from contend.traces.builder import RankBuilder
from contend.traces.dumpi.communicators import MEETINGS, UNKNOWN, Communicators
from contend.traces.dumpi.operations import Operations, Request
from contend.traces.dumpi.text import Call, RankText, Status, WrongCallError
from contend.traces.kinds import ANY, NONE, ROOTED, OpKind

_INIT = ("MPI_Init", "MPI_Init_thread")
# Names of count and datatype, the first that a call has; in place it may lack those of one side.
_SENT, _RECEIVED = ("sendcount", "sendtype"), ("recvcount", "recvtype")
_SENT_EACH, _RECEIVED_EACH = ("sendcounts", "sendtype"), ("recvcounts", "recvtype")
_COUNTED = {  # collectives with one count; a root looks at the other side first
    **dict.fromkeys(("bcast", "reduce", "allreduce", "scan", "exscan"), (("count", "datatype"),)),
    "gather": (_SENT, _RECEIVED),
    "scatter": (_RECEIVED, _SENT),
    "allgather": (_RECEIVED, _SENT),
    "alltoall": (_RECEIVED, _SENT),
}
_LISTED = {
    "gatherv": (_RECEIVED_EACH,),
    "scatterv": (_SENT_EACH,),
    "allgatherv": (_RECEIVED_EACH,),
    "alltoallv": (_SENT_EACH, _RECEIVED_EACH),
    "alltoallw": (("sendcounts", "sendtypes"), ("recvcounts", "recvtypes")),
    "reduce_scatter": (("recvcounts", "datatype"),),
}
_BESIDE_ROOT = {"gatherv": _SENT, "scatterv": _RECEIVED}  # what other ranks have in place of counts


def write_rank(text: RankText, rank: int, comms: Communicators, to: RankBuilder) -> Operations:
    """Write the calls of a rank, from MPI_Init to MPI_Finalize.

    Raises
    ------
    FileFormatError
        For a call that cannot be right, with its line.
    """
    me = Operations(text, rank, comms, to)
    begin = next((at for at, call in enumerate(text.calls) if call.name in _INIT), 0)
    for at, call in enumerate(text.calls):
        try:
            me.datatypes.take(call)
            if at >= begin:
                _take(me, call)
        except WrongCallError as error:
            raise text.wrong(call, error) from None
        if call.name == "MPI_Finalize":
            break
    for request in me.requests.values():
        if request.row != NONE and to.columns["peer"][request.row] == ANY:
            me.leave_out(request)  # a receive from anywhere that never ended
    return me


def _take(me: Operations, call: Call) -> None:
    me.pass_time(call)
    action = call.name.removeprefix("MPI_").lower()
    if call.name in MEETINGS:
        me.meeting(call)
        return
    if taker := _TAKERS.get(action):
        taker(me, call, action)
    elif call.name in _INIT or call.name == "MPI_Finalize":
        me.spend(call, 0)
    else:
        me.time(call)
    if "newcomm" in call.values:
        me.renumber(call)


def _blocking(me: Operations, call: Call, action: str) -> None:
    if _is_from_nobody(call) or not me.message(call, call, action):
        me.spend(call, 0)
    elif action == "recv":
        me.amend(len(me.builder) - 1, me.comm(call), call.statuses("status"))


def _is_from_nobody(call: Call) -> bool:
    """Whether a receive that blocks was from MPI_PROC_NULL, which MPICH has as -1."""
    statuses = call.statuses("status")
    return bool(statuses) and statuses[0].source < 0 and call.number("source") == ANY


def _nonblocking(me: Operations, call: Call, action: str) -> None:
    handle = call.number("request")
    me.requests.pop(handle, None)
    me.begin(handle, call, call, action)


def _pair(me: Operations, call: Call, action: str) -> None:
    """A receive, a send, and a wait for both."""
    halves = []
    for half in ("send",) if _is_from_nobody(call) else ("recv", "send"):
        number = me.number()
        if me.message(call, call, half, number, half):
            halves.append(number)
            me.amend(len(me.builder) - 1, me.comm(call), call.statuses("status"))
        else:
            me.free.append(number)
    if halves:
        me.add(OpKind.WAIT, call, list=halves)
        me.free += halves
    else:
        me.spend(call, 0)


def _persistent(me: Operations, call: Call, action: str) -> None:
    me.requests[call.number("request")] = Request(starts=call)
    me.spend(call, 0)


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
        me.spend(call, 0)


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
    comm = me.comm(call)
    is_found = action == "probe" or call.number("flag") != 0
    place = call.number("source")
    if not is_found or comm == UNKNOWN or place < ANY or _is_from_nobody(call):
        me.spend(call, 0)
        return
    peer = me.member(comm, place) if place >= 0 else ANY
    me.add(OpKind.PROBE, call, peer=peer, tag=max(call.number("tag"), ANY), comm=comm)
    me.amend(len(me.builder) - 1, comm, call.statuses("status"))


def _release(me: Operations, call: Call, action: str) -> None:
    """A request that nobody waits for any more; what it does goes on."""
    me.requests.pop(call.number("request"), None)
    me.spend(call, 0)


def _collective(me: Operations, call: Call, action: str) -> None:
    comm = me.comm(call)
    if comm == UNKNOWN:
        me.time(call)
        return
    kind = OpKind[action.upper().replace("TOALLW", "TOALLV")]
    root = me.member(comm, max(call.number("root"), 0)) if kind in ROOTED else ANY
    columns: dict[str, object] = {"comm": comm, "peer": root}
    if action in _COUNTED:
        sides = _COUNTED[action]
        columns["bytes"] = me.sizes(call, *(sides[::-1] if root == me.rank else sides))[0]
    elif action in _BESIDE_ROOT and root != me.rank:
        columns["bytes"] = me.sizes(call, _BESIDE_ROOT[action])[0]
    elif action in _LISTED:
        sizes = me.sizes(call, *_LISTED[action], each=len(me.all.members[comm]))
        own = sizes[me.all.members[comm].index(me.rank)]
        columns |= {"list": sizes, "bytes": own}
    me.add(kind, call, **columns)


def _one_sided(me: Operations, call: Call, action: str) -> None:
    is_to_nobody = call.number("targetrank") < 0
    me.time(call, 0 if is_to_nobody else me.sizes(call, ("origincount", "origintype"))[0])


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
    **dict.fromkeys(("put", "get", "accumulate"), _one_sided),
}  # fmt: skip
