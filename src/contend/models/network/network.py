"""The network file: what was learnt from samples, in one small JSON document.

It holds point-to-point parameters per level, and for each operation, algorithm and number of
processes per node every fitted form; each value with its unit and bounds, each fit with what it
saw and how far off it was on points that it did not see; how messages share the network; and the
links between groups of hosts.
"""

import os
from pathlib import Path
from typing import ClassVar

import numpy as np
from pydantic import Field, model_validator

from contend.base.document import Document, Record, read_document_file
from contend.base.errors import ContendError, FileFormatError, InvalidInputError
from contend.base.near_names import nearest_name, operation_of
from contend.base.wholefile import is_special, locked, make_folder
from contend.models.links.record import LevelLinks
from contend.models.network.evidence import (
    BeatenBound,
    LaunchErrors,
    MeasuredGains,
    MeasuredPoints,
    SignatureAt,
    ValidatedForm,
)
from contend.models.network.level import Level, messages_under
from contend.models.network.merge import Merged, merge, merge_validation, titles
from contend.models.signature import FORMS, FittedForm, Form, PointToPoint
from contend.models.timeouts import TimeoutErrors, Timeouts
from contend.samples.origin import Origin, PartsOrigin
from contend.samples.setting import (
    NATIVE,
    is_native,
    nearest,
    split_conditions,
    under,
)
from contend.samples.warnings import QualityWarning
from contend.schedules.fitting.record import Parameters, ScheduleFit, parameters
from contend.simulate.graphs.record import FittedSharing


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
    is_of_production: bool | None = Field(
        None, description="by calls of programs that were watched; absent: by a benchmark"
    )
    is_as_ruled: bool | None = Field(
        None,
        description="the calls showed that what ran is what the library's rules name; absent: they "
        "did not show it",
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

    @property
    def conditions(self) -> str:
        """What it was measured under, as its setting has it; "" for the default."""
        return split_conditions(self.algorithm)[1]

    @property
    def algorithm_alone(self) -> str:
        """The setting without the conditions."""
        return split_conditions(self.algorithm)[0]

    @property
    def is_default(self) -> bool:
        """Whether it is what the library takes by itself."""
        return is_native(self.algorithm)

    def is_beside(self, other: "Operation") -> bool:
        """Whether the two differ in the algorithm alone, so that one may take the other's place."""
        return self.algorithm != other.algorithm and (
            (self.operation, self.processes_per_node, self.conditions)
            == (other.operation, other.processes_per_node, other.conditions)
        )


def title_of(operation: str, algorithm: str, per_node: int | None) -> str:
    """The title of an operation, placed so many processes per node (None: on one node)."""
    return f"{operation}/{algorithm}{f', {per_node} per node' if per_node else ''}"


class Network(Document):
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
                    _evaluate(operation, FORMS.get(name), fit, self)
        return self

    @property
    def point_to_point(self) -> PointToPoint:
        """Parameters of the outermost level, which is what crosses the network.

        Of messages under several conditions those by default, or the most like these.
        """
        return self.messages("")

    def messages(self, setting: str) -> PointToPoint:
        """Parameters of messages under the conditions of a setting, or the most like these."""
        message = messages_under(self.levels, split_conditions(setting)[1])
        line = message.hockney
        if line and min(float(line.alpha), float(line.beta)) < 0:
            raise FileFormatError(
                f"network {self.name!r} has a negative alpha or beta, which no message can have",
                "fit the samples again, with more sizes",
            )
        return message

    def parameters(self, operation: str) -> Parameters | None:
        """What predicts the algorithms of a collective operation; None where there is nothing."""
        message = self.messages(under(NATIVE, self.usual_conditions(operation)))
        return parameters(self.schedules, operation, message.plogp)

    def usual_conditions(self, operation: str) -> str:
        """What an operation was measured under: the default, or what is most like it."""
        conditions = {
            measured.conditions for measured in self.operations if measured.operation == operation
        }
        return nearest("", conditions or {""})

    def find(
        self, operation: str, algorithm: str | None = None, processes_per_node: int | None = None
    ) -> Operation:
        """The operation asked for; what is left open must have only one answer.

        Without an algorithm that is the library's default, and without conditions what was
        measured under none, else what was measured under the only ones. MPI_Bcast is bcast.
        """
        operation = operation_of(operation)
        matching = [
            candidate
            for candidate in self.operations
            if candidate.operation == operation
            and algorithm in (None, candidate.algorithm, candidate.algorithm_alone)
            and processes_per_node in (None, candidate.processes_per_node)
        ]
        native = [candidate for candidate in matching if algorithm is None and candidate.is_default]
        exact = [
            candidate for candidate in matching if candidate.algorithm == (algorithm or NATIVE)
        ]
        for some in (exact, native, matching):
            if len(some) == 1:
                return some[0]
        titles = "; ".join(operation.title for operation in self.operations) or "no operation"
        near = nearest_name(operation, {entry.operation for entry in self.operations})
        hint = f"did you mean {near!r}? " if near not in ("", operation) else ""
        raise InvalidInputError(
            f"{len(matching) or 'no'} operations of network {self.name!r} are "
            f"{'/'.join(filter(None, (operation, algorithm)))}"
            + (f" with {processes_per_node} per node" if processes_per_node else ""),
            f"{hint}name one by operation, --algorithm and --ppn; there is: {titles}",
        )

    def under_others(self, operation: Operation) -> list[str]:
        """Settings of the same operation, algorithm and placement under other conditions."""
        return [
            other.algorithm
            for other in self.operations
            if other.algorithm != operation.algorithm
            and (other.operation, other.algorithm_alone, other.processes_per_node)
            == (operation.operation, operation.algorithm_alone, operation.processes_per_node)
        ]

    @property
    def all_origins(self) -> tuple[Origin, ...]:
        """Where the samples of all parts come from."""
        shared = (self.sharing.origin,) if self.sharing else ()
        links = (link.origin for link in self.links)
        return (self.origin, *(origin.origin for origin in self.origins), *shared, *links)

    def links_of(self, level: str) -> LevelLinks:
        """The links of a level; an error where they were not measured."""
        for link in self.links:
            if link.name == level:
                return link
        names = ", ".join(link.name for link in self.links) or "none"
        raise InvalidInputError(
            f"{self.name!r} has no links of level {level!r}; it has those of: {names}",
            "measure them: contend measure links",
        )

    def save(self, path: str | Path) -> None:
        """Write the file in one step: a reader sees the old one or the new one, whole."""
        make_folder(Path(path).parent)
        super().save(path)

    def merge_into(self, path: str | Path, *, only_validation: bool = False) -> Merged:
        """What the file at `path` then holds: the parts of this network, and its own others.

        Nobody else merges meanwhile, so that no part is lost. `network.merge` says which part
        replaces which. A file that exists keeps its name.

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
                merged = merge(_existing(target, path), self)
            else:
                merged = Merged(self, added=tuple(titles(self)))
            merged.network.save(target)
        return merged

    @classmethod
    def load(cls, path: str | Path) -> "Network":
        """Network of a file; FileFormatError says what is wrong with it."""
        return read_document_file(cls, path, "name a network file, made by contend fit")


def _evaluate(operation: Operation, form: Form, fit: FittedForm, network: Network) -> None:
    """Raise ValueError, which pydantic reports, unless a fitted form gives a time."""
    where = f"{operation.title}: {form.name}"
    try:
        message = network.messages(operation.algorithm)
        is_time = np.isfinite(form.seconds(fit.parameters, message, 2, 1)).all()
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
