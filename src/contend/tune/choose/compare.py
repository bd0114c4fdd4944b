"""Predicted and measured times of collective algorithms, and what choosing by prediction costs.

Idea: every point that was run as a schedule is a candidate (an algorithm with its options) for a
call (operation, conditions, n, placement, root, m); its prediction has the same options.
Options that were not given are those by default, and a segment longer than the message is the
message, so that one schedule is one candidate, whatever file its samples are from.
Restrictions: samples that no algorithm of the catalogue wrote are left out, and those of algorithms
that look at groups, which samples do not name. Times are without contention, or with ports that are
shared; that is what the errors show.

Regret: of the candidates of a call the one with the least predicted time is chosen; its
regret is its measured time over the least measured one, 1 for the best choice there was. A figure
means something next to those of rivals that predict nothing: always the same algorithm (which of
them is best is known afterwards only), and any candidate at random.
Restrictions: calls with one candidate leave no choice and are left out. An algorithm that is always
taken must have been measured in every call; its options are those with the least predicted time.
The least of several noisy medians is low by chance, so a regret is rather too large.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import pandas as pd

from contend.base.errors import InvalidInputError
from contend.models.prediction.validate import spread_of_errors
from contend.samples import Sample, quality, table
from contend.samples.setting import split_conditions
from contend.schedules import COLLECTIVES, Algorithm, Call, algorithms, choosable
from contend.schedules.fitting.record import Parameters
from contend.schedules.pointtopoint import PLogP
from contend.schedules.timing.predict import Timing, nearest_times

Options = tuple[tuple[str, int], ...]
ParametersOf = Callable[[str], Parameters | None]  # an operation
CALL = ["operation", "conditions", "n", "processes_per_node", "root", "m"]
CANDIDATE = ["algorithm", "options"]
COLUMNS = [*CALL, *CANDIDATE, "measured", "low", "high", "launches", "predicted", "error"]
_OF_SERIES = ["n", "processes_per_node", "root", "conditions"]


class _Series(NamedTuple):
    """What samples share that are points of one candidate over n and m."""

    operation: str
    algorithm: str
    options: Options
    root: int
    conditions: str


def compare(
    parameters: PLogP | ParametersOf,
    samples: Sequence[Sample],
    timing: Timing = nearest_times,
    *,
    include_flagged: bool = False,
) -> pd.DataFrame:
    """Table with a row per candidate and call, and the columns `COLUMNS`.

    `parameters` is one set of them, or gives those of an operation (`Network.parameters`).
    `measured` is the median over launches in seconds, `low` and `high` as in `table.medians`;
    `predicted` is in seconds, `error` is predicted / measured - 1; `options` are pairs of name and
    value; `processes_per_node` is 0 where it is unknown, `conditions` are "" by default.

    Raises
    ------
    InvalidInputError
        For samples of no algorithm of the catalogue, or only such that an overburdened emulation
        disturbed.
    """
    chosen = of_schedules(samples)
    if not chosen:
        names = sorted({f"{sample.experiment}/{sample.algorithm}" for sample in samples})
        raise InvalidInputError(
            f"no sample of a schedule among {', '.join(names) or 'no samples'}",
            "write some: contend measure collectives bcast binomial -n 4,8 -m 64KiB -o s.jsonl",
        )
    series: defaultdict[_Series, list[Sample]] = defaultdict(list)
    for sample in quality.trusted(chosen, COLLECTIVES, include_flagged):
        series[_series(sample)].append(sample)
    parts = [part for key, same in series.items() for part in _parts(key, same, parameters, timing)]
    rows = pd.concat(parts, ignore_index=True)
    rows["error"] = rows["predicted"] / rows["measured"] - 1.0
    return rows[COLUMNS].sort_values([*CALL, *CANDIDATE], ignore_index=True)


def of_schedules(samples: Sequence[Sample]) -> list[Sample]:
    catalogue = {
        name: {algorithm.name for algorithm in choosable(name, None)} for name in COLLECTIVES
    }
    return [
        sample for sample in samples if sample.algorithm in catalogue.get(sample.experiment, ())
    ]


def errors(points: pd.DataFrame) -> pd.DataFrame:
    """Errors of what `compare` returned: a row per operation and algorithm.

    Columns: operation, algorithm, points, bias (median of the signed errors), and of the absolute
    errors median, percentile_90 and worst.
    """
    rows = [
        {
            "operation": operation,
            "algorithm": algorithm,
            "bias": float(part["error"].median()),
            **spread_of_errors(part),
        }
        for (operation, algorithm), part in points.groupby(["operation", "algorithm"])
    ]
    columns = [
        "operation", "algorithm", "points", "bias", "median", "percentile_90", "worst"
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=columns)


def best_options(points: pd.DataFrame) -> pd.DataFrame:
    """Return per algorithm and call the options of least predicted time; no empty messages.

    The column `series` names the n, the placement and the root where they differ, and conditions.
    """
    sized = points[points["m"] > 0].sort_values(["predicted", "options"])
    best = sized.drop_duplicates([*CALL, "algorithm"]).sort_values([*_OF_SERIES, "m"])
    has_placements = best["processes_per_node"].nunique() > 1
    keys = zip(*(best[name] for name in _OF_SERIES), strict=True)
    return best.assign(
        series=[_series_name(n, p if has_placements else 0, *rest) for n, p, *rest in keys]
    )


def by_series(best: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    """The series of an algorithm, ascending in n."""
    for name, rows in best.groupby("series", sort=False):
        yield str(name), rows


def _series_name(n: int, placed: int, root: int, conditions: str) -> str:
    text = f"n = {n}"
    text += f", {placed} per node" if placed else ""
    text += f", root {root}" if root else ""
    return text + (f", {conditions}" if conditions else "")


def _series(sample: Sample) -> _Series:
    given = sample.parameters or {}
    algorithm = algorithms(sample.experiment).get(sample.algorithm)
    options = {name: int(given.get(name, getattr(Call, name))) for name in algorithm.options}
    if "segment" in options:
        options["segment"] = min(options["segment"], max(sample.m, 1))
    return _Series(
        sample.experiment,
        sample.algorithm,
        tuple(options.items()),
        int(given.get("root", 0)),
        split_conditions(sample.setting)[1],
    )


def _parts(
    key: _Series, samples: Sequence[Sample], parameters: PLogP | ParametersOf, timing: Timing
) -> Iterator[pd.DataFrame]:
    """The points of a candidate, measured and predicted, a table for each n."""
    algorithm = algorithms(key.operation).get(key.algorithm)
    plogp = parameters if isinstance(parameters, PLogP) else _parameters(parameters, algorithm)
    for n, part in table.medians(samples).groupby("n"):
        named = part.rename(columns={"seconds": "measured"}).reset_index(drop=True)
        for name in ("operation", "algorithm", "root", "conditions"):
            named[name] = getattr(key, name)
        named["options"] = [key.options] * len(named)
        named["predicted"] = [
            float(timing(algorithm, plogp, int(n), int(m), **dict(key.options))[0].seconds)
            for m in named["m"]
        ]
        yield named


def _parameters(parameters: ParametersOf, algorithm: Algorithm) -> PLogP:
    of_operation = parameters(algorithm.collective)
    if of_operation is None:
        raise InvalidInputError(
            f"no parameters to predict {algorithm.collective} by",
            "fit point-to-point samples by 'contend fit', or these by 'contend fit --schedules'",
        )
    return of_operation.of(algorithm)


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
    the best or one that does not differ from it significantly; NaN for `RANDOM`.
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
