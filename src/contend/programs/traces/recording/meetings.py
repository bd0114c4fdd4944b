"""What ranks exchange to make a communicator: collective operations of its parent, by MPI library.

Source: Open MPI 4.1.4, ompi/communicator/comm_cid.c: the largest free identifier, whether all can
take it, and whether all are ready, each an all-reduce that libnbc runs as a reduction and a
broadcast (nbc_iallreduce.c). MPICH 5.0.2, src/mpi/comm/contextid.c: one all-reduce of the mask of
free identifiers. A split begins with an all-gather of colours and keys in both.
Idea: a binomial reduction and broadcast of one number have the rounds of two barriers.
Restrictions: what graphs exchange of their neighbours is left out; with other libraries ranks meet.
"""

from contend.programs.traces.kinds import OpKind

Step = tuple[OpKind, int]  # and bytes
_MEETING = ((OpKind.BARRIER, 0),)
_IDENTIFIER = {"Open MPI": 6 * _MEETING, "MPICH": ((OpKind.ALLREDUCE, 260),)}
_COLOURS = ((OpKind.ALLGATHER, 8),)
_SPLITS = ("Comm_split", "Comm_split_type", "Cart_sub")
CALLS = (
    "Comm_dup", "Comm_dup_with_info", "Comm_create", *_SPLITS, "Cart_create", "Graph_create",
    "Dist_graph_create", "Dist_graph_create_adjacent",
)  # fmt: skip


def steps(call: str, library: str) -> tuple[Step, ...]:
    """Return the operations of a call of `CALLS`, in order; `library` as it names itself.

    >>> [(kind.name, size) for kind, size in steps("Comm_split", "MPICH Version: 5.0.2")]
    [('ALLGATHER', 8), ('ALLREDUCE', 260)]
    """
    identifier = next(
        (sent for name, sent in _IDENTIFIER.items() if library.startswith(name)), None
    )
    if identifier is None:
        return _MEETING
    return (_COLOURS if call in _SPLITS else ()) + identifier
