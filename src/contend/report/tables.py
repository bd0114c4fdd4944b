"""Tables of the page: fitted parameters, and errors by form and regime."""

from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd

from contend.base.document import Quantity
from contend.base.number_text import MISSING, interval, listed, percent, quantity, size_range
from contend.models.network import Operation
from contend.models.prediction.validate import ALL, COMMON, ordered_forms
from contend.models.prediction.verdict import compared_forms
from contend.models.signature import FORMS, FittedForm
from contend.report.canvas.markup import Html, element, raw, table
from contend.report.text import is_by_convention
from contend.schedules.pointtopoint import Hockney

Lines = Mapping[tuple[Any, Any], Mapping[Any, Any]]  # errors by form and regime

ERRORS = {"points": "points", "median": "median", "percentile_90": "90 %", "worst": "worst"}
REGIMES = {
    COMMON: "Points unseen by all compared",
    ALL: "Points unseen by the form",
    "m < M": "m < M",
    "m >= M": "m ≥ M",
}
UNITS = {
    "s": "seconds",
    "B": "bytes",
    "s/B": "seconds per byte",
    "B/s": "bytes per second",
    "1": "–",
}


def errors(operation: Operation, summary: pd.DataFrame) -> Html:
    """Errors on unseen points; signatures first, the best median on common points in bold.

    On points of their own forms are not compared, so none of these is the best.
    """
    named = list(summary["regime"].unique())
    regimes = [name for name in (COMMON, ALL) if name in named]
    regimes += [name for name in named if name not in (COMMON, ALL)]
    lines: Lines = {(line["form"], line["regime"]): line for line in summary.to_dict("records")}
    lowest = min((line.median for line in compared_forms(operation).values()), default=-1.0)
    best = {regime: lowest if regime == COMMON else -1.0 for regime in regimes}
    rows = (_error_row(operation, name, lines, best) for name in ordered_forms(operation))
    return table(_error_head(regimes), rows)


def _error_row(
    operation: Operation, name: str, lines: Lines, best: Mapping[str, float]
) -> list[object]:
    """Cells of one form; `best` is the lowest median by regime, in the order of the columns."""
    cells: list[object] = [_form_cell(name), listed(operation.forms[name].n_fitted)]
    for regime, lowest in best.items():
        cells += _error_cells(lines.get((name, regime)), lowest)
    return cells


def _error_head(regimes: list[str]) -> Html:
    groups = (
        element(
            "th", REGIMES.get(name, name), colspan=len(ERRORS), scope="colgroup", class_="group"
        )
        for name in regimes
    )
    first = element(
        "tr",
        element("th", "Form", rowspan=2, scope="col"),
        element("th", "Fitted at n", rowspan=2, scope="col"),
        *groups,
    )
    second = (element("th", name, scope="col") for _ in regimes for name in ERRORS.values())
    return raw(first, element("tr", *second))


def _form_cell(name: str) -> Html:
    form = FORMS.get(name)
    mark = element("span", "signature", class_="mark") if form.role == "signature" else ""
    return raw(form.title, " ", mark)


def _error_cells(line: Mapping[Any, Any] | None, lowest: float) -> list[object]:
    if line is None:
        return [0, *[MISSING] * (len(ERRORS) - 1)]
    median = percent(line["median"])
    return [
        int(line["points"]),
        element("strong", median) if line["median"] <= lowest else median,
        percent(line["percentile_90"]),
        percent(line["worst"]),
    ]


def parameters(operation: Operation) -> Html:
    names = [name for name in ordered_forms(operation) if FORMS.get(name).role == "signature"]
    rows = [line for name in names for line in _parameter_rows(operation.forms[name])]
    return table(_PARAMETER_HEAD, rows, class_="parameters")


_PARAMETER_HEAD = ("Parameter", "Value", "Bounds", "Unit")


def _parameter_rows(fit: FittedForm) -> Iterable[Html | list[object]]:
    form = FORMS.get(fit.form)
    seen = (
        f"fitted at n = {listed(fit.n_fitted)}, {size_range(fit.m_fitted)}; off by "
        f"{percent(fit.relative_residual)} there"
    )
    title = element("th", form.title, element("small", f"{form.source}; {seen}"), colspan=4)
    yield element("tr", title, class_="form")
    for name, parameter in fit.parameters.items():
        yield [name, quantity(parameter), _interval(fit, name, parameter), UNITS[parameter.unit]]


def _interval(fit: FittedForm, name: str, parameter: Quantity) -> str:
    if name == "gamma" and is_by_convention(parameter):
        return "by convention"
    if name in ("M", "smallest"):
        return "chosen among the sizes measured"
    if name == "delta" and "M" not in fit.parameters:
        return "no M"
    if parameter.value == parameter.high == 0:
        return "held at 0, below it has no meaning"
    return interval(parameter) or MISSING


def message(hockney: Hockney) -> Html:
    rows = (
        [name, quantity(parameter), interval(parameter) or MISSING, UNITS[parameter.unit]]
        for name, parameter in (("alpha", hockney.alpha), ("beta", hockney.beta))
    )
    return table(_PARAMETER_HEAD, rows, class_="parameters")
