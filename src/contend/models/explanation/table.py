"""Findings of an operation of a network file, from the points that it holds: sentences, a table."""

import numpy as np
import pandas as pd

from contend.models.explanation.exchange import exchange_of
from contend.models.explanation.finding import Analysis, Finding
from contend.models.network import Network, Operation
from contend.models.signature import EXCHANGES

COLUMNS = (
    "kind", "m_from", "m_to", "n", "what", "value", "low", "high", "values", "error",
    "error_without", "times_better", "sentence",
)  # fmt: skip


def analysis(network: Network, operation: Operation) -> Analysis | None:
    """What is found of it; None where it is no all-to-all or the file holds no points of it."""
    if operation.operation not in EXCHANGES or operation.measured is None:
        return None
    message = network.messages(operation.algorithm)
    exchange = exchange_of(operation.measured.table(), operation.processes_per_node, message)
    return Analysis(exchange) if exchange.is_measured.any() else None


def sentences(network: Network, operation: Operation) -> list[str]:
    analysed = analysis(network, operation)
    return [finding.sentence for finding in analysed.findings] if analysed else []


def table_of(analysed: Analysis | None) -> pd.DataFrame:
    """A row per finding, columns `COLUMNS`; empty where nothing is known."""
    rows = [_row(finding) for finding in analysed.findings] if analysed else []
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _row(finding: Finding) -> dict[str, object]:
    label, value = next(iter(finding.values.items()), ("", None))
    return {
        "m_from": finding.sizes[0], "m_to": finding.sizes[1], "n": finding.counts, "what": label,
        "values": {name: float(each) for name, each in finding.values.items()},
        **{name: getattr(value, name, np.nan) for name in ("value", "low", "high")},
        **{name: getattr(finding, name)
           for name in ("kind", "error", "error_without", "times_better", "sentence")},
    }  # fmt: skip
