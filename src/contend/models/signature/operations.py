"""How the time of each operation usually grows with n, before anything of it is measured.

Source: messages and bytes of the algorithms that libraries have: Chan, Heimlich, Purkayastha, van
de Geijn, "Collective communication: theory, practice, and experience", 2007, tables 1 and 2; the
doubts are set by measured series (docs/fitting.md).
Idea: every operation has a row. Start-ups go with log2 n where a library has trees, with n-1 where
each partner has a message of its own; bytes with the blocks that the busiest port carries: n-1 of
them where m counts a block, about as many for every n where m counts the whole message.
Restrictions: doubts are standard deviations of exponents over n-1. m is that of docs/samples.md.
"""

from dataclasses import dataclass, replace

from contend.base.errors import InvalidInputError
from contend.models.signature.prior import Usual
from contend.schedules.collective import COLLECTIVES


@dataclass(frozen=True)
class Growth:
    """What is usual of an operation: of an algorithm that is not known, and of a known one.

    Start-ups and bytes of a known one are counted in its schedule. `shared` is what the power of
    bytes has beside that, as messages that cross a larger machine share more of it; those of known
    ones do where `known_share`. A name that has an algorithm's for a word is a hint, which is
    followed half of the way. What a library chooses may be another algorithm at another n: `choice`
    times the doubts. Sizes of a known one differ by `known_sizes` times as much as others. Where
    `is_to_all` a process gets the blocks of all others, mostly from its neighbours in a ring: n-1
    of them, whatever nodes they are from.
    """

    usual: Usual
    choice: float = 1.5
    known_startups: float = 0.10
    hinted_startups: float = 0.25
    known_bytes: float = 0.09
    known_sizes: float = 1.0
    shared: float = 0.0
    known_share: bool = False
    latency: float = 0.0  # of each message in a chain, in start-ups of one that is sent
    is_to_all: bool = False


_SHARED = 0.14
_EXCHANGE = Growth(
    Usual(), choice=1.0, hinted_startups=0.10, known_sizes=0.6, shared=_SHARED, known_share=True
)
# No library forwards messages of different sizes: each process sends n-1 of its own.
_RAGGED = replace(_EXCHANGE, usual=replace(_EXCHANGE.usual, startups=(1.0, 0.0), doubt=0.5))
_BY_ONE_RANK = Growth(Usual((0.0, 1.0), (0.98, 0.0), 0.25, 0.09, 0.12))
_BY_EVERY_RANK = Growth(
    Usual((0.2, 1.0), (1 + _SHARED, 0.0), 0.35, 0.15, 0.18), shared=_SHARED, is_to_all=True
)
_WHOLE = Growth(Usual((0.0, 1.0), (0.15, 0.0), 0.20, 0.20, 0.12), known_bytes=0.12)
# Of start-ups and latencies alone; of n-1 messages that one rank sends a single latency counts. How
# many start-ups that is hardly counts from four on: of barriers of Open MPI at n left out the 90th
# percentile of errors is 0.280 with none, 0.267 with two, 0.249 with 4, 6.5 and 10.
_BARRIER = Growth(
    Usual((0.0, 1.0), (0.15, 0.0), 0.30, 0.20, 0.12), known_startups=0.20, latency=4.0
)
GROWTH = {
    "alltoall": _EXCHANGE,
    "alltoallv": _RAGGED,
    "allgather": _BY_EVERY_RANK,
    "reduce_scatter": _BY_EVERY_RANK,
    "gather": _BY_ONE_RANK,
    "scatter": _BY_ONE_RANK,
    "bcast": _WHOLE,
    "reduce": _WHOLE,
    "allreduce": _WHOLE,
    "barrier": _BARRIER,
    "alltoallw": _RAGGED,  # and other variants, which have no schedule here
    "allgatherv": _BY_EVERY_RANK,
    "reduce_scatter_block": _BY_EVERY_RANK,
    "gatherv": _BY_ONE_RANK,
    "scatterv": _BY_ONE_RANK,
}
OPERATIONS = tuple(GROWTH)
EXCHANGES = ("alltoall", "alltoallv")  # each process has a message of m bytes for each other one
OF_BLOCKS = (*EXCHANGES, "allgather", "gather", "scatter", "reduce_scatter")  # n-1 of m bytes


def require_exchange(operation: str, subject: str) -> None:
    """Raise an error unless `operation` is an all-to-all, which the `subject` is for.

    Forms of the literature count n-1 messages of m bytes for each process. Of a broadcast or a
    reduction their parameters would mean nothing.
    """
    if operation not in EXCHANGES:
        raise InvalidInputError(
            f"{subject} describes an all-to-all, which {operation} is not", "name an all-to-all"
        )


def require_operation(operation: str) -> None:
    """Raise an error that says what to do instead, unless some form is for `operation`."""
    if operation in OPERATIONS:
        return
    raise InvalidInputError(
        f"no form is for {operation!r}, which is no collective operation that is known",
        f"there is {', '.join(OPERATIONS)}; if it is one of these, import it with --as experiment=",
    )


def is_of_one_message(operation: str) -> bool:
    """Whether m counts a message as a whole, which an algorithm may cut into segments."""
    return operation in COLLECTIVES and COLLECTIVES[operation].size == "bytes in all"
