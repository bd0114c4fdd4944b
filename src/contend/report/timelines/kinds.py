"""What a rank does at a time, with the colour and the hatch that it has everywhere."""

from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from contend.programs.traces.kinds import COMPUTE, ROOTED, OpKind
from contend.programs.traces.trace import Trace
from contend.report.canvas.palette import BOUND, MEASURED, PREDICTED, SERIES, THIRD


class Activity(IntEnum):
    """What a rank does; a waiting rank is in a call whose other side has not begun."""

    NOTHING = 0  # before its first call and after its last one
    COMPUTATION = 1
    SEND = 2
    RECEIVE = 3
    WAIT = 4  # waits, tests and probes, apart from the waiting in them
    COLLECTIVE = 5
    ROOTED = 6
    OTHER = 7  # calls that are not modelled, as of files
    WAITING = 8

    @property
    def title(self) -> str:
        return LOOKS[self][0]

    @property
    def colour(self) -> str:
        return LOOKS[self][1]

    @property
    def hatch(self) -> str:
        """In the letters of matplotlib; what tells it apart in grey."""
        return LOOKS[self][2]


LOOKS = {  # title, colour and hatch
    Activity.NOTHING: ("nothing", "none", ""),
    Activity.COMPUTATION: ("computation", BOUND, ""),
    Activity.SEND: ("send", PREDICTED, "|||"),
    Activity.RECEIVE: ("receive", SERIES[7], "---"),
    Activity.WAIT: ("wait or test", SERIES[3], "."),
    Activity.COLLECTIVE: ("collective of all", THIRD, "\\\\\\"),
    Activity.ROOTED: ("collective with a root", SERIES[4], "xxx"),
    Activity.OTHER: ("other call", SERIES[5], "o"),
    Activity.WAITING: ("waiting for a rank that is late", MEASURED, "///"),
}


def activities(trace: Trace) -> NDArray[np.int8]:
    table = np.full(max(OpKind) + 1, Activity.OTHER, dtype=np.int8)
    table[[OpKind.SEND, OpKind.SYNC_SEND]] = Activity.SEND
    table[OpKind.RECEIVE] = Activity.RECEIVE
    table[[OpKind.WAIT, OpKind.PROBE]] = Activity.WAIT
    table[[kind for kind in OpKind if kind.is_collective]] = Activity.COLLECTIVE
    table[list(ROOTED)] = Activity.ROOTED
    codes: NDArray[np.int8] = table[trace.kind]
    names = [number for number, name in enumerate(trace.calls) if name == COMPUTE]
    codes[(trace.kind == OpKind.TIME) & np.isin(trace.call, names)] = Activity.COMPUTATION
    # What is not modelled has a name that tells: tests that find nothing are no other call.
    polls = [number for number, name in enumerate(trace.calls) if _is_poll(name)]
    codes[(trace.kind == OpKind.TIME) & np.isin(trace.call, polls)] = Activity.WAIT
    return codes


def _is_poll(name: str) -> bool:
    word = name.lower().removeprefix("mpi_")
    return word.startswith(("test", "iprobe", "improbe", "wait"))
