"""The value of I_MPI_ADJUST_<OPERATION>: presets, each with the sizes and processes it is for.

Grammar: preset[:condition[,condition...]][;preset:...], where a condition is size[-size]
[@processes[-processes]], both ends within. No condition: all calls.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

MOST = 2**31 - 1  # the largest number of an int
_CLAUSE = re.compile(r"\s*(\d{1,9})\s*(?::(.*))?", re.DOTALL)
_CONDITION = re.compile(
    r"\s*(\d{1,19})\s*(?:-\s*(\d{1,19})\s*)?(?:@\s*(\d{1,19})\s*(?:-\s*(\d{1,19})\s*)?)?"
)


@dataclass(frozen=True)
class Condition:
    """Sizes and processes, both ends within."""

    size: int
    size_last: int
    n: int
    n_last: int
    text: str = ""

    def meets(self, other: "Condition") -> bool:
        """Whether there is a call that both are for."""
        return (
            max(self.size, other.size) <= min(self.size_last, other.size_last)
            and max(self.n, other.n) <= min(self.n_last, other.n_last)
        )  # fmt: skip


@dataclass(frozen=True)
class Clause:
    """A preset and what it is for; `unread` holds what is neither a preset nor a condition."""

    preset: int
    conditions: tuple[Condition, ...]
    unread: tuple[str, ...] = ()


ALL = Condition(0, MOST, 1, MOST, "all")


def clauses(value: str) -> Iterator[Clause]:
    """The presets of a value, in order.

    >>> [(one.preset, one.conditions[0].size_last) for one in clauses("1:0-256@2-8;3:257-512")]
    [(1, 256), (3, 512)]
    """
    for text in value.split(";"):
        match = _CLAUSE.fullmatch(text)
        if match is None:
            yield Clause(0, (), (text.strip(),))
            continue
        if not (match[2] or "").strip():
            yield Clause(int(match[1]), (ALL,))
            continue
        parts = [(part, _CONDITION.fullmatch(part)) for part in match[2].split(",")]
        read = tuple(_condition(found, part) for part, found in parts if found)
        yield Clause(int(match[1]), read, tuple(part.strip() for part, found in parts if not found))


def _condition(match: re.Match[str], text: str) -> Condition:
    size, n = int(match[1]), int(match[3] or 1)
    size_last = int(match[2]) if match[2] else size
    n_last = int(match[4]) if match[4] else n if match[3] else MOST
    return Condition(size, size_last, n, n_last, text.strip())
