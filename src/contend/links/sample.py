"""One measured point of a link: messages inside a group, or from one group to another.

A ping-pong has the one-way times of one pair alone; a train are messages that follow each other
from one rank to another; a burst are messages of several ranks that begin together. Of the last two
the end of each message is kept, from the common start.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, ClassVar, Literal

import numpy as np
from pydantic import Field, model_validator

from contend.document import Document, Floats
from contend.samples import Provenance
from contend.samples.lab import LabConditions, Seconds
from contend.samples.store import read_records

MOST_RANKS = 2**20
Experiment = Literal["pingpong", "train", "burst"]
Member = Annotated[int, Field(ge=0, lt=MOST_RANKS)]
Edges = tuple[tuple[Member, Member], ...]


class LinkSample(Document):
    """One line of a file of measured links."""

    schema_name: ClassVar[str] = "contend.links"
    schema_version: ClassVar[int] = 1

    level: str = Field(min_length=1)
    experiment: Experiment
    source: str = Field(min_length=1, description="name of the group that sends")
    destination: str = Field(min_length=1, description="that of the group that receives")
    hosts: tuple[str, ...] = Field(min_length=2, max_length=MOST_RANKS, description="of each rank")
    groups: tuple[str, ...] = Field(min_length=2, description="of each rank at this level")
    edges: Edges = Field(min_length=1, description="source and destination rank of each message")
    m: int = Field(ge=0, le=2**31 - 1, description="bytes of a message")
    launch: int = Field(0, ge=0, le=2**31 - 1)
    times_s: tuple[tuple[Seconds, ...], ...] = Field(
        min_length=1, description="one way or end of each message, per repetition"
    )
    lab: LabConditions | None = Field(None, description="of an emulated network, meanwhile")
    provenance: Provenance

    @model_validator(mode="after")
    def _is_a_point(self) -> "LinkSample":
        if len(self.groups) != len(self.hosts):
            raise ValueError(f"groups of {len(self.groups)} ranks, and {len(self.hosts)} ranks")
        for src, dst in self.edges:
            if src == dst or max(src, dst) >= len(self.hosts):
                raise ValueError(f"a message from rank {src} to rank {dst}")
            if (self.groups[src], self.groups[dst]) != (self.source, self.destination):
                raise ValueError(f"a message that does not go {self.source} > {self.destination}")
        if any(len(row) != len(self.edges) for row in self.times_s):
            raise ValueError("each repetition needs a time for each message")
        if not all(time > 0 for row in self.times_s for time in row):
            raise ValueError("a message took 0 s, which none can")
        return self

    @property
    def point(self) -> tuple[str, str, str, str, int, int, int]:
        """What tells this sample from the others of a file."""
        return (
            self.level, self.experiment, self.source, self.destination, len(self.edges), self.m,
            self.launch,
        )  # fmt: skip

    def moved(self, groups: Sequence[str]) -> tuple[str, str, str] | None:
        """The first host that is in another of these groups of ranks: it, its group, that one."""
        for host, own, other in zip(self.hosts, self.groups, groups, strict=True):
            if own != other:
                return host, own, other
        return None

    @property
    def is_inside(self) -> bool:
        """Whether no message leaves the group."""
        return self.source == self.destination

    @property
    def times(self) -> Floats:
        """Times of the messages, shape (repetitions, messages), seconds."""
        return np.array(self.times_s, dtype=np.float64)

    @property
    def volume(self) -> int:
        """Bytes of all messages together."""
        return self.m * len(self.edges)

    @property
    def is_flagged(self) -> bool:
        """Whether the emulated network could not keep up, so that no fit should see this."""
        return self.lab is not None and self.lab.is_over_limits


def read_links(path: str | Path) -> list[LinkSample]:
    """Samples of a file, in file order; a torn last line is warned of and skipped."""
    return read_records(LinkSample, path, "measure first: contend measure --levels --help")
