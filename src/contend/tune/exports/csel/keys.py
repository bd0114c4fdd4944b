"""Keys of MPICH's selection trees (CSEL): what each asks of a call, and where it may stand.

Source: src/mpi/coll/src/csel.c of MPICH 4.0 to 5.0. A tree is nested objects of JSON; a key is a
question, the first of a level that is answered with yes is followed, and "algorithm=NAME" ends
the path. Blanks in keys are left out. Numbers are read with atoi: what follows the digits is
dropped, and what no int holds is another number.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

MOST = 2**31 - 1  # the largest number that a key can hold
YES_NO = ("yes", "no")
LEAVES = ("algorithm", "composition")
_SPLIT = re.compile(r"([A-Za-z_]+)(<=|<|=)(.*)", re.DOTALL)
_DIGITS = re.compile(r"\d+")

_REDUCING = ("reduce", "allreduce", "reduce_scatter", "reduce_scatter_block")
_AVERAGE = ("bcast", "reduce", "allreduce", "alltoall")
_TOTAL = (*_AVERAGE, "alltoallv", "alltoallw", "allgather", "allgatherv", "gather", "scatter",
          "reduce_scatter", "reduce_scatter_block")  # fmt: skip
_COUNT = ("bcast", "allgather", "allgatherv", *_REDUCING)
_BOTH = (*_TOTAL, "gatherv", "scatterv", "barrier", "scan", "exscan", "neighbor_allgather",
         "neighbor_allgatherv", "neighbor_alltoall", "neighbor_alltoallv",
         "neighbor_alltoallw")  # fmt: skip
COLLECTIVES = tuple(prefix + name for name in _BOTH for prefix in ("", "i"))
# Those that exist between two groups too, and need a branch for them.
BETWEEN_GROUPS = tuple(
    prefix + name
    for name in (*_TOTAL, "barrier")
    for prefix in ("", "i")
)  # fmt: skip


def _with_nonblocking(names: tuple[str, ...]) -> frozenset[str]:
    return frozenset(names) | {f"i{name}" for name in names}


@dataclass(frozen=True)
class Question:
    """What a key asks: relations to a number, and words that it may be equal to."""

    words: tuple[str, ...] = ()
    relations: tuple[str, ...] = ()
    of: frozenset[str] | None = None  # collectives that it exists for; None: all
    is_of_call: bool = False  # answered at each call, else once for a communicator


_SIZES = ("<=", "<")
QUESTIONS = {
    "comm_type": Question(("intra", "inter")),
    "comm_size": Question(("pow2", "node_comm_size"), _SIZES),
    "comm_hierarchy": Question(("parent", "node_roots", "node", "flat")),
    "comm_avg_ppn": Question((), _SIZES),
    "is_node_consecutive": Question(YES_NO),
    "is_multi_threaded": Question(YES_NO, is_of_call=True),
    "avg_msg_size": Question((), _SIZES, _with_nonblocking(_AVERAGE), True),
    "total_msg_size": Question((), _SIZES, _with_nonblocking(_TOTAL), True),
    "count": Question((), ("<=",), _with_nonblocking(_COUNT) - {"ibcast"}, True),
    "is_commutative": Question(YES_NO, (), _with_nonblocking(_REDUCING), True),
    "is_op_built_in": Question(YES_NO, (), _with_nonblocking(("reduce", "allreduce")), True),
    "is_sendbuf_inplace": Question(
        YES_NO, (), _with_nonblocking(("alltoall", "alltoallv", "alltoallw")), True
    ),
    "is_block_regular": Question(YES_NO, (), _with_nonblocking(("reduce_scatter",)), True),
}


@dataclass(frozen=True)
class Key:
    """A key in its parts; `relation` is "" where it has none."""

    name: str
    relation: str
    value: str

    @property
    def is_leaf(self) -> bool:
        """Whether it names what runs."""
        return self.relation == "=" and self.name in LEAVES

    @property
    def is_any(self) -> bool:
        return self.relation == "=" and self.value == "any"

    @property
    def bound(self) -> int | None:
        """The largest number that it is true of, read as the library does; None for words.

        >>> key_of("comm_size<8").bound, key_of("avg_msg_size<=64").bound
        (7, 64)
        """
        digits = _DIGITS.match(self.value)
        if self.relation not in _SIZES or digits is None:
            return None
        return int(digits[0][:20]) - (self.relation == "<")

    @property
    def is_of_call(self) -> bool:
        question = QUESTIONS.get(self.name)
        return question is not None and question.is_of_call


@lru_cache(maxsize=4096)
def key_of(text: str) -> Key:
    """The parts of a key.

    >>> key_of("comm_size <= 8")
    Key(name='comm_size', relation='<=', value='8')
    """
    bare = re.sub(r"\s", "", text)
    match = _SPLIT.fullmatch(bare)
    return Key(match[1], match[2], match[3]) if match else Key(bare, "", "")


def wrong_with(key: Key) -> str:
    """What the library cannot read in a question; empty where it can."""
    question = QUESTIONS.get(key.name)
    if question is None:
        return f"{key.name} is no question of the library"
    if key.is_any or (key.relation == "=" and key.value in question.words):
        return ""
    if key.name == "count" and (key.relation, key.value) == ("<", "pow2"):
        return ""
    if key.relation not in question.relations:
        return f"{key.name}{key.relation}{key.value} asks nothing that the library knows"
    if not key.value.isdecimal() or not key.value.isascii():
        read = key.bound
        return f"{key.value!r} is no number of digits, and is read as {read or 0}"
    return f"{key.value} is above {MOST}" if int(key.value[:20]) > MOST else ""
