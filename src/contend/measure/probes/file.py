"""A plan in a file: the points that a proposal names, for 'contend measure --plan'."""

import json
from pathlib import Path
from typing import ClassVar

from pydantic import Field

from contend.base.document import Document, Record, read_document_file
from contend.base.wholefile import write_whole
from contend.measure.probes.proposal import Proposal


class PlannedPoint(Record):
    """A point to measure, with what was expected of it."""

    n: int = Field(ge=2, description="processes")
    m: int = Field(ge=1, description="bytes per pair of processes")
    seconds: float = Field(gt=0, description="of one repetition, as predicted")
    cost: float = Field(ge=0, description="seconds on the clock to measure it, its launch included")


class PlanFile(Document):
    """Points to measure of one operation, in the order in which they are worth it."""

    schema_name: ClassVar[str] = "contend.proposal"
    schema_version: ClassVar[int] = 1

    operation: str
    algorithm: str
    processes_per_node: int | None = Field(None, ge=1, description="absent: left to the launcher")
    repetitions: int = Field(ge=1)
    warmup: int = Field(ge=0)
    launches: int = Field(1, ge=1)
    points: tuple[PlannedPoint, ...] = Field(min_length=1)

    @property
    def seconds(self) -> float:
        return sum(point.cost for point in self.points)

    @property
    def counts(self) -> dict[int, list[int]]:
        numbers = sorted({point.n for point in self.points})
        return {n: sorted({point.m for point in self.points if point.n == n}) for n in numbers}


def plan_of(proposal: Proposal) -> PlanFile:
    return PlanFile(
        operation=proposal.operation,
        algorithm=proposal.algorithm,
        processes_per_node=proposal.processes_per_node,
        repetitions=proposal.cost.repetitions,
        warmup=proposal.cost.warmup,
        launches=proposal.cost.launches,
        points=tuple(
            PlannedPoint(n=step.n, m=step.m, seconds=step.seconds, cost=step.cost)
            for step in proposal.steps
        ),
    )


def write_plan(plan: PlanFile, path: Path) -> None:
    write_whole(path, json.dumps(plan.to_json(), indent=1) + "\n")


def read_plan(path: Path) -> PlanFile:
    """Plan of a file; FileFormatError says what is wrong with it."""
    return read_document_file(PlanFile, path, "name a plan, made by contend design -o")
