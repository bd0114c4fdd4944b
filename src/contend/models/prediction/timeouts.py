"""Predictions of exchanges with time-outs: what they add to a table of times, and how far off.

Idea: a repetition takes the clean time, or that and what its time-outs cost: two modes. The median
is that of the mode that holds half of the repetitions; the mean lies where hardly a repetition is.
Formula: with = clean + cost; mean = clean + share cost waits, `waits` the mean number of time-outs
of a repetition that has any; median = clean where share < 1/2, else with.
"""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from contend.base.document import Columns, Floats, Frame
from contend.models.network import Network, Operation
from contend.models.prediction.verdict import by_size, verdict
from contend.models.signature import FORMS
from contend.models.timeouts import TimeoutErrors
from contend.models.timeouts.classify import Labelled
from contend.models.timeouts.separate import Separated, known_cost, separate
from contend.models.timeouts.share import Share, share_of
from contend.samples import Sample
from contend.samples.by_setting import by_setting

COLUMNS = (
    "share", "share_low", "share_high", "with_timeout", "with_low", "with_high", "mean", "median"
)  # fmt: skip


def with_timeouts(operation: Operation, rows: Columns) -> Columns:
    """Predictions (n, m, seconds, low, high) with `COLUMNS`; as they are without time-outs.

    `seconds`, `low` and `high` stay the times without a time-out.
    """
    timeouts = operation.timeouts
    if timeouts is None:
        return rows
    share, share_low, share_high = share_of(timeouts.points).predict(rows["n"], rows["m"])
    cost, clean = known_cost(timeouts), rows["seconds"]
    values = (
        *(share, share_low, share_high),
        *(clean + cost.seconds, rows["low"] + cost.low, rows["high"] + cost.high),
        clean + share * cost.seconds * timeouts.waits,
        clean + (share >= 0.5) * cost.seconds,
    )
    return rows | dict(zip(COLUMNS, values, strict=True))


def separated(operation: Operation, samples: Sequence[Sample]) -> Separated:
    """Samples apart by what a fit with time-outs knows; as they are where it has none."""
    if operation.timeouts is None:
        return Separated(list(samples))
    clean = operation.measured.by_point() if operation.measured else {}
    series = operation.algorithm, operation.processes_per_node
    measured = [sample for sample in by_setting(samples) if sample.algorithm == operation.algorithm]
    return separate(measured, operation.operation, known_cost(operation.timeouts), {series: clean})


def measured_modes(labelled: Sequence[Labelled]) -> Frame:
    """A row per point: n, m, repetitions, share, and clean and late, medians of both modes.

    NaN where there is no repetition without a time-out, or none with a single one.
    """
    import pandas as pd

    grouped: defaultdict[tuple[int, int], list[Floats]] = defaultdict(list)
    for label in labelled:
        pair = np.column_stack([label.sample.times_s, label.waits])
        grouped[label.sample.n, label.sample.m].append(pair)
    rows = [_measured(*point, grouped[point]) for point in sorted(grouped)]
    return pd.DataFrame(rows, columns=["n", "m", "repetitions", "share", "clean", "late"])


def compare_timeouts(network: Network, operation: Operation, samples: Sequence[Sample]) -> Frame:
    """Shares and both modes, predicted and measured, at every point that is classified.

    Columns n, m, repetitions, share, clean, late (measured; NaN without such repetitions),
    share_predicted, share_low, share_high, clean_predicted, late_predicted, is_unseen. Predicted
    is by the points that the fit has seen alone, and by the form that predicts.
    """
    import pandas as pd

    timeouts = operation.timeouts
    if timeouts is None:
        return pd.DataFrame()
    series = operation.algorithm, operation.processes_per_node
    labelled = separated(operation, samples).labelled.get(series, [])
    seen = timeouts.points.at(timeouts.n_fitted, timeouts.m_fitted)
    if not labelled or seen is None:
        return pd.DataFrame()
    rows = measured_modes(labelled)
    n, m = rows["n"].to_numpy(), rows["m"].to_numpy()
    share, low, high = Share(seen).predict(n, m)
    clean, message = np.empty(n.size), network.messages(operation.algorithm)
    for name, mask in by_size(operation, m).items():
        parameters = operation.forms[name].parameters
        clean[mask] = FORMS.get(name).seconds(parameters, message, n[mask], m[mask])
    is_seen = np.isin(n, timeouts.n_fitted) & np.isin(m, timeouts.m_fitted)
    return rows.assign(
        share_predicted=share,
        share_low=low,
        share_high=high,
        clean_predicted=clean,
        late_predicted=clean + float(timeouts.cost),
        is_unseen=~is_seen,
    )


def timeout_errors(
    network: Network, operation: Operation, samples: Sequence[Sample]
) -> TimeoutErrors | None:
    """Errors at the points that no fit has seen; None without time-outs or such points."""
    rows = compare_timeouts(network, operation, samples)
    rows = rows[rows["is_unseen"]] if len(rows) else rows
    if rows.empty:
        return None
    share = np.abs(rows["share_predicted"] - rows["share"])
    count = rows["repetitions"]  # of which a share is a whole number, other than its interval
    is_inside = (rows["share"] >= np.floor(rows["share_low"] * count) / count) & (
        rows["share"] <= np.ceil(rows["share_high"] * count) / count
    )
    return TimeoutErrors(
        points=len(rows),
        n_seen=tuple(int(n) for n in sorted(rows["n"].unique())),
        form=verdict(operation).form,
        share_mean=float(share.mean()),
        share_median=float(share.median()),
        share_worst=float(share.max()),
        inside=float(is_inside.mean()),
        **_relative(rows, "clean"),
        **_relative(rows, "late"),
    )


def _measured(n: int, m: int, parts: Sequence[Floats]) -> dict[str, float]:
    """Share, and the median of each mode, of the repetitions (k, 2) of launches."""
    times, waits = np.concatenate(parts).T
    modes = {name: times[waits == number] for number, name in enumerate(("clean", "late"))}
    return {"n": n, "m": m, "repetitions": times.size, "share": float((waits > 0).mean())} | {
        name: float(np.median(mode)) if mode.size else float("nan") for name, mode in modes.items()
    }


def _relative(rows: Frame, mode: str) -> dict[str, float | int | None]:
    """Number of points that have a mode, and how far off its predicted time is."""
    with_mode = rows[rows[mode].notna()]
    errors = np.abs(with_mode[f"{mode}_predicted"] / with_mode[mode] - 1)
    median, worst = (
        (float(errors.median()), float(errors.max())) if len(with_mode) else (None, None)
    )
    return {f"{mode}_points": len(with_mode), f"{mode}_median": median, f"{mode}_worst": worst}
