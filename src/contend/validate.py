"""Predictions against measurements that the fit has not seen, for every form and regime."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from contend.errors import InvalidInputError
from contend.network import ErrorSummary, Network, Operation, ValidatedForm
from contend.predict import validation_regimes
from contend.samples import Sample, quality, table
from contend.signature import FORMS

ALL = "all"


def compare(
    network: Network,
    operation: Operation,
    samples: Sequence[Sample],
    *,
    include_flagged: bool = False,
) -> pd.DataFrame:
    """Every measured point, as `measured` gives them, against every form of the operation.

    Columns: form, n, m, measured, predicted (seconds), error (predicted over measured - 1),
    regime (of the default form, so that all forms are split alike) and is_unseen.
    """
    rows = measured(operation, samples, include_flagged=include_flagged)
    sizes = rows["m"].to_numpy()
    parts = []
    for name, fit in operation.forms.items():
        form = FORMS.get(name)
        predicted = form.seconds(fit.parameters, network.point_to_point, rows["n"], sizes)
        part = rows[["n", "m"]].assign(form=name, measured=rows["seconds"], predicted=predicted)
        part["is_unseen"] = ~(rows["n"].isin(fit.n_fitted) & rows["m"].isin(fit.m_fitted))
        parts.append(part.assign(regime=validation_regimes(operation, sizes)))
    result = pd.concat(parts, ignore_index=True)
    result["error"] = result["predicted"] / result["measured"] - 1.0
    return result


def measured(
    operation: Operation, samples: Sequence[Sample], *, include_flagged: bool = False
) -> pd.DataFrame:
    """Table of medians of the samples that belong to an operation.

    Those during which an emulated network could not keep up are left out where there are others,
    unless they are to be included.
    """
    standing = quality.standing(samples)
    chosen = table.timed(table.select(standing, operation.operation, operation.algorithm))
    kept = [sample for sample in chosen if include_flagged or not sample.is_flagged]
    placements: dict[int | None, pd.DataFrame] = {}
    for part in filter(None, (kept, chosen)):
        placements = dict(table.by_placement(table.exchanges(part)))
        if operation.processes_per_node in placements:
            return placements[operation.processes_per_node].reset_index(drop=True)
    there = ", ".join(f"{p} per node" if p else "on one node" for p in placements) or "none"
    raise InvalidInputError(
        f"no sample of {operation.title}, larger than 0 B",
        f"measure it with that placement; there is: {there}",
    )


def summarise(comparison: pd.DataFrame) -> pd.DataFrame:
    """Errors on unseen points: form, regime ("all" first), points, median, 90th percentile, worst.

    A single regime is "all" and not told again.

    Errors are absolute and relative to the measured time; `factor_90` is the factor that 90 % of
    the predictions are within, either way.
    """
    unseen = comparison[comparison["is_unseen"]]
    both = pd.concat([unseen.assign(regime=ALL), unseen])
    rows = [
        {"form": form, "regime": regime, **spread_of_errors(part)}
        for (form, regime), part in both.groupby(["form", "regime"], sort=False)
        if regime == ALL or unseen["regime"].nunique() > 1
    ]
    columns = [
        "form",
        "regime",
        "points",
        "median",
        "percentile_90",
        "worst",
        "factor_90",
        "factor_worst",
    ]
    return pd.DataFrame(rows, columns=columns)


def spread_of_errors(part: pd.DataFrame) -> dict[str, float | int]:
    """Number, median, 90th percentile and worst of the column `error`, which is signed."""
    error = part["error"].abs()
    factor = np.exp(np.abs(np.log(np.maximum(1.0 + part["error"], 1e-12))))
    return {
        "points": len(part),
        "median": float(error.median()),
        "percentile_90": float(error.quantile(0.9)),
        "worst": float(error.max()),
        "factor_90": float(factor.quantile(0.9)),
        "factor_worst": float(factor.max()),
    }


def record(
    network: Network, samples: Sequence[Sample], *, include_flagged: bool = False
) -> Network:
    """The network with the errors of each form on the unseen points of `samples`.

    Operations that `samples` do not hold keep what they had. No prediction can be judged on samples
    during which an emulated network could not keep up: they are left out, unless they are to be
    included.
    """
    names = {operation.operation for operation in network.operations}
    samples = quality.trusted(samples, names, include_flagged)
    operations, problems = [], []
    for operation in network.operations:
        try:
            comparison = compare(network, operation, samples, include_flagged=include_flagged)
        except InvalidInputError as problem:
            problems.append(problem)
            operations.append(operation)
            continue
        validation = {
            form: _validated(part, comparison[comparison["form"] == form])
            for form, part in summarise(comparison).groupby("form")
        }
        operations.append(operation.model_copy(update={"validation": validation}))
    if not operations:
        raise InvalidInputError(
            f"{network.name!r} holds no operation", "fit samples of an exchange, then validate"
        )
    if len(problems) == len(operations):
        raise problems[0]
    if not any(operation.validation for operation in operations):
        raise InvalidInputError(
            "every measured point was used in the fit",
            "measure other process counts or sizes, or fit fewer",
        )
    return network.model_copy(update={"operations": tuple(operations)})


def strangers(network: Network, samples: Sequence[Sample]) -> list[str]:
    """What tells that samples are of another machine or library than the network.

    One host in common is enough: single messages are measured between two of many.
    """
    known = {
        "MPI library": set(network.origin.mpi_libraries),
        "host": set(network.origin.hosts),
    }
    found = {
        "MPI library": {s.provenance.mpi_library for s in samples if s.provenance.mpi_library},
        "host": {host for s in samples for host in s.provenance.hosts},
    }
    return [
        f"the samples are of the {what} {', '.join(sorted(found[what] - known[what]))}, "
        f"the network of {', '.join(sorted(known[what]))}"
        for what in known
        if known[what] and found[what] - known[what]
        if what != "host" or known[what].isdisjoint(found[what])
    ]


def points(network: Network) -> int:
    """Points that stand behind the validation of a network, over operations and forms."""
    return sum(
        form.errors[0].points
        for operation in network.operations
        for form in operation.validation.values()
    )


def _validated(summary: pd.DataFrame, points: pd.DataFrame) -> ValidatedForm:
    unseen = points[points["is_unseen"]]
    return ValidatedForm(
        errors=tuple(
            ErrorSummary(**row) for row in summary.drop(columns="form").to_dict("records")
        ),
        n_seen=tuple(int(n) for n in sorted(unseen["n"].unique())),
        m_seen=tuple(int(m) for m in sorted(unseen["m"].unique())),
    )
