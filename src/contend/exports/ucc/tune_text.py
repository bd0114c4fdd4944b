"""The value of UCC_TL_UCP_TUNE: entries, each with what it is for and the algorithm it names.

Source: ucc_coll_score_parse_str of src/coll_score/ucc_coll_score.c. Entries are separated by '#',
their fields by ':' in any order: collectives, memory types, a score (a number or "inf"), sizes
start-end, numbers of processes in brackets, and @algorithm. A field that is none of these makes
UCC ignore the variable as a whole. Sizes have units (k is 1024) and "inf". The end of a range is
within it where the score is above that of what follows, as "inf" is, and else not
(`ucc_coll_score_build_map`); an end equal to the start is an error.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

COLLECTIVES = ("allgather", "allgatherv", "allreduce", "alltoall", "alltoallv", "barrier", "bcast",
               "fanin", "fanout", "gather", "gatherv", "reduce", "reduce_scatter",
               "reduce_scatterv", "scatter", "scatterv")  # fmt: skip
MEMORY = ("host", "cuda", "cuda_managed", "rocm", "rocm_managed")
MOST_PROCESSES = 2**31 - 1
END = 2**64 - 1  # "inf"
_UNITS = {"": 1, "b": 1, "k": 1024, "kb": 1024, "m": 1024**2, "mb": 1024**2, "g": 1024**3,
          "gb": 1024**3, "t": 1024**4, "tb": 1024**4}  # fmt: skip
_SIZE = re.compile(r"(\d{1,19})([a-z]{0,2})")


@dataclass
class Entry:
    """An entry of the value; what it leaves out holds for all."""

    text: str
    collectives: tuple[str, ...] = ()
    memory: tuple[str, ...] = ()
    score: str = ""
    sizes: tuple[tuple[int, int], ...] = ()
    processes: tuple[tuple[int, int], ...] = ()
    algorithm: str = ""
    unread: list[str] = field(default_factory=list)

    @property
    def has_last(self) -> bool:
        """Whether the ends of its sizes are within them."""
        return self.score.lower() == "inf"


def entries(value: str) -> Iterator[Entry]:
    """The entries of a value, in order.

    >>> [one.sizes for one in entries("alltoall:0-4k:host:[2-64]:inf:@bruck")]
    [((0, 4096),)]
    """
    for text in (part for part in value.split("#") if part):
        entry = Entry(text)
        for token in (part for part in text.split(":") if part):
            if not _take(entry, token):
                entry.unread.append(token)
        yield entry


def _take(entry: Entry, token: str) -> bool:
    """Put a field where it belongs; false for one that is none, or there already."""
    words = tuple(token.lower().split(","))
    if not entry.collectives and all(word in COLLECTIVES for word in words):
        entry.collectives = words
    elif not entry.memory and all(word in MEMORY for word in words):
        entry.memory = words
    elif not entry.score and (token.isdecimal() or token.lower() == "inf"):
        entry.score = token
    elif not entry.sizes and (sizes := _ranges(token, _bytes)):
        entry.sizes = sizes
    elif not entry.processes and token[0] == "[" and token[-1] == "]":
        entry.processes = _ranges(token[1:-1], _count, is_single=True)
        return bool(entry.processes)
    elif not entry.algorithm and token[0] == "@" and len(token) > 1:
        entry.algorithm = token[1:]
    else:
        return False
    return True


def _ranges(
    token: str, number: Callable[[str], int | None], is_single: bool = False
) -> tuple[tuple[int, int], ...]:
    """The ranges of a list; empty where one is none."""
    found = []
    for part in token.split(","):
        ends = [number(end) for end in part.split("-")]
        if is_single and len(ends) == 1:
            ends *= 2
        known = [end for end in ends if end is not None]
        if len(ends) != 2 or len(known) != 2:
            return ()
        found.append((known[0], known[1]))
    return tuple(found)


def _bytes(text: str) -> int | None:
    if text.lower() == "inf":
        return END
    match = _SIZE.fullmatch(text.lower())
    if match is None or match[2] not in _UNITS:
        return None
    return int(match[1]) * _UNITS[match[2]]


def _count(text: str) -> int | None:
    if text.lower() == "inf":
        return MOST_PROCESSES
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else None
