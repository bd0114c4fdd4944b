"""Predictions of a network file against measurements, and sharing models against graphs."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from contend.api.samples import read_samples
from contend.base.number_text import percent, signed_percent
from contend.base.result import Cell, Part, Result, Table, next_step
from contend.base.units import format_bytes, format_seconds
from contend.models.network import Network, Operation
from contend.models.prediction import validate
from contend.models.prediction.catalogue import parameters_of
from contend.report import sharing
from contend.report.canvas.files import check_picture, write_picture
from contend.report.figures.sharing_errors import comparison_drawing
from contend.report.summary import errors
from contend.samples import quality, table
from contend.schedules import Algorithm
from contend.schedules.option_text import options_text
from contend.schedules.pointtopoint import PLogP
from contend.schedules.timing.predict import Known, Times, Timing
from contend.simulate.graphs import comparison
from contend.simulate.graphs.measurements import bandwidth_alone, measured_graphs, read_graphs
from contend.tune.choose.compare import best_fixed, compare, of_schedules, regrets, rivals
from contend.tune.choose.compare import errors as errors_of_schedules
from contend.tune.choose.timing import timing_of

SEED = 1  # of the division into parts, and of where fits start


def validate_file(
    network_file: Path, samples_file: Path, *, record: bool = True, include_flagged: bool = False
) -> Result:
    """Compare every form with the points that its fit has not seen, and keep the errors.

    >>> list(validate_file(Path("lassen.json"), Path("lassen.jsonl")).data)
    ['alltoall/native', 'alltoall/rotated']
    """
    before, samples = Network.load(network_file), read_samples(samples_file)
    network = validate.record(before, samples, include_flagged=include_flagged)
    fitted = {(each.operation, each.algorithm) for each in before.operations}
    same = [each for each in samples if (each.experiment, each.algorithm) in fitted]
    notes = quality.late(same, include_flagged)[1]
    notes += [f"warning: {text}" for text in validate.strangers(before, samples)]
    is_recorded = False
    if record:
        is_recorded, kept = validate.keep_errors(network_file, before, network)
        notes += kept

    def parts() -> Iterator[Part]:
        for operation, old in zip(network.operations, before.operations, strict=True):
            if operation.validation is old.validation:
                yield f"{operation.title}: no sample to compare it with"
            else:
                yield from errors(operation)
        if is_recorded:
            hint = next_step("contend", "report", network_file, samples_file)
            yield f"errors kept in {network_file}; {hint}"

    data = {operation.title: _errors(operation) for operation in network.operations}
    return Result(data, parts(), notes=notes)


def _errors(operation: Operation) -> dict[str, Any]:
    """Errors of every form, with those of time-outs and between launches where there are such."""
    others = {"timeouts": operation.timeout_errors, "between_launches": operation.between_launches}
    return {**operation.validation, **{name: errors for name, errors in others.items() if errors}}


def validate_graphs(
    graphs_file: Path,
    *,
    every: bool = False,
    plot: Path | None = None,
    include_flagged: bool = False,
) -> Result:
    """Compare predicted with measured ends, each graph by models that have not seen its shape.

    The error of a graph is the average over its messages; beside it the worst of a message. Every
    model is judged by the same graphs; what is left out is listed. `every` shows a row per graph.

    >>> len(validate_graphs(Path("graphs.jsonl")).data["models"])
    9
    """
    if plot is not None:
        check_picture(plot)
    samples = read_graphs(graphs_file)
    kept = quality.undisturbed(samples, "graphs", include_flagged)
    measured, alone = measured_graphs(kept), bandwidth_alone(kept)
    bandwidth = alone.value if alone else None
    rng = np.random.default_rng(SEED)
    rows, left_out = comparison.common(comparison.cross_validated(measured, bandwidth, rng))
    if len(kept) < len(samples):
        left_out.append(
            f"{len(samples) - len(kept)} of {len(samples)} samples are left out: the emulated "
            "network could not keep up; --include-flagged takes them in"
        )
    if plot is not None:
        write_picture(comparison_drawing(measured, bandwidth, rows), plot)
    data = {
        "models": comparison.summary(rows),
        "edges": comparison.summary(rows, ("model", "edges")),
        "graphs": rows.drop(columns="problem"),
        "left_out": left_out,
    }
    figure = [] if plot is None else [f"figure: {plot}"]
    return Result(data, [*sharing.errors(rows, left_out, every=every), *figure])


def validate_schedules(
    network_file: Path,
    samples_files: Sequence[Path],
    operation: str | None = None,
    *,
    ports: str = "single",
    include_flagged: bool = False,
) -> Result:
    """Compare measured algorithms with their schedules, and say what choosing by these costs.

    >>> result = validate_schedules(Path("network.json"), [Path("schedules.jsonl")])
    >>> result.data["errors"]["algorithm"].tolist()
    ['binomial', 'chain']
    """
    network, samples = Network.load(network_file), list(read_samples(*samples_files))
    if operation:
        samples = table.select(samples, operation)
    parameters = partial(parameters_of, network)
    points = compare(parameters, samples, _timing(network, ports), include_flagged=include_flagged)
    scheduled = of_schedules(samples)
    notes = [f"warning: {text}" for text in validate.strangers(network, scheduled)]
    late, about_late = quality.late(scheduled, include_flagged)
    others = len(samples) - len(scheduled)
    notes += about_late
    notes += [f"{others} samples are of no algorithm of the catalogue"] * bool(others)
    choices, rules = regrets(points), rivals(points)
    data = {
        "points": _with_options(points, "options"),
        "errors": errors_of_schedules(points),
        "regret": _with_options(choices, "options", "best_options"),
        "rules": rules,
        "left_out": {"late": late, "of_no_algorithm": others},
    }
    return Result(data, _parts(points, choices, rules), notes=notes)


def _parts(points: pd.DataFrame, choices: pd.DataFrame, rules: pd.DataFrame) -> Iterator[Part]:
    yield Table(errors_of_schedules(points), ERRORS, "predicted / measured - 1")
    if choices.empty:
        yield "no two algorithms were measured with the same n and m: no choice to judge"
        return
    yield Table(best_fixed(rules), RULES, "measured time of the choice / least measured time")
    costly = choices[choices["is_told_from_best"]].nlargest(_SHOWN, "regret")
    if not costly.empty:
        yield Table(costly, CHOICES, "where another algorithm was faster, and not by chance")


def _timing(network: Network, ports: str) -> Timing:
    """The way that is judged, for algorithms of all operations."""
    of = cache(lambda operation: timing_of(network, operation, ports))

    def timing(
        algorithm: Algorithm, plogp: PLogP, n: int, m: int, **options: int
    ) -> tuple[Times, Known]:
        result: tuple[Times, Known] = of(algorithm.collective)(algorithm, plogp, n, m, **options)
        return result

    return timing


def _with_options(rows: pd.DataFrame, *names: str) -> pd.DataFrame:
    """Rows with pairs of options as objects."""
    return rows.assign(**{name: rows[name].map(dict) for name in names})


def _named(algorithm: str, chosen: str) -> Callable[[Any], str]:
    return lambda row: f"{row[algorithm]} {options_text(dict(row[chosen]))}".strip()


_SHOWN = 8  # choices that cost most
_FACTOR = "{:.3f}".format
ERRORS: Mapping[str, Cell] = {
    "operation": "operation",
    "algorithm": "algorithm",
    "points": "points",
    "bias": ("bias", signed_percent),
    "median": ("median", percent),
    "90 %": ("percentile_90", percent),
    "worst": ("worst", percent),
}
RULES: Mapping[str, Cell] = {
    "operation": "operation",
    "rule": "rule",
    "calls": "calls",
    "mean": ("mean", _FACTOR),
    "median": ("median", _FACTOR),
    "90 %": ("percentile_90", _FACTOR),
    "worst": ("worst", _FACTOR),
    "best or not significantly slower": ("best", percent),
}
CHOICES: Mapping[str, Cell] = {
    "operation": "operation",
    "n": "n",
    "m": ("m", format_bytes),
    "chosen": _named("algorithm", "options"),
    "measured": ("measured", format_seconds),
    "fastest": _named("best_algorithm", "best_options"),
    "its time": ("best_measured", format_seconds),
    "regret": ("regret", _FACTOR),
}
