"""A file of rules of which some lead to the end of a program, which shows which of them decide."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping
from typing import ClassVar

from contend.schedules.libraries import Version


class Poison(ABC):
    """How the rules of a format are poisoned, so that a call that is made by them ends its program.

    `strict` are variables by which the library also ends a call that its rule's algorithm cannot
    serve, in the place of running another; empty where it has none.
    """

    strict: ClassVar[Mapping[str, str]] = {}

    @abstractmethod
    def leaves(self, text: str, operation: str, version: Version) -> tuple[str, ...]:
        """The library's names of the algorithms that a text has for an operation."""

    @abstractmethod
    def poisoned(
        self, text: str, operation: str, algorithms: Collection[str], n: int, m: int
    ) -> str:
        """The text with the rules of some algorithms poisoned, for calls of n ranks with m bytes.

        Calls of other sizes are spared where the format can say so, as those that the library
        makes when it starts.
        """
