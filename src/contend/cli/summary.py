"""A network and its validation on the console."""

from collections.abc import Iterable

import pandas as pd
from rich.markup import escape

from contend.cli import output
from contend.network import Network, Operation
from contend.predict import DEFAULT_FORM
from contend.report.text import signature_sentence
from contend.samples.quality import QualityWarning
from contend.signature import FORMS
from contend.units import format_bytes, format_seconds


def show_network(network: Network) -> None:
    """Point-to-point parameters, each signature in a sentence, and the kinds of warnings."""
    for level in network.levels:
        if level.hockney:
            alpha, beta = level.hockney.alpha, level.hockney.beta
            output.console().print(
                f"one message: alpha {format_seconds(float(alpha))}{_bounds(alpha.low, alpha.high)}"
                f", beta {1e9 * float(beta):.4g} ns/B{_bounds(beta.low, beta.high, per='/B')}"
            )
    for operation in network.operations:
        output.console().print(operation.title, style="bold", markup=False)
        output.console().print(signature_sentence(operation), markup=False)
    show_warnings(network)


def _bounds(low: object, high: object, per: str = "") -> str:
    if not isinstance(low, float) or not isinstance(high, float):
        return ""
    return f" ({format_seconds(low)}{per} to {format_seconds(high)}{per})"


def show_warnings(network: Network) -> None:
    """Warnings about the fits and the samples of a network."""
    show_kinds((*network.warnings, *network.sample_warnings))


def show_kinds(warnings: Iterable[QualityWarning]) -> None:
    """A line per kind of warning: how often, and one example."""
    kinds: dict[str, list[QualityWarning]] = {}
    for warning in warnings:
        kinds.setdefault(warning.kind, []).append(warning)
    for kind, found in sorted(kinds.items()):
        count, first = sum(warning.count for warning in found), found[0]
        output.note(f"warning: {kind}, {count} times; e.g. {first.where}: {first.message}")
        output.note(f"         {first.hint}")


def show_errors(operation: Operation) -> None:
    """Table of the errors of every form by regime, and which form was closest."""
    if operation.validation:
        title = f"{escape(operation.title)}: error"
        output.console().print(output.table(error_table(operation), title))
        output.note(_closest(operation))


def _closest(operation: Operation) -> str:
    medians = {name: form.errors[0].median for name, form in operation.validation.items()}
    name = min(medians, key=lambda form: medians[form])
    hint = "" if name == DEFAULT_FORM else f"; to predict with it: --form {name}"
    return f"{operation.title}: the lowest median error is that of {name}{hint}"


def error_table(operation: Operation) -> pd.DataFrame:
    """Errors on points that the fit has not seen, as text; signatures first, then by median."""
    order = sorted(
        operation.validation,
        key=lambda name: (
            FORMS.get(name).role != "signature",
            operation.validation[name].errors[0].median,
        ),
    )
    return pd.DataFrame(
        {
            "form": name,
            "fitted at n": " ".join(map(str, operation.forms[name].n_fitted)),
            "regime": error.regime,
            "points": error.points,
            "median": f"{error.median:.1%}",
            "90 %": f"{error.percentile_90:.1%}",
            "worst": f"{error.worst:.1%}",
        }
        for name in order
        for error in operation.validation[name].errors
    )


def title(operation: Operation, form: str) -> str:
    """What a table of predictions is of, and what its intervals mean."""
    fit = operation.forms[form]
    text = f"{operation.title} by {form}, fitted at n = {', '.join(map(str, fit.n_fitted))}"
    if operation.processes_per_node is None:
        text += " on one host"
    level = "95 % of the fit, or 90 % of validated errors where these are wider"
    return f"{text}; intervals: {level}"


def predictions(rows: pd.DataFrame) -> pd.DataFrame:
    """Predictions as text."""
    return pd.DataFrame(
        {
            "n": rows["n"],
            "m": [format_bytes(m) for m in rows["m"]],
            "time": [format_seconds(value) for value in rows["seconds"]],
            "interval": [
                "unknown" if pd.isna(low) else f"{format_seconds(low)} .. {format_seconds(high)}"
                for low, high in zip(rows["low"], rows["high"], strict=True)
            ],
            "lower bound": [
                "" if pd.isna(value) else format_seconds(value) for value in rows["lower_bound"]
            ],
            "regime": rows["regime"],
            "remarks": [
                f"extrapolates: {what.replace(' ', ', ')}" if what else ""
                for what in rows["extrapolates"]
            ],
        }
    )
