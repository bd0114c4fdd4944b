"""The network file: what was learnt from samples, in one small JSON document.

It holds point-to-point parameters per level, and for each operation, algorithm and number of
processes per node every fitted form; each value with its unit and bounds, each fit with what it
saw and how far off it was on points that it did not see; how messages share the network; and the
links between groups of hosts.
"""

import json
import os
from pathlib import Path
from typing import ClassVar

import numpy as np
from pydantic import Field, model_validator

from contend.document import Document, Record, read_document_file
from contend.errors import ContendError, FileFormatError, InvalidInputError
from contend.graphs.record import FittedSharing
from contend.links.record import LevelLinks
from contend.network.evidence import (
    BeatenBound,
    LaunchErrors,
    MeasuredGains,
    MeasuredPoints,
    SignatureAt,
    ValidatedForm,
)
from contend.network.merge import Merged, merge, merge_validation, titles
from contend.pointtopoint import Hockney, PLogP
from contend.samples.origin import Origin, PartsOrigin
from contend.samples.quality import QualityWarning
from contend.samples.setting import NATIVE
from contend.schedules.fitting.record import Parameters, ScheduleFit, parameters
from contend.signature import FORMS, FittedForm, Form, PointToPoint
from contend.timeouts import TimeoutErrors, Timeouts
from contend.wholefile import is_special, locked, make_folder, write_whole


class Level(Record):
    """Parameters of one message between two processes at one level of the machine."""

    name: str = Field(description="'all' where levels were not told apart")
    hockney: Hockney | None = None
    plogp: PLogP | None = None


