"""Block of an operation's section: gamma, delta and M fitted at each n by itself."""

from collections.abc import Sequence

import pandas as pd

from contend.network import Operation
from contend.network.evidence import SignatureAt
from contend.report import charts
from contend.report.markup import Html, chart, element, legend, raw
from contend.report.numbers import listed
from contend.report.signatures import signature_by_count
from contend.report.text import NO_SIGNATURES
from contend.signature import DEFAULT_FORM

TITLE = "Signature at each n"
FEWEST_COUNTS = 3
HEIGHT = 240


def block(operation: Operation) -> Html:
    """Three charts over n, where enough n were measured."""
    table, fit = signature_by_count(operation), operation.forms.get(DEFAULT_FORM)
    if table is None:
        return raw(element("h3", TITLE), element("p", NO_SIGNATURES))
    if len(table) < FEWEST_COUNTS or fit is None:
        return raw()
    fitted = list(fit.n_fitted)
    known = {name: float(value) for name, value in fit.parameters.items()}
    figures = [
        ("delta, per message from M on",
         charts.parameter_chart(table, "delta", "s", fitted, known["delta"])),
        ("M, the size it starts at", charts.threshold_chart(table, fitted, known.get("M"))),
    ]  # fmt: skip
    if table["gamma"].notna().any():
        gamma = charts.parameter_chart(table, "gamma", "1", fitted, known["gamma"])
        figures.insert(0, ("gamma, times beta", gamma))
    entries = [
        ("dot", "fitted at n′ alone, which the network file is for"),
        ("ring", "fitted at another n alone"),
        ("line", "in the network file"),
    ]
    return raw(
        element("h3", TITLE),
        element("p", legend(entries)),
        element("p", _remark(table, operation.signatures or ()), class_="remark"),
        element("div", *(_figure(*figure) for figure in figures), class_="panels"),
    )


def _remark(table: pd.DataFrame, signatures: Sequence[SignatureAt]) -> str:
    text = (
        "A signature holds for every n where these lie level: the further an n is from the line, "
        "the less can be said of it from n′."
    )
    kinds = sorted(
        {one.bounds for at in signatures for one in at.parameters.values() if one.bounds}
    )
    text += f" Bars are {' or '.join(kinds) or '95 % intervals'}."
    if without := [int(n) for n in table.loc[table["M"].isna(), "n"]]:
        text += f" No jump, and so no M, was found at n = {listed(without)}."
    return text


def _figure(title: str, figure: charts.Figure) -> Html:
    return element(
        "figure",
        element("figcaption", element("strong", title)),
        chart(figure, f"Signature at each n: {title}", HEIGHT),
    )
