"""What a suspected cause is, and the kinds of them, one file each."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from contend.explanation.case import Case
from contend.registry import Registry


@dataclass(frozen=True)
class Try:
    """A command, and what it would tell or change."""

    command: str
    why: str


@dataclass(frozen=True)
class Suspicion:
    """A cause that the times speak for: where, by how much, in words, and what to try.

    `factor` is how many times longer than without it, at worst; None where that is not known.
    """

    cause: str
    sizes: tuple[int, int]
    sentence: str
    factor: float | None = None
    tries: tuple[Try, ...] = ()


class Cause(ABC):
    """Base of the causes; a module in `explanation/causes` that defines a subclass is one."""

    name: ClassVar[str]
    order: ClassVar[int]

    @abstractmethod
    def suspicions(self, case: Case, before: Sequence[Suspicion]) -> Iterator[Suspicion]:
        """What the times say of it, if anything; `before` is what others have said."""


CAUSES: Registry[Cause] = Registry("suspected cause", Cause, "contend.explanation.causes")


def suspected(case: Case) -> list[Suspicion]:
    """What all causes say of a case, in the order of these."""
    found: list[Suspicion] = []
    for cause in sorted(CAUSES.all(), key=lambda one: (one.order, one.name)):
        found += list(cause.suspicions(case, tuple(found)))
    return found


def covers(before: Sequence[Suspicion], sizes: tuple[int, int], *names: str) -> bool:
    """Whether one of the causes named was suspected at some of the sizes."""
    return any(
        one.cause in names and one.sizes[0] <= sizes[1] and sizes[0] <= one.sizes[1]
        for one in before
    )
