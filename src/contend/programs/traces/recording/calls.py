"""What the calls of MPI do in a trace; those that are not named here take their time."""

from contend.programs.traces.kinds import OpKind
from contend.programs.traces.recording import meetings


def _both(names: str, kind: OpKind) -> dict[str, OpKind]:
    """Calls and their forms that do not block."""
    each = names.split()
    return {name: kind for call in each for name in (call, f"I{call[0].lower()}{call[1:]}")}


SENDS = _both("Send Bsend Rsend", OpKind.SEND) | _both("Ssend", OpKind.SYNC_SEND)
RECEIVES = _both("Recv Mrecv", OpKind.RECEIVE)
PROBES = dict.fromkeys(("Probe", "Iprobe", "Mprobe", "Improbe"), OpKind.PROBE)
WAITS = {
    f"{form}{which}": OpKind.WAIT
    for form in ("Wait", "Test")
    for which in ("", "any", "all", "some")
}
PAIRS = ("Sendrecv", "Sendrecv_replace")  # a receive and a send at once, and a wait for both
COLLECTIVES = {
    name: kind
    for kind in OpKind
    if kind.is_collective
    for name in _both(kind.name.capitalize(), kind)
}
COLLECTIVES |= _both("Alltoallw", OpKind.ALLTOALLV)
COLLECTIVES |= _both("Reduce_scatter_block", OpKind.REDUCE_SCATTER)
# What the program does not do itself, or what a replay begins after or ends before.
UNTIMED = ("Init", "Finalize")
# Their words are completions: request, source, tag, bytes of each.
WORDS_OF_END = 4
# Those of a sendrecv are its other half: source, tag, bytes.
WORDS_OF_HALF = 3

KINDS: dict[str, OpKind] = {
    **SENDS,
    **RECEIVES,
    **PROBES,
    **WAITS,
    **COLLECTIVES,
    **dict.fromkeys(meetings.CALLS, OpKind.BARRIER),  # all ranks of the parent meet
}
