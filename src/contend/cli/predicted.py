"""Predictions by fitted forms on the console."""

from collections.abc import Iterator
from math import isnan
from typing import Any

from contend.cli.result import Cell
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


def columns(rows: Columns) -> dict[str, Cell]:
    """Return the columns of predictions; also how often time-outs are, and both modes, if known.

    The columns of time and interval are then of repetitions without a time-out.
    """
    return {
        "n": "n",
        "m": ("m", format_bytes),
        "time": ("seconds", format_seconds),
        "interval": interval_text,
        **(_OF_TIMEOUTS if "share" in rows else {}),
        "lower bound": lambda row: (
            "" if isnan(row["lower_bound"]) else format_seconds(row["lower_bound"])
        ),
        "regime": "regime",
        "remarks": lambda row: (
            f"extrapolates: {row['extrapolates'].replace(' ', ', ')}" if row["extrapolates"] else ""
        ),
    }


_OF_TIMEOUTS: dict[str, Cell] = {  # of `contend.timeouts.mixture`
    "with a time-out": ("with_timeout", format_seconds),
    "share of these": lambda row: (
        f"{row['share']:.0%} ({row['share_low']:.0%} .. {row['share_high']:.0%})"
    ),
    "mean": ("mean", format_seconds),
    "median": ("median", format_seconds),
}
JOINED: dict[str, Cell] = {
    "n1": "n1",
    "n2": "n2",
    "m": ("m", format_bytes),
    "local": ("local", format_seconds),
    "rounds": "rounds",
    "backbone": ("backbone", format_seconds),
    "seconds": ("seconds", format_seconds),
}


def joined(first: Columns, second: Columns, alpha: str, beta: str) -> list[dict[str, Any]]:
    """Predict for two clusters that a backbone joins, a row for each pair of predictions."""
    backbone = hockney.given(parse_seconds(alpha), parse_seconds_per_byte(beta))
    found = []
    for (n1, m, one), (n2, _, two) in zip(_points_of(first), _points_of(second), strict=True):
        time = two_cluster_time((one, two), n1, n2, m, backbone)
        names = ("local", "rounds", "backbone", "seconds")
        found.append({"n1": n1, "n2": n2, "m": m, **{name: getattr(time, name) for name in names}})
    return found


def _points_of(rows: Columns) -> Iterator[tuple[Any, ...]]:
    return zip(*(rows[name].tolist() for name in ("n", "m", "seconds")), strict=True)
