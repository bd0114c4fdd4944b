"""What is known of the links of a level, as a network file holds it."""

from pydantic import Field, model_validator

from contend.base.document import Quantity, Record, require_numbers
from contend.samples.origin import Origin
from contend.samples.warnings import QualityWarning
from contend.schedules.pointtopoint import PLogP

OF_NODES = "node"  # the level whose groups are the processes of a node each


class GroupSize(Record):
    """A group of the level, as it was measured."""

    name: str = Field(min_length=1)
    hosts: int = Field(ge=1)
    ranks: int = Field(ge=1)
    outer: str | None = Field(
        None, description="group of the level above that it is in; absent: an outermost level"
    )


class Way(Record):
    """The link from one group to another, which all their messages share."""

    source: str
    destination: str
    latency: Quantity = Field(description="one way of a short message, one pair alone")
    bandwidth: Quantity = Field(description="of messages of all ranks together")
    is_saturated: bool = Field(description="whether the link was slower than all senders together")
    clean_bytes: int = Field(ge=1, description="largest burst, begun at once, that lost nothing")
    lossy_bytes: int | None = Field(None, ge=1, description="smallest that did; absent: none did")
    buffer: Quantity | None = Field(
        None, description="bytes that the link holds; absent: nothing was lost"
    )
    timeout: Quantity | None = Field(None, description="what a loss costs; absent likewise")
    points: int = Field(ge=1, description="bursts of one size and launch")

    @model_validator(mode="after")
    def _is_a_link(self) -> "Way":
        require_numbers(
            latency=self.latency, bandwidth=self.bandwidth, buffer=self.buffer, timeout=self.timeout
        )
        if min(float(self.latency), float(self.bandwidth)) <= 0:
            raise ValueError("a link has a latency and a bandwidth above 0")
        if self.lossy_bytes is not None and self.lossy_bytes <= self.clean_bytes:
            raise ValueError("bursts that lose are larger than those that do not")
        return self

    @property
    def title(self) -> str:
        return f"{self.source} > {self.destination}"


class LevelLinks(Record):
    """Links of a level: of the slowest way between two groups, and of all ways.

    `inside` and `between` are parameters of messages of one pair of ranks, alone.
    """

    name: str = Field(min_length=1, description="of the level")
    groups: tuple[GroupSize, ...] = Field(min_length=2)
    latency: Quantity = Field(description="of the slowest way, and so are all of the link")
    bandwidth: Quantity
    buffer: Quantity | None = Field(
        None, description="the least; absent: nothing was lost up to clean_bytes"
    )
    clean_bytes: int = Field(ge=1, description="the least, over the ways")
    timeout: Quantity | None = None
    inside_latency: Quantity | None = Field(None, description="absent: groups of one host each")
    inside_bandwidth: Quantity | None = Field(
        None, description="of one pair; absent likewise, and where trains show no gap"
    )
    inside: PLogP | None = None
    between: PLogP
    ways: tuple[Way, ...] = Field(min_length=1)
    m_seen: tuple[int, ...] = Field(description="bytes of single messages")
    volumes_seen: tuple[int, int] = Field(description="bytes of the smallest and largest burst")
    launches: int = Field(ge=1)
    points: int = Field(ge=1, description="samples behind it")
    warnings: tuple[QualityWarning, ...] = ()
    origin: Origin

    @model_validator(mode="after")
    def _is_of_numbers(self) -> "LevelLinks":
        named = ("latency", "bandwidth", "buffer", "timeout", "inside_latency", "inside_bandwidth")
        require_numbers(**{name: getattr(self, name) for name in named})
        names = {group.name for group in self.groups}
        for way in self.ways:
            if unknown := {way.source, way.destination} - names:
                raise ValueError(f"a way of a group {min(unknown)!r} that is none of the level's")
        return self

    @property
    def title(self) -> str:
        """Title of this part of a network file."""
        return f"links ({self.name})"
