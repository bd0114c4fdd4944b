"""What a kind of topology is: a member of topology files, which a word may name as well."""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Annotated, ClassVar

from pydantic import BeforeValidator, Field

from contend.base.document import Record
from contend.base.errors import ContendError, InvalidInputError
from contend.base.registry import Registry
from contend.base.units import parse_bytes, parse_rate, parse_seconds
from contend.simulate.topologies.topology import Topology


class Member(Record, ABC):
    """The member of a topology file that describes one kind."""

    @abstractmethod
    def topology(self) -> Topology:
        """Build the network that the member describes."""


class TopologyKind(ABC):
    """Base of the kinds; a module in `topologies/kinds` that defines a subclass is one."""

    name: ClassVar[str]  # of its member in a topology file
    member: ClassVar[type[Member]]


class NamedByWord(TopologyKind):
    """Base of those that a word names as well."""

    syntax: ClassVar[str]  # how the word is written; all up to a colon tells it from others

    @abstractmethod
    def of_word(self, word: str, bandwidth: float | None) -> Topology | None:
        """Return the topology of a word; None for one switch of the hosts that occur.

        Parameters
        ----------
        bandwidth
            Bytes per second of the links of hosts, if it is known.
        """

    def is_meant(self, word: str) -> bool:
        """Whether a word is one of this kind, perhaps a wrong one."""
        return word.split(":", maxsplit=1)[0] == self.syntax.split(":")[0]


class NamedByNumbers(NamedByWord):
    """Base of those whose word has numbers in a pattern, and links of one bandwidth."""

    pattern: ClassVar[re.Pattern[str]]
    examples: ClassVar[str]

    def of_word(self, word: str, bandwidth: float | None) -> Topology:
        """Return the topology of a word, or raise an error that shows how it is written."""
        match = self.pattern.fullmatch(word)
        if match is None:
            name = self.syntax.split(":")[0].replace("-", " ")
            raise InvalidInputError(f"{word!r} is no {name}", f"write {self.examples}")
        if bandwidth is None:
            raise InvalidInputError(f"{word!r} has no bandwidth", "give --bandwidth")
        return self.of_match(match, bandwidth)

    @abstractmethod
    def of_match(self, match: re.Match[str], bandwidth: float) -> Topology:
        """Return the topology of a word that fits the pattern."""


KINDS: Registry[TopologyKind] = Registry(
    "topology", TopologyKind, "contend.simulate.topologies.kinds", group="contend.topologies.kinds"
)


def _or_text(parse: Callable[[str], float]) -> BeforeValidator:
    """Take a text as well as the number that it says."""

    def parsed(value: object) -> object:
        try:
            return parse(value) if isinstance(value, str) else value
        except ContendError as error:
            raise ValueError(str(error)) from None

    return BeforeValidator(parsed, json_schema_input_type=float | str)


Name = Annotated[str, Field(min_length=1)]
Bandwidth = Annotated[
    float,
    _or_text(lambda text: parse_rate(text) / 8),
    Field(gt=0, description="bytes per second, or a text such as 10Gbit/s"),
]
Buffer = Annotated[
    float, _or_text(parse_bytes), Field(gt=0, description="bytes, or a text such as 128KiB")
]
Latency = Annotated[
    float, _or_text(parse_seconds), Field(ge=0, description="seconds, or a text such as 1.5us")
]
