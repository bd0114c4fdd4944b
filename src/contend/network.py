"""The network file: what was learnt from samples, in one small JSON document.

It holds point-to-point parameters per level, and for each operation, algorithm and number of
processes per node every fitted form; each value with its unit and bounds, each fit with what it
saw and how far off it was on points that it did not see; and how messages share the network.
"""

import json
import tempfile
from pathlib import Path
from typing import ClassVar

import numpy as np
from pydantic import Field, model_validator

from contend.document import Document, Record, read_document
from contend.errors import ContendError, FileFormatError, InvalidInputError, StorageError
from contend.pointtopoint import Hockney, PLogP
from contend.samples.origin import Origin
from contend.samples.quality import QualityWarning
from contend.schedules.fitted import Parameters, ScheduleFit, parameters
from contend.sharing.record import FittedSharing
from contend.signature import FORMS, FittedForm, Form, PointToPoint


class Level(Record):
    """Parameters of one message between two processes at one level of the machine."""

    name: str = Field(description="'all' where levels were not told apart")
    hockney: Hockney | None = None
    plogp: PLogP | None = None


class ErrorSummary(Record):
    """Predicted against measured on points that a fit has not seen; relative to the measured."""

    regime: str
    points: int = Field(ge=1)
    median: float = Field(ge=0)
    percentile_90: float = Field(ge=0)
    worst: float = Field(ge=0)
    factor_90: float = Field(ge=1, description="90 % of predictions are within this factor")
    factor_worst: float = Field(ge=1, description="all predictions are within this factor")


class ValidatedForm(Record):
    """Errors of a form by regime, and the range of the points behind them."""

    errors: tuple[ErrorSummary, ...] = Field(min_length=1)
    n_seen: tuple[int, ...] = Field(min_length=1)
    m_seen: tuple[int, ...] = Field(min_length=1)


class Operation(Record):
    """What is known of one operation by one algorithm; times are until the slowest rank ends."""

    operation: str
    algorithm: str
    processes_per_node: int | None = Field(None, description="absent: all on one node")
    forms: dict[str, FittedForm]
    validation: dict[str, ValidatedForm] = Field(default_factory=dict)

    @property
    def title(self) -> str:
        """Operation, algorithm and placement in words."""
        placed = f", {self.processes_per_node} per node" if self.processes_per_node else ""
        return f"{self.operation}/{self.algorithm}{placed}"


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
    warnings: tuple[QualityWarning, ...] = Field((), description="doubts about the fits")
    sample_warnings: tuple[QualityWarning, ...] = Field(
        (), description="doubts about the samples, one per kind, experiment and algorithm"
    )
    origin: Origin

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
        native = [known for known in matching if known.algorithm == "native"]
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

    def save(self, path: str | Path) -> None:
        """Write the file in one step: a reader sees the old one or the new one, whole."""
        target, written = Path(path), None
        text = json.dumps(self.to_json(), indent=1) + "\n"
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile("w", dir=target.parent, delete=False) as file:
                written = Path(file.name)
                file.write(text)
            written.chmod(0o644)
            written.replace(target)
        except OSError as error:
            if written is not None:
                written.unlink(missing_ok=True)
            raise StorageError.of(target, error) from None

    @classmethod
    def load(cls, path: str | Path) -> "Network":
        """Network of a file; FileFormatError says what is wrong with it."""
        try:
            text = Path(path).read_text()
        except (OSError, UnicodeDecodeError) as error:
            raise FileFormatError(
                f"cannot read {path}: {error}", "name a network file, made by contend fit"
            ) from None
        return read_document(cls, text, str(path))


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
