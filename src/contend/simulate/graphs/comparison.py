"""Predicted against measured ends of contention graphs, each graph by models that have not seen it.

Source: Martinasso, Méhaut, Euro-Par 2011, figure 5: the error of a graph is the average over its
messages of |predicted - measured| / measured; beside it the worst of its messages.
Idea: k-fold cross-validation over graphs. Graphs of the same shape are in the same fold, whatever
their size, so that none is predicted by what was learnt from its twin. Models with parameters take
part as fitted to the other folds, and with their initial parameters. Models are ranked by the same
graphs, those that all of them predict.
Restrictions: one bandwidth for all graphs, that of a message alone, wherever it was measured.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

import numpy as np
import pandas as pd

from contend.base.document import Floats
from contend.base.errors import ContendError, InvalidInputError
from contend.simulate.flows import models
from contend.simulate.flows.engine import solve
from contend.simulate.flows.models import MEASURED
from contend.simulate.graphs.isomorphism import Shapes
from contend.simulate.graphs.measurements import MeasuredGraph
from contend.simulate.graphs.parameters import ModelFit, Observations, fit, initial
from contend.simulate.graphs.penalties import invert, shapes_of
from contend.simulate.graphs.penalty_lookup import MeasuredPenalties
from contend.simulate.graphs.side_by_side import side_by_side

FOLDS = 5
COLUMNS = ("model", "graph", "m", "edges", "average", "worst", "problem")
FEWEST_PREDICTED = 0.5  # of the graphs; a model that predicts fewer is not ranked


def cross_validated(
    graphs: Sequence[MeasuredGraph],
    bandwidth: float | None,
    rng: np.random.Generator,
    folds: int = FOLDS,
) -> pd.DataFrame:
    """A row per model and graph with the columns `COLUMNS`; errors are relative, 0.1 is 10 %.

    Where a model has no prediction the errors are NaN and `problem` says why; else it is "".

    Raises InvalidInputError when all graphs have the same shape.
    """
    fold_of = _folds(graphs, folds, rng)
    parts: list[pd.DataFrame] = []
    for fold in range(fold_of.max() + 1):
        seen, unseen = (
            Observations(tuple(graphs[at] for at in np.flatnonzero(part).tolist()), bandwidth)
            for part in (fold_of != fold, fold_of == fold)
        )
        parts += _of_fold(seen, unseen, rng)
    result = pd.concat(parts, ignore_index=True)
    place = {graph.title: number for number, graph in enumerate(graphs)}  # graphs may share a name
    titles = result["graph"] + " m=" + result["m"].astype(str)
    return result.iloc[np.argsort(titles.map(place), kind="stable")].reset_index(drop=True)


def _of_fold(
    seen: Observations, unseen: Observations, rng: np.random.Generator
) -> Iterator[pd.DataFrame]:
    """Errors of every model on `unseen` graphs, as learnt from those `seen`."""
    fits = []
    for name, learn in _forms(seen, rng):
        try:
            fit = learn()
            yield errors(unseen, name, ends_by(unseen, fit))
            fits.append(fit)
        except ContendError as problem:
            yield _no_errors(unseen, name, problem.message)
    best = closest(seen, fits)
    table = measured_table(seen.graphs, best)
    try:
        yield errors(unseen, MEASURED, ends_by_table(unseen, table, best.bandwidth))
    except ContendError as problem:
        yield _no_errors(unseen, MEASURED, problem.message)


def fit_forms(seen: Observations, rng: np.random.Generator) -> Iterator[ModelFit]:
    """Every model but `measured`; those with parameters twice, fitted and as they are."""
    for _, learn in _forms(seen, rng):
        yield learn()


def _forms(
    seen: Observations, rng: np.random.Generator
) -> Iterator[tuple[str, Callable[[], ModelFit]]]:
    """Name of each form of a model, and the function that learns it."""
    for name in models.names():
        if name == MEASURED:
            continue
        if models.get(name).parameters:
            yield f"{name}-initial", partial(initial, seen, name)
            yield name, partial(fit, seen, name, rng)
        else:
            yield name, partial(initial, seen, name)


def ends_by(seen: Observations, fit: ModelFit) -> Floats:
    return solve(seen.flows, fit.model, bandwidth=fit.bandwidth, parameters=fit.parameters).end


def measured_table(graphs: Sequence[MeasuredGraph], fallback: ModelFit) -> MeasuredPenalties:
    """Penalties of these graphs, and those of the fallback for all others."""
    shapes, _ = invert(shapes_of(graphs, fallback.bandwidth), fallback.model, fallback.parameters)
    return MeasuredPenalties(
        [shape.edges for shape in shapes],
        [shape.penalties for shape in shapes],
        fallback.model,
        fallback.parameters,
    )


def ends_by_table(seen: Observations, table: MeasuredPenalties, bandwidth: float) -> Floats:
    ends = []
    for graph in seen.graphs:
        flows = side_by_side([graph.edges], [graph.m])
        penalties = table.during(flows)
        ends.append(solve(flows, MEASURED, bandwidth=bandwidth, penalties=penalties).end)
    return np.concatenate(ends)


def errors(seen: Observations, model: str, ends: Floats) -> pd.DataFrame:
    """A row per graph with the columns `COLUMNS`."""
    error = pd.Series(np.abs(ends / seen.seconds - 1.0)).groupby(seen.graph_of)
    return pd.DataFrame(
        {
            "model": model,
            "graph": [graph.name for graph in seen.graphs],
            "m": [graph.m for graph in seen.graphs],
            "edges": [len(graph.edges) for graph in seen.graphs],
            "average": error.mean(),
            "worst": error.max(),
            "problem": "",
        },
        columns=list(COLUMNS),
    )


def _no_errors(unseen: Observations, model: str, problem: str) -> pd.DataFrame:
    nothing = errors(unseen, model, np.full(len(unseen.seconds), np.nan))
    return nothing.assign(problem=problem)


def common(rows: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
    """The rows of models and graphs that can be compared, and what was left out and why.

    A model that predicts less than half of the graphs is left out; then a graph that not all of
    the others predict.
    """
    is_known = rows["average"].notna()
    share = is_known.groupby(rows["model"]).mean()
    is_ranked = rows["model"].map(share >= FEWEST_PREDICTED)
    titles = rows["graph"] + " m=" + rows["m"].astype(str)
    missing = titles[is_ranked & ~is_known]
    is_common = ~titles.isin(missing)
    sentences = [
        f"{model} is not ranked: it predicts {share[model]:.0%} of the graphs ({_why(rows, model)})"
        for model in share.index[share < FEWEST_PREDICTED]
    ]
    if missing.size:
        names = rows["model"][missing.index].unique()
        sentences.append(
            f"{missing.nunique()} of {titles.nunique()} graphs are left out for all models: "
            + "; ".join(f"{name} does not predict them ({_why(rows, name)})" for name in names)
        )
    return rows[is_ranked & is_common].reset_index(drop=True), sentences


def _why(rows: pd.DataFrame, model: str) -> str:
    problems = rows["problem"][(rows["model"] == model) & (rows["problem"] != "")]
    return str(problems.mode().iloc[0]) if problems.size else "its errors are not finite"


def closest(seen: Observations, fits: Sequence[ModelFit]) -> ModelFit:
    """The fit with the least error of a graph, on average over the graphs it saw."""
    return min(fits, key=lambda fit: errors(seen, fit.name, ends_by(seen, fit))["average"].mean())


def summary(rows: pd.DataFrame, by: Sequence[str] = ("model",)) -> pd.DataFrame:
    """Errors over graphs: their number, the average, the worst of a graph and of a message.

    Columns: `by`, graphs, average, worst_graph, worst; models in order of first appearance.
    """
    return (
        rows.groupby(list(by), sort=False)
        .agg(
            graphs=("average", "size"),
            average_error=("average", "mean"),
            worst_graph=("average", "max"),
            worst=("worst", "max"),
        )
        .rename(columns={"average_error": "average"})
        .reset_index()
    )


def _folds(graphs: Sequence[MeasuredGraph], folds: int, rng: np.random.Generator) -> np.ndarray:
    """Fold of each graph; those of one shape share it."""
    if folds < 2:
        raise InvalidInputError(f"{folds} folds", "give at least 2")
    shapes, shape_of = Shapes(), []
    for graph in graphs:
        match = shapes.find(graph.edges)
        shape_of.append(shapes.add(graph.edges) if match is None else match[0])
    count = len(shapes.graphs)
    if count < 2:
        raise InvalidInputError(
            "all graphs have the same shape", "measure others too: contend measure messages --help"
        )
    fold_of_shape = rng.permutation(np.arange(count) % folds)
    return fold_of_shape[shape_of]
