"""Measured contention graphs to sharing models: parameters, penalties, errors and doubts."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from contend.document import Quantity
from contend.samples.origin import origin_of
from contend.sharing import comparison, doubts
from contend.sharing.graphs import (
    Bandwidth,
    MeasuredGraph,
    bandwidth_alone,
    measured_graphs,
    trusted,
)
from contend.sharing.measured import MEASURED
from contend.sharing.parameters import RESAMPLES, ModelFit, Observations
from contend.sharing.penalties import Shape, invert, shapes_of
from contend.sharing.record import (
    EdgeErrors,
    FittedSharing,
    GraphPenalties,
    KnownModel,
    SharingErrors,
)
from contend.sharing.sample import GraphSample


def fit_sharing(
    samples: Sequence[GraphSample],
    source: str | Path,
    rng: np.random.Generator,
    *,
    folds: int = comparison.FOLDS,
    include_flagged: bool = False,
) -> FittedSharing:
    """Every sharing model for the network of `samples`, which were read from the file `source`.

    The model of the network is the one with the least cross-validated error, of those without
    measured penalties the fallback. Samples during which an emulated network could not keep up are
    left out, unless they are to be included.

    Raises
    ------
    InvalidInputError
        When all samples would be left out, or all graphs have the same shape.
    """
    kept = trusted(samples, include_flagged)
    graphs, alone = measured_graphs(kept), bandwidth_alone(kept)
    bandwidth = alone.value if alone else None
    rows = comparison.cross_validated(graphs, bandwidth, rng, folds)
    errors = comparison.summary(rows).set_index("model")
    by_edges = comparison.summary(rows, ("model", "edges")).sort_values("edges", kind="stable")
    ordered = errors["average"].sort_values(kind="stable").index
    seen = Observations(tuple(graphs), bandwidth)
    fits = {known.name: known for known in comparison.fit_forms(seen, rng, RESAMPLES)}
    fallback = fits[next(name for name in ordered if name != MEASURED)]
    shapes, failed = penalties(graphs, fallback, alone, rng)
    average = float(errors["average"].min())
    models = [_known(known, alone, errors.loc[name]) for name, known in fits.items()]
    table = ModelFit(MEASURED, False, fallback.bandwidth, {}, {})
    return FittedSharing(
        model=ordered[0],
        fallback=fallback.name,
        is_bandwidth_measured=alone is not None,
        models=(*models, _known(table, alone, errors.loc[MEASURED])),
        measured=tuple(_penalties(shape) for shape in shapes),
        graphs=len(graphs),
        folds=folds,
        by_edges=tuple(EdgeErrors.model_validate(row) for row in by_edges.to_dict("records")),
        edges_seen=tuple(sorted({len(graph.edges) for graph in graphs})),
        m_seen=tuple(sorted({graph.m for graph in graphs})),
        warnings=(
            *doubts.about_samples(samples, kept),
            *doubts.about_fit(shapes, failed, list(fits.values()), average, alone is not None),
        ),
        origin=origin_of([sample.provenance for sample in kept], source),
    )


def penalties(
    graphs: Sequence[MeasuredGraph],
    fallback: ModelFit,
    alone: Bandwidth | None,
    rng: np.random.Generator,
) -> tuple[list[Shape], list[tuple[Shape, str]]]:
    """Penalties of each connected shape with intervals, and the shapes that have none, and why."""
    shapes = shapes_of(graphs, fallback.bandwidth)
    return invert(shapes, fallback.model, fallback.parameters, alone, rng)


def _known(known: ModelFit, alone: Bandwidth | None, errors: "pd.Series[float]") -> KnownModel:
    low, high = (alone.low, alone.high) if alone else (None, None)
    names = ("average", "worst_graph", "worst")
    return KnownModel(
        name=known.name,
        model=known.model,
        parameters={
            name: _parameter(value, known.bounds.get(name))
            for name, value in known.parameters.items()
        },
        bandwidth=Quantity(value=known.bandwidth, unit="B/s", low=low, high=high),
        errors=SharingErrors(**{name: float(errors[name]) for name in names}),
    )


def _parameter(value: float, bounds: tuple[float, float] | None) -> Quantity:
    low, high = bounds or (None, None)
    return Quantity(value=value, unit="1", low=low, high=high)


def _penalties(shape: Shape) -> GraphPenalties:
    bounds = shape.bounds()
    low, high = (tuple(side.tolist()) for side in bounds) if bounds else (None, None)
    return GraphPenalties(
        edges=shape.edges,
        penalties=tuple(shape.penalties.tolist()),
        low=low,
        high=high,
        graphs=tuple(dict.fromkeys(shape.graphs)),
        repetitions=len(shape.slowdowns),
        later_steps=shape.later_steps,
        later_measured=shape.later_measured,
    )
