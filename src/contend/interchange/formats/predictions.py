"""Predicted times as a table: a row per number of processes and size.

Idea: what `contend predict` says, with its interval and where it extrapolates; without -n or -m of
the numbers of processes and sizes that the fit saw.
Restrictions: operations that the file holds a fit of.
"""

import numpy as np

from contend.interchange.format import NetworkFormat, Wanted, Written
from contend.interchange.table import begins_with, csv_text
from contend.network import Network

NAMES = (
    "operation", "algorithm", "processes_per_node", "n", "m_bytes", "time_s", "low_s", "high_s",
    "lower_bound_s", "form", "regime", "interval_from", "extrapolates",
)  # fmt: skip


class Predictions(NetworkFormat):
    """The table of predicted times."""

    name = "predictions"
    title = "predicted times as CSV"
    takes = frozenset({"operation", "algorithm", "processes_per_node", "n", "m", "form"})
    example = "network.json -n 64,128 -m 1KiB,1MiB -o predicted.csv"

    def of_network(self, network: Network, wanted: Wanted) -> Written:
        """Rows of one operation."""
        import pandas as pd

        from contend.prediction.as_run import predicted_as_run

        operation = network.find(
            wanted.operation or "alltoall", wanted.algorithm, wanted.processes_per_node
        )
        seen = operation.fitted_at
        grid = np.meshgrid(wanted.n or seen[0], wanted.m or seen[1], indexing="ij")
        n, m = (values.ravel() for values in grid)
        rows = pd.DataFrame(predicted_as_run(network, operation, n, m, wanted.form))
        common = {
            "operation": operation.operation,
            "algorithm": operation.algorithm,
            "processes_per_node": operation.processes_per_node,
        }
        told = [
            common
            | {
                "n": int(row["n"]),
                "m_bytes": int(row["m"]),
                "time_s": row["seconds"],
                "low_s": _known(row["low"]),
                "high_s": _known(row["high"]),
                "lower_bound_s": _known(row["lower_bound"]),
            }
            | {name: row[name] for name in ("form", "regime", "interval_from", "extrapolates")}
            for row in rows.to_dict("records")
        ]
        notes: tuple[str, ...] = ()
        if operation.timeouts is not None:
            notes = ("times are those without retransmission time-outs",)
        return Written(csv_text(NAMES, told), notes)

    def recognises(self, text: str) -> bool:
        """Whether the columns are these."""
        return begins_with(text, NAMES)


def _known(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
