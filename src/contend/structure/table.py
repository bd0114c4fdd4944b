"""Findings as a table."""

import numpy as np
import pandas as pd

from contend.structure.finding import Analysis, Finding

COLUMNS = (
    "kind", "m_from", "m_to", "n", "what", "value", "low", "high", "values", "error",
    "error_without", "times_better", "sentence",
)  # fmt: skip


def table_of(found: Analysis | None) -> pd.DataFrame:
    """A row per finding, columns `COLUMNS`; empty where nothing is known."""
    rows = [_row(one) for one in found.findings] if found else []
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _row(found: Finding) -> dict[str, object]:
    what, known = next(iter(found.values.items()), ("", None))
    return {
        "kind": found.kind, "m_from": found.sizes[0], "m_to": found.sizes[1], "n": found.counts,
        "what": what,
        "value": known.value if known else np.nan,
        "low": known.low if known else np.nan,
        "high": known.high if known else np.nan,
        "values": {name: float(value) for name, value in found.values.items()},
        "error": found.error, "error_without": found.error_without,
        "times_better": found.times_better, "sentence": found.sentence,
    }  # fmt: skip
