"""Measured contention graphs to sharing models: parameters, penalties, errors and doubts."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from contend.base.document import Bounds, Quantity
from contend.samples.messages import MessageSample
from contend.samples.origin import Source, origin_of
from contend.samples.quality import undisturbed
from contend.simulate.flows.models import MEASURED
from contend.simulate.graphs import comparison, warnings
from contend.simulate.graphs.measurements import (
    Bandwidth,
    MeasuredGraph,
    bandwidth_alone,
    measured_graphs,
)
from contend.simulate.graphs.parameters import ModelFit, Observations, with_bounds
from contend.simulate.graphs.penalties import Shape, invert, shapes_of
from contend.simulate.graphs.record import (
    EdgeErrors,
    FittedSharing,
    GraphPenalties,
    KnownModel,
    SharingErrors,
)
from contend.simulate.graphs.repeats import bounds_by


def fit_sharing(
    samples: Sequence[MessageSample],
    source: Source,
    rng: np.random.Generator,
    *,
    folds: int = comparison.FOLDS,
    include_flagged: bool = False,
) -> FittedSharing:
    """Every sharing model for the network of `samples`, which were read from the file `source`.

    The model of the network is the one with the least cross-validated error, of those without
    measured penalties the fallback. Samples during which an emulated network could not keep up are
    left out, unless they are to be included.

    Raises InvalidInputError when all samples would be left out, or all graphs have the same shape.
    """
    kept = undisturbed(samples, "graphs", include_flagged)
    graphs, alone = measured_graphs(kept), bandwidth_alone(kept)
    bandwidth = alone.value if alone else None
    rows, left_out = comparison.common(comparison.cross_validated(graphs, bandwidth, rng, folds))
    errors = comparison.summary(rows).set_index("model")
    by_edges = comparison.summary(rows, ("model", "edges")).sort_values("edges", kind="stable")
    ordered = errors["average"].sort_values(kind="stable").index
    seen = Observations(tuple(graphs), bandwidth)
    by = bounds_by(kept)
    fits = {
        fit.name: with_bounds(seen, fit, alone, by) if fit.is_fitted else fit
        for fit in comparison.fit_forms(seen, rng)
        if fit.name in errors.index
    }
    fallback = fits[next(name for name in ordered if name != MEASURED)]
    shapes, failed = penalties(graphs, fallback, alone, by)
    average = float(errors["average"].min())
    models = [_known(fit, alone, by, errors.loc[name]) for name, fit in fits.items()]
    if MEASURED in errors.index:
        table = ModelFit(MEASURED, False, fallback.bandwidth, {}, {})
        models.append(_known(table, alone, by, errors.loc[MEASURED]))
    return FittedSharing(
        model=ordered[0],
        fallback=fallback.name,
        is_bandwidth_measured=alone is not None,
        models=tuple(models),
        measured=tuple(_penalties(shape, by) for shape in shapes),
        graphs=len(graphs),
        folds=folds,
        by_edges=tuple(EdgeErrors.model_validate(row) for row in by_edges.to_dict("records")),
        edges_seen=tuple(sorted({len(graph.edges) for graph in graphs})),
        m_seen=tuple(sorted({graph.m for graph in graphs})),
        warnings=(
            *warnings.about_samples(samples, kept),
            *warnings.about_comparison(left_out),
            *warnings.about_fit(
                shapes, failed, list(fits.values()), fallback.name, average, alone is not None
            ),
        ),
        origin=origin_of([sample.provenance for sample in kept], source),
    )


def penalties(
    graphs: Sequence[MeasuredGraph], fallback: ModelFit, alone: Bandwidth | None, by: Bounds
) -> tuple[list[Shape], list[tuple[Shape, str]]]:
    shapes = shapes_of(graphs, fallback.bandwidth)
    return invert(shapes, fallback.model, fallback.parameters, alone, by)


def _known(
    fit: ModelFit, alone: Bandwidth | None, by: Bounds, errors: "pd.Series[float]"
) -> KnownModel:
    names = ("average", "worst_graph", "worst")
    return KnownModel(
        name=fit.name,
        model=fit.model,
        parameters={
            name: _parameter(value, fit.bounds.get(name), by)
            for name, value in fit.parameters.items()
        },
        undetermined=fit.undetermined,
        bandwidth=alone.quantity if alone else Quantity(value=fit.bandwidth, unit="B/s"),
        errors=SharingErrors(**{name: float(errors[name]) for name in names}),
    )


def _parameter(value: float, bounds: tuple[float, float] | None, by: Bounds) -> Quantity:
    if bounds is None:
        return Quantity(value=value, unit="1")
    return Quantity(value=value, unit="1", low=bounds[0], high=bounds[1], bounds=by)


def _penalties(shape: Shape, by: Bounds) -> GraphPenalties:
    bounds = shape.bounds()
    low, high = (tuple(side.tolist()) for side in bounds) if bounds else (None, None)
    return GraphPenalties(
        edges=shape.edges, penalties=tuple(shape.penalties.tolist()), low=low, high=high,
        bounds=by if bounds else None, graphs=tuple(dict.fromkeys(shape.graphs)),
        repetitions=len(shape.slowdowns), later_steps=shape.later_steps,
        later_measured=shape.later_measured,
    )  # fmt: skip
