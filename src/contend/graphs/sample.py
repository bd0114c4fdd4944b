"""One measured contention graph: when each of its messages ended, in every repetition.

All messages start together (a static-synchronous graph) and are as long as each other. Processes
are numbered; those with the same node share its network card.
"""

from typing import Annotated, ClassVar

import numpy as np
from pydantic import Field, model_validator

from contend.document import Document, Floats
from contend.samples import Provenance
from contend.samples.lab import LabConditions, Seconds
from contend.samples.sample import Start

Node = Annotated[int, Field(ge=0, le=2**31 - 1)]
LARGEST = 2**53  # bytes of a message: beyond it a double has no byte's precision


class GraphSample(Document):
    """One line of a file of measured graphs."""

    schema_name: ClassVar[str] = "contend.graphs"
    schema_version: ClassVar[int] = 1

    graph: str = Field(min_length=1, description="its name within the file, e.g. random-17")
    edges: tuple[tuple[Node, Node], ...] = Field(
        min_length=1, description="source and destination node of each message, in order"
    )
    m: int = Field(ge=1, le=LARGEST, description="bytes of each message")
    launch: int = Field(
        0, ge=0, le=2**31 - 1, description="repeats of the same graph in launches of their own"
    )
    ends_s: tuple[tuple[Seconds, ...], ...] = Field(
        min_length=1, description="per repetition, per edge, from the common start"
    )
    alone_s: tuple[Seconds, ...] = Field(
        (), description="one such message alone, repetitions of the same launch"
    )
    start: Start = Field("unknown", description="how the processes were started together")
    late_starts: int = Field(0, ge=0, description="repetitions that a process began too late")
    start_skew_s: Seconds | None = Field(
        None, description="how far apart the ranks' clocks got, largest seen; absent without one"
    )
    start_skew_bound_s: Seconds | None = Field(
        None, description="as much as start_skew_s may be wrong for a rank: half of round trips"
    )
    processes_per_node: int | None = Field(
        None, ge=1, description="that share a node's messages; absent where a node is one process"
    )
    lab: LabConditions | None = Field(None, description="of an emulated network, meanwhile")
    provenance: Provenance

    @model_validator(mode="after")
    def _is_a_graph(self) -> "GraphSample":
        for src, dst in self.edges:
            if src == dst:
                raise ValueError(f"an edge from node {src} to node {dst} is no message")
        for number, ends in enumerate(self.ends_s):
            if len(ends) != len(self.edges):
                raise ValueError(
                    f"repetition {number} of {self.graph!r} has {len(ends)} ends for "
                    f"{len(self.edges)} edges, each needs one"
                )
        return self

    @property
    def point(self) -> tuple[str, int, int]:
        """What tells this sample from the others of a campaign."""
        return (self.graph, self.m, self.launch)

    @property
    def ends(self) -> Floats:
        """End of each message, shape (repetitions, edges), seconds."""
        return np.array(self.ends_s, dtype=np.float64)

    @property
    def is_flagged(self) -> bool:
        """Whether the emulated network could not keep up, so that no fit should see this."""
        return self.lab is not None and self.lab.is_over_limits
