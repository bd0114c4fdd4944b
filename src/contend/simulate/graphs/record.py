"""How messages share a network, as a network file holds it: models, their errors, penalties."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike
from pydantic import Field, model_validator

from contend.base.document import Bounds, Quantity, Record, require_numbers
from contend.base.errors import InvalidInputError
from contend.base.near_names import choose_from
from contend.base.statistics.regression import UNUSABLE
from contend.samples.messages import Node
from contend.samples.origin import Origin
from contend.samples.warnings import QualityWarning
from contend.simulate.flows import models as sharing_models
from contend.simulate.flows.models import MEASURED

if TYPE_CHECKING:
    import pandas as pd

    from contend.simulate.flows.engine import Solution
    from contend.simulate.flows.flows import Flows
    from contend.simulate.graphs.penalty_lookup import MeasuredPenalties, StepPenalties


class SharingErrors(Record):
    """Relative errors of end times in graphs that the model has not seen."""

    average: float = Field(ge=0, description="over graphs, of the average over a graph's messages")
    worst_graph: float = Field(ge=0, description="largest average over a graph's messages")
    worst: float = Field(ge=0, description="largest of a message")


class EdgeErrors(SharingErrors):
    """Errors in the unseen graphs of one number of messages."""

    model: str
    edges: int = Field(ge=1)
    graphs: int = Field(ge=1)


class KnownModel(Record):
    """A sharing model with the parameters for this network."""

    name: str = Field(description="the model, with '-initial' where its parameters are not fitted")
    model: str
    parameters: dict[str, Quantity] = Field(default_factory=dict)
    undetermined: tuple[str, ...] = Field(
        (), description="fitted parameters that no graph determines, alone or apart from others"
    )
    bandwidth: Quantity = Field(description="measured, or else fitted with the model")
    errors: SharingErrors

    @model_validator(mode="after")
    def _is_of_a_model(self) -> "KnownModel":
        require_numbers(bandwidth=self.bandwidth, **self.parameters)
        if not float(self.bandwidth) > 0:
            raise ValueError("a bandwidth is above 0")
        if self.model not in sharing_models.names():
            raise ValueError(f"no sharing model is named {self.model!r}")
        wanted = sharing_models.get(self.model).parameters
        if self.parameters.keys() != wanted.keys():
            raise ValueError(f"{self.model} has the parameters {', '.join(wanted) or 'none'}")
        return self

    @property
    def is_usable(self) -> bool:
        """Whether its error on graphs that it has not seen is one to predict with."""
        return self.errors.average <= UNUSABLE

    @property
    def values(self) -> dict[str, float]:
        return {name: float(value) for name, value in self.parameters.items()}


class GraphPenalties(Record):
    """Penalties of the edges of one connected shape, while all of them are under way."""

    edges: tuple[tuple[Node, Node], ...] = Field(min_length=1)
    penalties: tuple[float, ...]
    low: tuple[float, ...] | None = Field(None, description="bounds")
    high: tuple[float, ...] | None = None
    bounds: Bounds | None = Field(None, description="what low and high are; absent: not kept")
    graphs: tuple[str, ...] = Field(description="measured graphs with a part of this shape")
    repetitions: int = Field(ge=1)
    later_steps: int = Field(0, ge=0, description="steps after the first")
    later_measured: int = Field(0, ge=0, description="of these, those whose shapes were measured")

    @model_validator(mode="after")
    def _has_a_penalty_per_edge(self) -> "GraphPenalties":
        for name in ("penalties", "low", "high"):
            values = getattr(self, name)
            if values is not None and len(values) != len(self.edges):
                raise ValueError(f"{len(values)} {name} of {len(self.edges)} edges")
        if min(self.penalties) <= 0:
            raise ValueError("a penalty is above 0")
        return self


class FittedSharing(Record):
    """Sharing models for one network, on one switch, with what they were learnt from."""

    model: str = Field(description="name of the one with the least error")
    fallback: str = Field(description="for shapes that were not measured")
    is_bandwidth_measured: bool = Field(description="whether a message was measured alone")
    models: tuple[KnownModel, ...]
    measured: tuple[GraphPenalties, ...]
    graphs: int = Field(ge=1)
    folds: int = Field(ge=2, description="of the cross-validation behind the errors")
    by_edges: tuple[EdgeErrors, ...] | None = Field(
        None, description="the same errors by number of messages; absent: not kept by its version"
    )
    edges_seen: tuple[int, ...]
    m_seen: tuple[int, ...]
    warnings: tuple[QualityWarning, ...] = ()
    origin: Origin

    @model_validator(mode="after")
    def _names_models_that_are_there(self) -> "FittedSharing":
        models = {model.name: model.model for model in self.models}
        for name in (self.model, self.fallback):
            if name not in models:
                raise ValueError(f"{name!r} is not among the models {', '.join(models)}")
        if models[self.fallback] == MEASURED:
            raise ValueError(f"the fallback is {MEASURED!r}, which needs one itself")
        return self

    def by_name(self, name: str | None = None) -> KnownModel:
        """A model by name; the one with the least error if none is named."""
        for model in self.models:
            if model.name == (name or self.model):
                return model
        raise InvalidInputError(
            f"no sharing model {name!r} is known of this network",
            choose_from(name or "", [model.name for model in self.models]),
        )

    def solve(
        self,
        flows: "Flows | pd.DataFrame | Mapping[str, ArrayLike]",
        name: str | None = None,
        *,
        is_recorded: bool = False,
    ) -> "tuple[Solution, StepPenalties | None]":
        """End of each flow by a model of this network; and where penalties were measured.

        The latter is None for models other than `measured`.
        """
        from contend.simulate.flows.engine import solve
        from contend.simulate.flows.flows import flows_of

        model, messages = self.by_name(name), flows_of(flows)
        during = self.penalties().during(messages) if model.model == MEASURED else None
        solution = solve(
            messages, model.model, bandwidth=float(model.bandwidth), parameters=model.values,
            penalties=during, is_recorded=is_recorded,
        )  # fmt: skip
        return solution, during

    def penalties(self) -> "MeasuredPenalties":
        """Measured penalties, and those of the fallback for other shapes."""
        from contend.simulate.graphs.penalty_lookup import MeasuredPenalties

        fallback = self.by_name(self.fallback)
        return MeasuredPenalties(
            [shape.edges for shape in self.measured],
            [np.array(shape.penalties) for shape in self.measured],
            fallback.model,
            fallback.values,
        )
