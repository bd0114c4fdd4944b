"""Predictions by fitted forms on the console."""

from collections.abc import Iterator
from math import isnan
from typing import Any

from contend.cli.scheduled import interval_text
from contend.document import Columns
from contend.network import Operation
from contend.pointtopoint import hockney
from contend.prediction.as_run import AS
from contend.prediction.two_clusters import two_cluster_time
from contend.prediction.verdict import is_usable, unusable, verdict
from contend.report import timeouts
from contend.signature import FORMS
from contend.statistics.rank import FEWEST
from contend.units import format_bytes, format_seconds, parse_seconds, parse_seconds_per_byte

_OF_THE_FORM = (
    "90 %, as wide as predictions of other n are usually off, and were where n are left out; all "
    "points that the file holds, also of other n, correct the prediction near them"
)
_OF_FIT_AND_VALIDATION = (
    "95 % of the fit, or 90 % of validated errors where these are wider (of all of them where "
    f"they are fewer than {FEWEST}); widened by a rule of thumb where a row extrapolates"
)

_AS_RUN = (
    "the regime 'as ...' names the algorithm that the library runs there by its own rules, which "
    f"no measured time contradicts; intervals there: {_OF_THE_FORM}; and over the default's own "
    "times where another algorithm explains these as well"
)


def title(operation: Operation, form: str | None, rows: Columns) -> str:
    """What a table of predictions is of, by which form and why, and what its intervals mean.

    `form` is None where the file's own choice predicts.
    """
    chosen = None if form else verdict(operation)
    form = form or verdict(operation).form
    fit = operation.forms[form]
    text = f"{operation.title} by {form}, fitted at n = {', '.join(map(str, fit.n_fitted))}"
    if operation.processes_per_node is None:
        text += " on one host, or on hosts that nobody recorded"
    level = _OF_THE_FORM if FORMS.get(form).interval_from else _OF_FIT_AND_VALIDATION
    lines = [f"{text}; intervals: {level}"]
    if chosen:
        lines.append(chosen.reason)
    if any(regime.startswith(AS) for regime in rows["regime"].tolist()):
        lines.append(_AS_RUN)
    lines += timeouts.found(operation)
    if not is_usable(fit):
        lines.append(unusable(fit))
    return "\n".join(lines)


def predictions(rows: Columns) -> dict[str, list[Any]]:
    """Predictions as text; of an operation with time-outs also how often they are, and both modes.

    The columns of time and interval are then of repetitions without a time-out.
    """
    return {
        "n": rows["n"].tolist(),
        "m": [format_bytes(m) for m in rows["m"]],
        "time": [format_seconds(value) for value in rows["seconds"]],
        "interval": [
            interval_text(low, high) for low, high in zip(rows["low"], rows["high"], strict=True)
        ],
        **_of_timeouts(rows),
        "lower bound": [
            "" if isnan(value) else format_seconds(value) for value in rows["lower_bound"]
        ],
        "regime": rows["regime"].tolist(),
        "remarks": [
            f"extrapolates: {what.replace(' ', ', ')}" if what else ""
            for what in rows["extrapolates"]
        ],
    }


def _of_timeouts(rows: Columns) -> dict[str, list[str]]:
    """Columns of `contend.timeouts.mixture`, where there are any."""
    if "share" not in rows:
        return {}
    shares = zip(rows["share"], rows["share_low"], rows["share_high"], strict=True)
    return {
        "with a time-out": [format_seconds(value) for value in rows["with_timeout"]],
        "share of these": [f"{share:.0%} ({low:.0%} .. {high:.0%})" for share, low, high in shares],
        "mean": [format_seconds(value) for value in rows["mean"]],
        "median": [format_seconds(value) for value in rows["median"]],
    }


def joined(
    first: Columns, second: Columns, alpha: str, beta: str
) -> tuple[list[dict[str, Any]], dict[str, list[Any]]]:
    """Rows and columns of predictions for two clusters that a backbone joins, one for each pair."""
    backbone = hockney.given(parse_seconds(alpha), parse_seconds_per_byte(beta))
    found = []
    for (n1, m, one), (n2, _, two) in zip(_points_of(first), _points_of(second), strict=True):
        time = two_cluster_time((one, two), n1, n2, m, backbone)
        found.append(
            {
                "n1": n1,
                "n2": n2,
                "m": m,
                "local": time.local,
                "rounds": time.rounds,
                "backbone": time.backbone,
                "seconds": time.seconds,
            }
        )
    as_text = dict.fromkeys(("local", "backbone", "seconds"), format_seconds) | {"m": format_bytes}
    text = {name: [as_text.get(name, str)(row[name]) for row in found] for name in found[0]}
    return found, text


def _points_of(rows: Columns) -> Iterator[tuple[Any, ...]]:
    return zip(*(rows[name].tolist() for name in ("n", "m", "seconds")), strict=True)
