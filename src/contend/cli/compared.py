"""Algorithms that were run against what is predicted of their schedules, and what choosing costs.

The regret of a choice is the measured time of the algorithm that is predicted to be the fastest
over the least measured time; next to it stand rules that predict nothing.
"""

from collections.abc import Sequence
from functools import cache, partial
from math import isnan
from pathlib import Path

import pandas as pd

from contend.choose.compare import compare, errors, of_schedules
from contend.choose.regret import best_fixed, regrets, rivals
from contend.choose.timing import timing_of
from contend.cli import options, output
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


def show_schedules(
    network: Network,
    files: Sequence[Path],
    operation: str | None,
    ports: options.PortsAre,
    *,
    include_flagged: bool,
    as_json: bool,
) -> None:
    """Errors of predicted times of algorithms, and regrets of choosing by them."""
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
    if as_json:
        found = {
            "points": points,
            "errors": errors(points),
            "regret": choices,
            "rules": rules,
        }
        left_out = {"late": late, "of_no_algorithm": others}
        tables = {name: _records(rows) for name, rows in found.items()}
        output.show_json({**tables, "left_out": left_out})
        return
    output.show_table(_error_table(errors(points)), "predicted / measured - 1")
    if choices.empty:
        output.note("no two algorithms were measured with the same n and m: no choice to judge")
        return
    title = "measured time of the choice / least measured time"
    output.show_table(_rule_table(best_fixed(rules)), title)
    costly = choices[choices["is_told_from_best"]].nlargest(_SHOWN, "regret")
    if not costly.empty:
        title = "where another algorithm was faster, and not by chance"
        output.show_table(_choice_table(costly), title)


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


def _records(rows: pd.DataFrame) -> list[dict[str, object]]:
    """Rows as JSON objects, options as objects too."""
    named = [name for name in ("options", "best_options") if name in rows.columns]
    return output.records(rows.assign(**{name: rows[name].map(dict) for name in named}))


def _error_table(rows: pd.DataFrame) -> pd.DataFrame:
    shown = rows.copy()
    shown["bias"] = [f"{value:+.1%}" for value in rows["bias"]]
    for name in ("median", "percentile_90", "worst"):
        shown[name] = rows[name].map(output.percent)
    return shown.rename(columns={"percentile_90": "90 %"})


def _rule_table(rows: pd.DataFrame) -> pd.DataFrame:
    shown = rows.copy()
    for name in ("mean", "median", "percentile_90", "worst"):
        shown[name] = [f"{value:.3f}" for value in rows[name]]
    shown["best"] = ["" if isnan(value) else f"{value:.0%}" for value in rows["best"]]
    return shown.rename(columns={"percentile_90": "90 %", "best": "best or not told from it"})


def _choice_table(rows: pd.DataFrame) -> pd.DataFrame:
    def named(algorithms: str, choices: str) -> list[str]:
        pairs = zip(rows[algorithms], rows[choices], strict=True)
        return [f"{name} {options_text(dict(chosen))}".strip() for name, chosen in pairs]

    return pd.DataFrame(
        {
            "operation": rows["operation"],
            "n": rows["n"],
            "m": rows["m"].map(format_bytes),
            "chosen": named("algorithm", "options"),
            "measured": rows["measured"].map(format_seconds),
            "fastest": named("best_algorithm", "best_options"),
            "its time": rows["best_measured"].map(format_seconds),
            "regret": [f"{value:.3f}" for value in rows["regret"]],
        }
    )
