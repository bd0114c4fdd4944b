"""Predictions against measurements that the fit has not seen, for every form and regime."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from contend.errors import InvalidInputError
from contend.network import ErrorSummary, Network, Operation, ValidatedForm
from contend.predict import DEFAULT_FORM
from contend.samples import Sample, table
from contend.signature import FORMS

ALL = "all"


def compare(network: Network, operation: Operation, samples: Sequence[Sample]) -> pd.DataFrame:
    """Every measured point against every form of the operation.

    Columns: form, n, m, measured, predicted (seconds), error (predicted over measured - 1),
    regime (of the default form, so that all forms are split alike) and is_unseen.
    """
    rows = measured(operation, samples)
    sizes = rows["m"].to_numpy()
    parts = []
    for name, fit in operation.forms.items():
        form = FORMS.get(name)
        predicted = form.seconds(fit.parameters, network.point_to_point, rows["n"], sizes)
        part = rows[["n", "m"]].assign(form=name, measured=rows["seconds"], predicted=predicted)
        part["is_unseen"] = ~(rows["n"].isin(fit.n_fitted) & rows["m"].isin(fit.m_fitted))
        parts.append(part.assign(regime=_regimes(operation, sizes)))
    result = pd.concat(parts, ignore_index=True)
    result["error"] = result["predicted"] / result["measured"] - 1.0
    return result


def measured(operation: Operation, samples: Sequence[Sample]) -> pd.DataFrame:
    """Table of medians of the samples that belong to an operation."""
    chosen = table.select(samples, operation.operation, operation.algorithm)
    rows = table.medians(chosen)
    if operation.processes_per_node is not None:
        rows = rows[rows["processes_per_node"] == operation.processes_per_node]
    if rows.empty:
        raise InvalidInputError(
            f"no sample of {operation.title}", "measure it with that many processes per node"
        )
    return rows.reset_index(drop=True)


def _regimes(operation: Operation, sizes: np.ndarray) -> list[str]:
    fit = operation.forms.get(DEFAULT_FORM)
    if fit is None:
        return ["all sizes"] * len(sizes)
    return FORMS.get(DEFAULT_FORM).regime(fit.parameters, sizes)


def summarise(comparison: pd.DataFrame) -> pd.DataFrame:
    """Errors on unseen points: form, regime ("all" first), points, median, 90th percentile, worst.

    A single regime is "all" and not told again.

    Errors are absolute and relative to the measured time; `factor_90` is the factor that 90 % of
    the predictions are within, either way.
    """
    unseen = comparison[comparison["is_unseen"]]
    both = pd.concat([unseen.assign(regime=ALL), unseen])
    rows = [
        {"form": form, "regime": regime, **_errors(part)}
        for (form, regime), part in both.groupby(["form", "regime"], sort=False)
        if regime == ALL or unseen["regime"].nunique() > 1
    ]
    columns = ["form", "regime", "points", "median", "percentile_90", "worst", "factor_90"]
    return pd.DataFrame(rows, columns=columns)


def _errors(part: pd.DataFrame) -> dict[str, float | int]:
    error = part["error"].abs()
    factor = np.exp(np.abs(np.log(np.maximum(1.0 + part["error"], 1e-12))))
    return {
        "points": len(part),
        "median": float(error.median()),
        "percentile_90": float(error.quantile(0.9)),
        "worst": float(error.max()),
        "factor_90": float(factor.quantile(0.9)),
    }


def record(network: Network, samples: Sequence[Sample]) -> Network:
    """The network with the errors of each form on the unseen points of `samples`."""
    operations = []
    for operation in network.operations:
        comparison = compare(network, operation, samples)
        summary = summarise(comparison)
        operations.append(
            operation.model_copy(
                update={
                    "validation": {
                        form: _validated(part, comparison[comparison["form"] == form])
                        for form, part in summary.groupby("form")
                    }
                }
            )
        )
    if not any(operation.validation for operation in operations):
        raise InvalidInputError(
            "every measured point was used in the fit",
            "measure other process counts or sizes, or fit fewer",
        )
    return network.model_copy(update={"operations": tuple(operations)})


def _validated(summary: pd.DataFrame, points: pd.DataFrame) -> ValidatedForm:
    unseen = points[points["is_unseen"]]
    return ValidatedForm(
        errors=tuple(
            ErrorSummary(**row) for row in summary.drop(columns="form").to_dict("records")
        ),
        n_seen=tuple(int(n) for n in sorted(unseen["n"].unique())),
        m_seen=tuple(int(m) for m in sorted(unseen["m"].unique())),
    )
