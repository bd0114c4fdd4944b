"""Times of collective algorithms on many nodes, predicted from times on a few.

    python -m benchmarks.collectives_from_few_nodes samples.jsonl 8 64

Parameters are fitted to the samples at the first number of processes alone. Prints the errors
at the second by algorithm and size, those of other ways to predict, and the regret of choosing.
"""

import sys
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pandas as pd
from benchmarks.against_all import against_all, summary

from contend.cli.output import markdown
from contend.samples import read_samples
from contend.schedules.fitting.fit import fit, line
from contend.schedules.fitting.record import fit_schedules, parameters
from contend.schedules.fitting.series import Series, series_of
from contend.schedules.pointtopoint import PLogP
from contend.tune.choose.compare import CHOSEN, compare, regrets, rivals

SIZES = {"to 4 KiB": (0, 4 << 10), "to 256 KiB": (4 << 10, 256 << 10), "above": (256 << 10, np.inf)}
Way = Callable[[Series], np.ndarray]  # times of a series on many nodes


def ways(few: list[Series]) -> dict[str, Way]:
    """Ways to predict from the series on few nodes."""
    fits = fit_schedules(few)
    own = {one.title: one.plogp for one in fits}
    lines = {name: line(those) for name, those in by_operation(few).items()}
    measured = {one.name: one for one in few}

    def without(one: Series) -> PLogP:
        rest = [s for s in few if s.operation == one.operation and s.name != one.name]
        return fit(rest, own["all operations"])

    def before(one: Series) -> Series:
        """What was measured on few nodes, at the sizes of a series on many."""
        old = measured[one.name]
        seconds = np.exp(np.interp(np.log(one.m), np.log(old.m), np.log(old.seconds)))
        return replace(one, n=old.n, seconds=seconds)

    def scaled(one: Series, known: PLogP) -> np.ndarray:
        """The time on few nodes, times the ratio of the closed forms."""
        old = before(one)
        return old.seconds * one.predicted(known) / old.predicted(known)

    return {
        "pLogP of the algorithm": lambda one: one.predicted(own[one.name]),
        "pLogP of the operation": lambda one: one.predicted(own[one.operation]),
        "pLogP of all operations": lambda one: one.predicted(own["all operations"]),
        "pLogP of its other algorithms": lambda one: one.predicted(without(one)),
        "Hockney of the operation": lambda one: one.predicted(lines[one.operation]),
        "time x ratio by that Hockney": lambda one: scaled(one, lines[one.operation]),
        "time x ratio by pLogP of the operation": lambda one: scaled(one, own[one.operation]),
        "the time on few nodes": lambda one: before(one).seconds,
    }


def by_operation(series: list[Series]) -> dict[str, list[Series]]:
    """The series of each operation."""
    names = dict.fromkeys(one.operation for one in series)
    return {name: [one for one in series if one.operation == name] for name in names}


def show(title: str, rows: pd.DataFrame) -> None:
    """Print a table."""
    print(f"\n{title}\n\n{markdown(rows.map(_text))}")


def _text(cell: object) -> str:
    if not isinstance(cell, float):
        return str(cell)
    return "" if np.isnan(cell) else f"{cell:.2f}"


def quantiles(errors: np.ndarray) -> dict[str, float]:
    """Median, 90th percentile and worst of absolute errors."""
    size = np.abs(errors)
    return {"median": np.median(size), "90 %": np.quantile(size, 0.9), "worst": size.max()}


def by_algorithm(points: pd.DataFrame) -> pd.DataFrame:
    """Errors of each algorithm's own parameters, and by size the median ratio."""
    rows = []
    for (operation, name), part in points.groupby(["operation", "algorithm"]):
        row = {"operation": operation, "algorithm": name, "points": len(part)}
        row |= quantiles(part["error"].to_numpy())
        for label, (low, high) in SIZES.items():
            chosen = part[(part["m"] > low) & (part["m"] <= high)]
            row[label] = (chosen["predicted"] / chosen["measured"]).median()
        rows.append(row)
    return pd.DataFrame(rows)


def by_way(few: list[Series], many: list[Series]) -> pd.DataFrame:
    """Errors of each way to predict, and their median by operation."""
    rows = []
    for name, way in ways(few).items():
        errors = {one.name: way(one) / one.seconds - 1 for one in many}
        row = {"way": name} | quantiles(np.concatenate(list(errors.values())))
        for operation, those in by_operation(many).items():
            own = np.concatenate([errors[one.name] for one in those])
            row[operation] = np.median(np.abs(own))
        rows.append(row)
    return pd.DataFrame(rows)


def main(path: str, at: int, then: int) -> None:
    """Print the tables."""
    samples = read_samples(path)
    few, many = series_of(samples, at), series_of(samples, then)
    fits = fit_schedules(few)
    there = [sample for sample in samples if sample.n == then]
    points = compare(lambda operation: parameters(fits, operation), there)
    show(f"errors at n = {then}, and the median of predicted over measured", by_algorithm(points))
    known = {one.name for one in few}
    show(f"errors at n = {then} by way", by_way(few, [one for one in many if one.name in known]))
    rules = rivals(points)
    chosen = rules[rules["rule"] == CHOSEN]
    chosen = chosen.drop(columns="best").rename(columns={"percentile_90": "90 %"})
    show("regret in the catalogue", chosen)
    show("the same of all operations", regrets(points)[["regret"]].describe().T)
    everything = against_all(points, there)
    show("regret against all that was measured", summary(everything))
    show("each choice", everything.drop(columns=["n", "processes_per_node"]))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
