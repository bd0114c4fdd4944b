"""Algorithms that were run against what is predicted of their schedules, and what choosing costs.

The regret of a choice is the measured time of the algorithm that is predicted to be the fastest
over the least measured time; next to it stand rules that predict nothing.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

import pandas as pd

from contend.choose.compare import compare, errors, of_schedules
from contend.choose.regret import best_fixed, regrets, rivals
from contend.choose.timing import timing_of
from contend.cli import options, output
from contend.cli.result import Cell, Part, Result, Table
from contend.cli.scheduled import note_late, read_all
from contend.network import Network
from contend.pointtopoint import PLogP
from contend.prediction.scheduled import parameters_of
from contend.prediction.validate import strangers
from contend.samples import table
from contend.schedules import Algorithm
from contend.schedules.option_text import options_text
from contend.schedules.timing.predict import Known, Times, Timing
from contend.units import format_bytes, format_seconds

_SHOWN = 8  # choices that cost most
_PERCENT, _FACTOR = "{:.1%}".format, "{:.3f}".format
ERRORS: Mapping[str, Cell] = {
    "operation": "operation",
    "algorithm": "algorithm",
    "points": "points",
    "bias": ("bias", "{:+.1%}".format),
    "median": ("median", _PERCENT),
    "90 %": ("percentile_90", _PERCENT),
    "worst": ("worst", _PERCENT),
}
RULES: Mapping[str, Cell] = {
    "operation": "operation",
    "rule": "rule",
    "calls": "calls",
    "mean": ("mean", _FACTOR),
    "median": ("median", _FACTOR),
    "90 %": ("percentile_90", _FACTOR),
    "worst": ("worst", _FACTOR),
    "best or not told from it": ("best", "{:.0%}".format),
}


def _named(algorithm: str, chosen: str) -> Callable[[Any], str]:
    return lambda row: f"{row[algorithm]} {options_text(dict(row[chosen]))}".strip()


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


def compared(
    network: Network,
    files: Sequence[Path],
    operation: str | None,
    ports: options.PortsAre,
    *,
    include_flagged: bool,
) -> Result:
    """Return the errors of predicted times of algorithms, and regrets of choosing by them."""
    samples = read_all(files)
    if operation:
        samples = table.select(samples, operation)
    known = partial(parameters_of, network)
    points = compare(known, samples, _timing(network, ports), include_flagged=include_flagged)
    own = of_schedules(samples)
    for text in strangers(network, own):
        output.note(f"warning: {text}")
    others, late = len(samples) - len(own), note_late(own, include_flagged)
    if others:
        output.note(f"{others} samples are of no algorithm of the catalogue")
    choices, rules = regrets(points), rivals(points)
    data = {
        "points": _with_options(points, "options"),
        "errors": errors(points),
        "regret": _with_options(choices, "options", "best_options"),
        "rules": rules,
        "left_out": {"late": late, "of_no_algorithm": others},
    }
    return Result(data, _parts(points, choices, rules))


def _parts(points: pd.DataFrame, choices: pd.DataFrame, rules: pd.DataFrame) -> Iterator[Part]:
    yield Table(errors(points), ERRORS, "predicted / measured - 1")
    if choices.empty:
        yield "no two algorithms were measured with the same n and m: no choice to judge"
        return
    yield Table(best_fixed(rules), RULES, "measured time of the choice / least measured time")
    costly = choices[choices["is_told_from_best"]].nlargest(_SHOWN, "regret")
    if not costly.empty:
        yield Table(costly, CHOICES, "where another algorithm was faster, and not by chance")


def _timing(network: Network, ports: options.PortsAre) -> Timing:
    """The way that is judged, for algorithms of all operations."""

    @cache
    def found(operation: str) -> Timing:
        return timing_of(network, operation, ports.value)

    def timing(
        algorithm: Algorithm, plogp: PLogP, n: int, m: int, **options: int
    ) -> tuple[Times, Known]:
        return found(algorithm.collective)(algorithm, plogp, n, m, **options)

    return timing


def _with_options(rows: pd.DataFrame, *names: str) -> pd.DataFrame:
    """Rows with pairs of options as objects."""
    return rows.assign(**{name: rows[name].map(dict) for name in names})
