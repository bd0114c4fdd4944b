"""What an operation of a trace does.

A blocking call and its non-blocking form are the same kind: the latter has a request. What a call
was named in the program is kept beside it (`Trace.calls`), for tables.
"""

from enum import IntEnum

ANY = -1  # source or tag that was not asked for: the first message that fits
ANY_SOURCE, ANY_TAG = 1, 2  # what was left open by a receive whose message is known
NONE = -1  # no request, no list, no line
COMPUTE = "compute"  # the call of a TIME operation that is computation


class OpKind(IntEnum):
    TIME = 0  # takes its seconds and no message: computing, files, what is not modelled
    SEND = 1  # of MPI's standard mode: eager or by rendezvous
    SYNC_SEND = 2  # MPI_Ssend: always by rendezvous
    RECEIVE = 3
    PROBE = 4  # until a message is there, which it does not take
    WAIT = 5  # for all requests of its list; waits of a test, or for some, name those that ended
    BARRIER = 16
    BCAST = 17
    REDUCE = 18
    ALLREDUCE = 19
    GATHER = 20
    GATHERV = 21
    SCATTER = 22
    SCATTERV = 23
    ALLGATHER = 24
    ALLGATHERV = 25
    ALLTOALL = 26
    ALLTOALLV = 27
    REDUCE_SCATTER = 28
    SCAN = 29
    EXSCAN = 30

    @property
    def is_collective(self) -> bool:
        return self >= OpKind.BARRIER


# Collectives that have a root.
ROOTED = frozenset(
    {OpKind.BCAST, OpKind.REDUCE, OpKind.GATHER, OpKind.GATHERV, OpKind.SCATTER, OpKind.SCATTERV}
)
# Collectives whose list says how many bytes belong to each rank of the communicator, in its order:
# sent to it by ALLTOALLV, contributed by or meant for it by the others.
LISTED = frozenset(
    {OpKind.GATHERV, OpKind.SCATTERV, OpKind.ALLGATHERV, OpKind.ALLTOALLV, OpKind.REDUCE_SCATTER}
)
# Those whose bytes are the sum of what their list says.
SUMMED = frozenset({OpKind.ALLTOALLV, OpKind.REDUCE_SCATTER})
