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

from typing import Any

import pandas as pd

from contend.choose.compare import CALL, CANDIDATE

CHOSEN, RANDOM, ALWAYS = "predicted", "at random", "always "
REGRETS = [
    *CALL, "candidates", "algorithm", "options", "predicted", "measured", "regret",
    "best_algorithm", "best_options", "best_measured", "is_told_from_best",
]  # fmt: skip
RIVALS = ["operation", "rule", "calls", "mean", "median", "percentile_90", "worst", "best"]


def regrets(points: pd.DataFrame) -> pd.DataFrame:
    """The choice in each call of what `compare` returned: a row per call, columns `REGRETS`.

    `is_told_from_best` says whether the interval of the chosen one lies above that of the best:
    never where either has none.
    """
    chosen = _candidates(points).drop_duplicates(CALL)
    return chosen[REGRETS].sort_values(CALL, ignore_index=True)


def rivals(points: pd.DataFrame) -> pd.DataFrame:
    """Regrets of choosing by each rule: a row per operation and rule, columns `RIVALS`.

    The rules are `CHOSEN`, `ALWAYS` and an algorithm's name, by mean regret, and `RANDOM`, of which
    each call has the mean over the candidates. `best` is the share of calls in which the rule took
    the best or one that is not told from it; NaN for `RANDOM`.
    """
    rows = []
    for operation, part in _candidates(points).groupby("operation"):
        calls, first = part.drop_duplicates(CALL), part.drop_duplicates([*CALL, "algorithm"])
        fixed = [
            _rule(ALWAYS + str(name), taken)
            for name, taken in first.groupby("algorithm")
            if len(taken) == len(calls)
        ]
        mean = part.groupby(CALL)[["regret"]].mean().assign(is_told_from_best=float("nan"))
        rules = [_rule(CHOSEN, calls), *sorted(fixed, key=lambda row: row["mean"])]
        rows += [{"operation": operation, **rule} for rule in (*rules, _rule(RANDOM, mean))]
    return pd.DataFrame(rows, columns=RIVALS)


def best_fixed(rules: pd.DataFrame) -> pd.DataFrame:
    """What `rivals` returned, with the best algorithm alone of those that are always taken."""
    is_fixed = rules["rule"].str.startswith(ALWAYS)
    best = rules[is_fixed].groupby("operation")["mean"].idxmin()
    return rules[~is_fixed | rules.index.isin(best)].reset_index(drop=True)


def _candidates(points: pd.DataFrame) -> pd.DataFrame:
    """Candidates of calls that have several, each beside the best of its call.

    In each call by predicted time, then fewer options.
    """
    ordered = points.assign(
        rounded=[float(f"{value:.9g}") for value in points["predicted"]],
        given=points["options"].map(len),
    ).sort_values(["rounded", "given", *CANDIDATE])
    calls = ordered.groupby(CALL)
    best = ordered.loc[calls["measured"].idxmin(), [*CALL, *CANDIDATE, "measured", "high"]]
    best = best.rename(columns=lambda name: name if name in CALL else f"best_{name}")
    several = ordered.assign(candidates=calls["algorithm"].transform("size"))
    rows = several[several["candidates"] > 1].merge(best, on=CALL)
    return rows.assign(
        regret=rows["measured"] / rows["best_measured"],
        is_told_from_best=rows["low"] > rows["best_high"],
    )


def _rule(rule: str, taken: pd.DataFrame) -> dict[str, Any]:
    """What a rule costs in the calls of an operation, by the candidates that it takes."""
    regret = taken["regret"]
    return {
        "rule": rule,
        "calls": len(taken),
        "mean": float(regret.mean()),
        "median": float(regret.median()),
        "percentile_90": float(regret.quantile(0.9)),
        "worst": float(regret.max()),
        "best": float(1 - taken["is_told_from_best"].mean()),
    }
