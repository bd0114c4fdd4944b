"""One measured round of ping-pongs between disjoint pairs of hosts."""

from typing import Annotated, ClassVar

import numpy as np
from pydantic import Field, model_validator

from contend.document import Document, Floats
from contend.samples import Provenance
from contend.samples.lab import LabConditions, Seconds

MOST_HOSTS = 2**20
Member = Annotated[int, Field(ge=0, lt=MOST_HOSTS)]


class PairSample(Document):
    """One line of a file of measured pairs: a round at one size."""

    schema_name: ClassVar[str] = "contend.pairs"
    schema_version: ClassVar[int] = 1

    hosts: tuple[str, ...] = Field(min_length=2, max_length=MOST_HOSTS)
    pairs: tuple[tuple[Member, Member], ...] = Field(
        min_length=1, description="hosts that met in the round, indices of hosts"
    )
    m: int = Field(ge=0, le=2**31 - 1, description="bytes of a message")
    launch: int = Field(0, ge=0, le=2**31 - 1)
    one_way_s: tuple[tuple[Seconds, ...], ...] = Field(
        min_length=1, description="half a round trip, per repetition, per pair"
    )
    lab: LabConditions | None = Field(None, description="of an emulated network, meanwhile")
    provenance: Provenance

    @model_validator(mode="after")
    def _is_a_round(self) -> "PairSample":
        met = [member for pair in self.pairs for member in pair]
        if len(set(met)) < len(met) or max(met) >= len(self.hosts):
            raise ValueError("a host is in two pairs, or in none of the hosts")
        if len(set(self.hosts)) < len(self.hosts):
            raise ValueError("two hosts have one name")
        if any(len(row) != len(self.pairs) for row in self.one_way_s):
            raise ValueError("each repetition needs a time for each pair")
        if not all(time > 0 for row in self.one_way_s for time in row):
            raise ValueError("a message took 0 s, which none can")
        return self

    @property
    def point(self) -> tuple[tuple[tuple[int, int], ...], int, int]:
        """What tells this sample from the others of a file."""
        return (self.pairs, self.m, self.launch)

    @property
    def times(self) -> Floats:
        """One-way times, shape (repetitions, pairs), seconds."""
        return np.array(self.one_way_s, dtype=np.float64)

    @property
    def is_flagged(self) -> bool:
        """Whether the emulated network could not keep up, so that nobody should see this."""
        return self.lab is not None and self.lab.is_over_limits
