"""Predictions against measurements that the fit has not seen, for every form and regime."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from contend.base.errors import InvalidInputError
from contend.base.statistics.rank import FEWEST, reach
from contend.models.network import Network, Operation
from contend.models.network.evidence import (
    ErrorSummary,
    LaunchErrors,
    MeasuredPoints,
    ValidatedForm,
)
from contend.models.prediction.between_launches import by_launch, launch_errors
from contend.models.prediction.predict import validation_regimes
from contend.models.prediction.timeouts import separated, timeout_errors
from contend.models.prediction.verdict import verdict
from contend.models.signature import FORMS, FittedForm
from contend.samples import Sample, quality, table
from contend.samples.by_setting import by_setting

ALL, COMMON = "all", "common"
COLUMNS = (
    "form", "regime", "points", "median", "percentile_90", "worst", "factor_90", "factor_worst"
)  # fmt: skip


def compare(
    network: Network,
    operation: Operation,
    samples: Sequence[Sample],
    *,
    include_flagged: bool = False,
) -> pd.DataFrame:
    """Every measured point, as `measured` gives them, against every form of the operation.

    Columns: form, n, m, measured, predicted (seconds), error (predicted over measured - 1),
    regime (of the default form, so that all forms are split alike), is_unseen and is_common.
    """
    return compare_points(
        network, operation, measured(operation, samples, include_flagged=include_flagged)
    )


def compare_points(network: Network, operation: Operation, rows: pd.DataFrame) -> pd.DataFrame:
    """Compare the points (n, m, seconds) of `rows` in the same way.

    A form that makes use of every measured point predicts those of each n from all other n.
    """
    sizes = rows["m"].to_numpy()
    parts = []
    for name, fit in operation.forms.items():
        predicted = _predicted_from_other_n(network, operation, fit, rows)
        part = rows[["n", "m"]].assign(form=name, measured=rows["seconds"], predicted=predicted)
        part["is_unseen"] = _are_unseen(fit, rows)
        parts.append(part.assign(regime=validation_regimes(operation, sizes)))
    result = pd.concat(parts, ignore_index=True)
    with np.errstate(over="ignore"):
        result["error"] = result["predicted"] / result["measured"] - 1.0
    _require_finite(result)
    result["is_common"] = _are_common([part["is_unseen"].to_numpy() for part in parts])
    return result


def _predicted_from_other_n(
    network: Network, operation: Operation, fit: FittedForm, rows: pd.DataFrame
) -> np.ndarray:
    """Seconds of each row by the fit and, where it can be anchored, the points at all other n."""
    form, predicted = FORMS.get(fit.form), np.empty(len(rows))
    points = MeasuredPoints.of(rows)
    if operation.measured is not None:
        points = points.over(operation.measured)
    columns, message = points.columns(), network.messages(operation.algorithm)
    for n in rows["n"].unique():
        others = {name: values[columns["n"] != n] for name, values in columns.items()}
        refit = form.anchored(fit, others)
        at = (rows["n"] == n).to_numpy()
        predicted[at] = form.seconds(refit.parameters, message, rows["n"][at], rows["m"][at])
    return predicted


def _are_unseen(fit: FittedForm, rows: pd.DataFrame) -> pd.Series:
    return ~(rows["n"].isin(fit.n_fitted) & rows["m"].isin(fit.m_fitted))


def _require_finite(comparison: pd.DataFrame) -> None:
    wrong = comparison[~np.isfinite(comparison["error"])]
    if len(wrong):
        row = wrong.iloc[0]
        raise InvalidInputError(
            f"{row['form']} predicts {row['predicted']:.3g} s at n={row['n']}, m={row['m']}, where "
            f"{row['measured']:.3g} s were measured",
            "fit the samples again",
        )


def _are_common(unseen: Sequence[np.ndarray]) -> np.ndarray:
    """Whether no compared form has seen a point, form after form; False for forms not compared.

    A form with few points of its own left is not compared: it would leave few to all others.
    """
    flags = np.array(unseen)
    is_compared = flags.sum(axis=1) >= FEWEST
    common = np.logical_and.reduce(flags[is_compared], axis=0)
    return np.where(is_compared[:, None], common, False).ravel()


def summary(operation: Operation) -> pd.DataFrame:
    """The errors that a network file holds of an operation, as `summarise` gives them.

    The regime "common" has the points that no compared form has seen.
    """
    rows = [
        {"form": form} | errors.model_dump() | {"regime": regime}
        for form, validated in operation.validation.items()
        for regime, errors in (
            *([(COMMON, validated.common)] if validated.common else []),
            *((errors.regime, errors) for errors in validated.errors),
        )
    ]
    return _table(rows)


def measured(
    operation: Operation,
    samples: Sequence[Sample],
    *,
    include_flagged: bool = False,
    tabulate: Callable[[Iterable[Sample]], pd.DataFrame] = table.exchanges,
) -> pd.DataFrame:
    """Table of medians of the samples that belong to an operation.

    Those during which an emulated network could not keep up are left out where there are others,
    unless they are to be included. Of an operation with time-outs the medians are of repetitions
    without one.
    """
    standing = by_setting(quality.standing(samples))
    chosen = table.timed(table.select(standing, operation.operation, operation.algorithm))
    kept = [sample for sample in chosen if include_flagged or not sample.is_flagged]
    placements: dict[int | None, pd.DataFrame] = {}
    for part in filter(None, (kept, chosen)):
        placements = dict(table.by_placement(tabulate(separated(operation, part).samples)))
        if operation.processes_per_node in placements:
            return placements[operation.processes_per_node].reset_index(drop=True)
    names = ", ".join(f"{p} per node" if p else "on one node" for p in placements) or "none"
    raise InvalidInputError(
        f"no sample of {operation.title}, larger than 0 B",
        f"measure it with that placement; there is: {names}",
    )


def summarise(comparison: pd.DataFrame) -> pd.DataFrame:
    """Errors on unseen points: form, regime ("all" first), points, median, 90th percentile, worst.

    A single regime is "all" and not repeated.

    Errors are absolute and relative to the measured time; `factor_90` is the factor that a next
    prediction is within, either way, in 90 % of all cases. It and the 90th percentile are None
    where the points are too few to tell.
    """
    unseen = comparison[comparison["is_unseen"]]
    both = pd.concat([unseen.assign(regime=ALL), unseen])
    rows = [
        {"form": form, "regime": regime, **spread_of_errors(part)}
        for (form, regime), part in both.groupby(["form", "regime"], sort=False)
        if regime == ALL or unseen["regime"].nunique() > 1
    ]
    return _table(rows)


def _table(rows: Sequence[Mapping[str, object]]) -> pd.DataFrame:
    """Rows of errors, NaN where 90 % are not known."""
    types = {"percentile_90": np.float64, "factor_90": np.float64}
    return pd.DataFrame(rows, columns=list(COLUMNS)).astype(types)


def spread_of_errors(part: pd.DataFrame) -> dict[str, float | int | None]:
    """Number, median, reach of 90 % and worst of the column `error`, which is signed."""
    error = part["error"].abs()
    factor = np.exp(np.abs(np.log(np.maximum(1.0 + part["error"], 1e-12))))
    return {
        "points": len(part),
        "median": float(error.median()),
        "percentile_90": reach(error),
        "worst": float(error.max()),
        "factor_90": reach(factor),
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
            rows = measured(operation, samples, include_flagged=include_flagged)
        except InvalidInputError as problem:
            problems.append(problem)
            operations.append(operation)
            continue
        judged = operation.model_copy(update=_judged(network, operation, rows))
        fields = {
            "timeout_errors": timeout_errors(network, judged, samples),
            "between_launches": _between_launches(judged, samples, include_flagged=include_flagged),
        }
        operations.append(judged.model_copy(update=fields))
    if not operations:
        raise InvalidInputError(
            f"{network.name!r} holds no operation", "fit samples of an operation, then validate"
        )
    if len(problems) == len(operations):
        raise problems[0]
    if not any(operation.validation for operation in operations):
        raise InvalidInputError(
            "every measured point was used in the fit",
            "measure other process counts or sizes, or fit fewer",
        )
    return network.model_copy(update={"operations": tuple(operations)})


def keep_errors(path: Path, before: Network, after: Network) -> tuple[bool, list[str]]:
    """Merge the errors that `record` has added into a network file.

    Return whether they were kept, which they are not where the file holds errors of more points,
    and what there is to say of it.
    """
    if points(after) < points(before):
        return False, ["the network file holds errors of more points, which were kept"]
    pairs = zip(after.operations, before.operations, strict=True)
    judged = tuple(now for now, old in pairs if now.validation is not old.validation)
    parts = after.model_copy(update={"operations": judged})
    merged = parts.merge_into(path, only_validation=True)
    return True, [
        f"{title} was fitted anew meanwhile, its errors were not kept" for title in merged.outdated
    ]


def strangers(network: Network, samples: Sequence[Sample]) -> list[str]:
    """What tells that samples are of another machine or library than the network.

    One host in common is enough: single messages are measured between two of many.
    """
    fitted = {
        "MPI library": {name for origin in network.all_origins for name in origin.mpi_libraries},
        "host": {host for origin in network.all_origins for host in origin.hosts},
    }
    read = {
        "MPI library": {s.provenance.mpi_library for s in samples if s.provenance.mpi_library},
        "host": {host for s in samples for host in s.provenance.hosts},
    }
    return [
        f"the samples are of the {condition} "
        f"{', '.join(sorted(read[condition] - fitted[condition]))}, "
        f"the network of {', '.join(sorted(fitted[condition]))}"
        for condition in fitted
        if fitted[condition] and read[condition] - fitted[condition]
        if condition != "host" or fitted[condition].isdisjoint(read[condition])
    ]


def points(network: Network) -> int:
    """Points that stand behind the validation of a network, over operations and forms."""
    return sum(
        form.errors[0].points
        for operation in network.operations
        for form in operation.validation.values()
    )


def _judged(network: Network, operation: Operation, rows: pd.DataFrame) -> dict[str, object]:
    """The fields of an operation that validation fills, from its measured points."""
    comparison = compare_points(network, operation, rows)
    validation = {
        form: _validated(part, comparison[comparison["form"] == form])
        for form, part in summarise(comparison).groupby("form")
    }
    earlier, points = operation.measured, MeasuredPoints.of(rows)
    return {"validation": validation, "measured": points.over(earlier) if earlier else points}


def _between_launches(
    operation: Operation, samples: Sequence[Sample], *, include_flagged: bool
) -> LaunchErrors | None:
    """How far launches lie apart at points that the form that predicts has not seen."""
    if not operation.forms:
        return None
    rows = measured(operation, samples, include_flagged=include_flagged, tabulate=by_launch)
    return launch_errors(rows[_are_unseen(operation.forms[verdict(operation).form], rows)])


def _validated(summary: pd.DataFrame, points: pd.DataFrame) -> ValidatedForm:
    unseen, common = points[points["is_unseen"]], points[points["is_common"]]
    rows = summary.drop(columns="form").to_dict("records")
    given = [{key: value for key, value in row.items() if not pd.isna(value)} for row in rows]
    return ValidatedForm(
        errors=tuple(ErrorSummary.model_validate(row) for row in given),
        common=ErrorSummary(regime=COMMON, **spread_of_errors(common)) if len(common) else None,
        n_seen=tuple(int(n) for n in sorted(unseen["n"].unique())),
        m_seen=tuple(int(m) for m in sorted(unseen["m"].unique())),
    )


def ordered_forms(operation: Operation) -> list[str]:
    """Names of the forms fitted, signatures before baselines."""
    return sorted(operation.forms, key=lambda name: (FORMS.get(name).role != "signature", name))