class Operation(Record):
    """What is known of one operation by one algorithm; times are until the slowest rank ends."""

    operation: str
    algorithm: str
    processes_per_node: int | None = Field(None, description="absent: all on one node")
    forms: dict[str, FittedForm]
    validation: dict[str, ValidatedForm] = Field(default_factory=dict)
    measured: MeasuredPoints | None = Field(
        None, description="all points known, those of validation included"
    )
    signatures: tuple[SignatureAt, ...] | None = Field(
        None, description="fitted at each n by itself; absent: not kept"
    )
    beaten_bound: BeatenBound | None = Field(None, description="absent: the lower bound holds")
    gains: MeasuredGains | None = Field(
        None, description="over the library's default; absent: no two launches had both"
    )
    timeouts: Timeouts | None = Field(
        None, description="retransmission time-outs, which no form holds; absent: none found"
    )
    timeout_errors: TimeoutErrors | None = Field(None, description="absent: not validated")
    between_launches: LaunchErrors | None = Field(
        None,
        description="at points that the form that predicts has not seen; absent: not validated, or "
        "no such point has several launches",
    )

    @property
    def fitted_at(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Process counts and sizes that any of the forms was fitted at."""
        n = {count for fit in self.forms.values() for count in fit.n_fitted}
        m = {size for fit in self.forms.values() for size in fit.m_fitted}
        return tuple(sorted(n)), tuple(sorted(m))

    @property
    def title(self) -> str:
        """Operation, algorithm and placement in words."""
        return title_of(self.operation, self.algorithm, self.processes_per_node)


def title_of(operation: str, algorithm: str, per_node: int | None) -> str:
    """The title of an operation, placed so many processes per node (None: on one node)."""
    return f"{operation}/{algorithm}{f', {per_node} per node' if per_node else ''}"


class Network(Document):
    """A network: levels, operations, doubts, and origin."""

    schema_name: ClassVar[str] = "contend.network"
    schema_version: ClassVar[int] = 1

    name: str
    levels: tuple[Level, ...] = ()
    operations: tuple[Operation, ...] = ()
    schedules: tuple[ScheduleFit, ...] = Field(
        (), description="parameters from times of algorithms of the catalogue"
    )
    sharing: FittedSharing | None = Field(None, description="by measured contention graphs")
    links: tuple[LevelLinks, ...] = Field(
        (), description="between groups of hosts, one entry per level, outermost first"
    )
    warnings: tuple[QualityWarning, ...] = Field((), description="doubts about the fits")
    sample_warnings: tuple[QualityWarning, ...] = Field(
        (), description="doubts about the samples, one per kind, experiment and algorithm"
    )
    origin: Origin = Field(description="of the parts that 'origins' does not name")
    origins: tuple[PartsOrigin, ...] = Field((), description="of parts from other samples")

    @model_validator(mode="after")
    def _has_forms_that_can_be_evaluated(self) -> "Network":
        for operation in self.operations:
            for name, fit in operation.forms.items():
                if name in FORMS.names():
                    _evaluate(f"{operation.title}: {name}", FORMS.get(name), fit, self)
        return self

    @property
    def point_to_point(self) -> PointToPoint:
        """Parameters of the outermost level, which is what crosses the network."""
        if not self.levels:
            return PointToPoint()
        line = self.levels[-1].hockney
        if line and min(float(line.alpha), float(line.beta)) < 0:
            raise FileFormatError(
                f"{self.name!r} has a negative alpha or beta", "fit the samples again"
            )
        return PointToPoint(line, self.levels[-1].plogp)

    def parameters(self, operation: str) -> Parameters | None:
        """What predicts the algorithms of a collective operation; None where there is nothing."""
        return parameters(self.schedules, operation, self.point_to_point.plogp)

    def find(
        self, operation: str, algorithm: str | None = None, processes_per_node: int | None = None
    ) -> Operation:
        """The operation asked for; what is left open must have only one answer."""
        matching = [
            known
            for known in self.operations
            if known.operation == operation
            and algorithm in (None, known.algorithm)
            and processes_per_node in (None, known.processes_per_node)
        ]
        native = [known for known in matching if known.algorithm == NATIVE]
        if algorithm is None and len(native) == 1:
            return native[0]
        if len(matching) == 1:
            return matching[0]
        there = "; ".join(known.title for known in self.operations) or "no operation"
        raise InvalidInputError(
            f"{len(matching) or 'no'} operations of {self.name!r} are "
            f"{'/'.join(filter(None, (operation, algorithm)))}"
            + (f" with {processes_per_node} per node" if processes_per_node else ""),
            f"name one by operation, --algorithm and --ppn; there is: {there}",
        )

    @property
    def all_origins(self) -> tuple[Origin, ...]:
        """Where the samples of all parts come from."""
        shared = (self.sharing.origin,) if self.sharing else ()
        links = (one.origin for one in self.links)
        return (self.origin, *(one.origin for one in self.origins), *shared, *links)

    def links_of(self, level: str) -> LevelLinks:
        """The links of a level; an error where they were not measured."""
        for one in self.links:
            if one.name == level:
                return one
        known = ", ".join(one.name for one in self.links) or "none"
        raise InvalidInputError(
            f"{self.name!r} has no links of level {level!r}; it has those of: {known}",
            "measure them: contend measure --levels",
        )

    def save(self, path: str | Path) -> None:
        """Write the file in one step: a reader sees the old one or the new one, whole."""
        make_folder(Path(path).parent)
        write_whole(path, json.dumps(self.to_json(), indent=1) + "\n")

    def merge_into(
        self, path: str | Path, *, name: str | None = None, only_validation: bool = False
    ) -> Merged:
        """What the file at `path` then holds: the parts of this network, and its own others.

        Nobody else merges meanwhile, so that no part is lost. `network.merge` says which part
        replaces which. A file that exists keeps its name unless `name` is given.

        Parameters
        ----------
        only_validation
            Take over nothing but the errors of fits that the file holds.

        Raises
        ------
        FileFormatError
            When what is there is no network file that can be read; it is left as it is.
        StorageError
            When the file cannot be written, or another program keeps it locked.
        """
        target = Path(os.path.realpath(path))
        with locked(target):
            if only_validation:
                merged = merge_validation(Network.load(target), self)
            elif target.exists() and not is_special(target):
                merged = merge(_existing(target, path), self, name)
            else:
                merged = Merged(self, added=tuple(titles(self)))
            merged.network.save(target)
        return merged

    @classmethod
    def load(cls, path: str | Path) -> "Network":
        """Network of a file; FileFormatError says what is wrong with it."""
        return read_document_file(cls, path, "name a network file, made by contend fit")


def _evaluate(where: str, form: Form, fit: FittedForm, network: Network) -> None:
    """Raise ValueError, which pydantic reports, unless a fitted form gives a time."""
    try:
        is_time = np.isfinite(form.seconds(fit.parameters, network.point_to_point, 2, 1)).all()
    except KeyError as missing:
        raise ValueError(f"{where} has no parameter {missing}") from None
    except (ContendError, ArithmeticError, TypeError, ValueError, IndexError) as error:
        raise ValueError(f"{where}: {error}") from None
    if not is_time:
        raise ValueError(f"{where} gives no time for two processes")


def _existing(target: Path, path: str | Path) -> Network:
    try:
        return Network.load(target)
    except FileFormatError as error:
        raise FileFormatError(
            error.message, f"{path} was left as it is: move it away, or name another with -o"
        ) from None
