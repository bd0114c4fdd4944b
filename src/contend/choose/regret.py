"""What choosing by prediction costs, against the best that was measured.

Idea: of a call (operation, conditions, n, placement, root, m) the candidates are all algorithms
with their options that were measured there. The one with the least predicted time is chosen; its
regret is its measured time over the least measured one, 1 for the best choice there was. A figure
means something next to those of rivals that predict nothing: always the same algorithm (which of
them is best is known afterwards only), and any candidate at random.
Restrictions: calls with one candidate leave no choice and are left out. An algorithm that is always
taken must have been measured in every call; its options are those with the least predicted time.
The least of several noisy medians is low by chance, so a regret is rather too large.
"""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from contend.choose.compare import CALL, CANDIDATE
from contend.document import Floats

CHOSEN, RANDOM, ALWAYS = "predicted", "at random", "always "
REGRETS = [
    *CALL, "candidates", "algorithm", "options", "predicted", "measured", "regret",
    "best_algorithm", "best_options", "best_measured", "is_told_from_best",
]  # fmt: skip
RIVALS = ["operation", "rule", "calls", "mean", "median", "percentile_90", "worst", "best"]


def regrets(points: pd.DataFrame) -> pd.DataFrame:
    """The choice in each call of what `compare` returned: a row per call, columns `REGRETS`.

    `is_told_from_best` says whether the interval of the chosen one lies above that of the best.
    """
    return pd.DataFrame([_choice(call) for call in _calls(points)], columns=REGRETS)


def rivals(points: pd.DataFrame) -> pd.DataFrame:
    """Regrets of choosing by each rule: a row per operation and rule, columns `RIVALS`.

    The rules are `CHOSEN`, `ALWAYS` and an algorithm's name, by mean regret, and `RANDOM`, of which
    each call has the mean over the candidates. `best` is the share of calls in which the rule took
    the best or one that is not told from it; NaN for `RANDOM`.
    """
    rows = [
        row
        for operation, part in points.groupby("operation")
        for row in _rules(str(operation), list(_calls(part)))
    ]
    return pd.DataFrame(rows, columns=RIVALS)


def best_fixed(rules: pd.DataFrame) -> pd.DataFrame:
    """What `rivals` returned, with the best algorithm alone of those that are always taken."""
    is_fixed = rules["rule"].str.startswith(ALWAYS)
    best = rules[is_fixed].groupby("operation")["mean"].idxmin()
    return rules[~is_fixed | rules.index.isin(best)].reset_index(drop=True)


def _calls(points: pd.DataFrame) -> Iterator[pd.DataFrame]:
    """Candidates of each call that has several, by predicted time, then fewer options."""
    ordered = points.assign(
        rounded=[float(f"{value:.9g}") for value in points["predicted"]],
        given=points["options"].map(len),
    ).sort_values(["rounded", "given", *CANDIDATE])
    for _, call in ordered.groupby(CALL):
        if len(call) > 1:
            yield call


def _choice(call: pd.DataFrame) -> dict[str, object]:
    chosen, best = call.iloc[0], call.loc[call["measured"].idxmin()]
    return {
        **{name: chosen[name] for name in [*CALL, *CANDIDATE, "predicted", "measured"]},
        "candidates": len(call),
        "regret": chosen["measured"] / best["measured"],
        "best_algorithm": best["algorithm"],
        "best_options": best["options"],
        "best_measured": best["measured"],
        "is_told_from_best": _is_told(chosen, best),
    }


def _is_told(one: "pd.Series[object]", best: "pd.Series[object]") -> bool:
    """Whether the interval of one lies above that of the best: never where either has none."""
    return bool(one["low"] > best["high"])


def _rules(operation: str, calls: list[pd.DataFrame]) -> Iterator[dict[str, object]]:
    """What each rule costs in the calls of an operation."""
    if not calls:
        return
    yield _rule(operation, CHOSEN, [call.iloc[0] for call in calls], calls)
    everywhere = set.intersection(*(set(call["algorithm"]) for call in calls))
    fixed = [
        _rule(operation, ALWAYS + name, [_first(call, name) for call in calls], calls)
        for name in sorted(everywhere)
    ]
    yield from sorted(fixed, key=lambda row: float(row["mean"]))  # type: ignore[arg-type]
    mean = np.array([call["measured"].mean() / call["measured"].min() for call in calls])
    yield {"operation": operation, "rule": RANDOM, **_spread(mean), "best": float("nan")}


def _first(call: pd.DataFrame, algorithm: str) -> "pd.Series[object]":
    """The candidate of an algorithm with the least predicted time."""
    return call[call["algorithm"] == algorithm].iloc[0]


def _rule(
    operation: str, rule: str, taken: "list[pd.Series[object]]", calls: list[pd.DataFrame]
) -> dict[str, object]:
    best = [call.loc[call["measured"].idxmin()] for call in calls]
    pairs = list(zip(taken, best, strict=True))
    ratio = np.array([one["measured"] / least["measured"] for one, least in pairs])
    as_good = [not _is_told(one, least) for one, least in pairs]
    return {"operation": operation, "rule": rule, **_spread(ratio), "best": float(np.mean(as_good))}


def _spread(regret: Floats) -> dict[str, float | int]:
    return {
        "calls": regret.size,
        "mean": float(regret.mean()),
        "median": float(np.median(regret)),
        "percentile_90": float(np.quantile(regret, 0.9)),
        "worst": float(regret.max()),
    }
