"""Predictions for two clusters joined by a backbone, as rows."""

from typing import Any

import pandas as pd

from contend.pointtopoint import hockney
from contend.prediction.two_clusters import two_cluster_time
from contend.units import format_bytes, format_seconds, parse_seconds, parse_seconds_per_byte


def joined(
    first: pd.DataFrame, second: pd.DataFrame, alpha: str, beta: str
) -> tuple[list[dict[str, Any]], pd.DataFrame]:
    """Rows for machines and for people, one per prediction of both clusters."""
    backbone = hockney.given(parse_seconds(alpha), parse_seconds_per_byte(beta))
    rows = []
    for one, two in zip(first.itertuples(), second.itertuples(), strict=True):
        n1, n2 = int(one.n), int(two.n)
        time = two_cluster_time((one.seconds, two.seconds), n1, n2, one.m, backbone)
        rows.append(
            {
                "n1": n1,
                "n2": n2,
                "m": int(one.m),
                "local": time.local,
                "rounds": time.rounds,
                "backbone": time.backbone,
                "seconds": time.seconds,
            }
        )
    text = pd.DataFrame(rows).assign(
        m=[format_bytes(row["m"]) for row in rows],
        **{
            name: [format_seconds(row[name]) for row in rows]
            for name in ("local", "backbone", "seconds")
        },
    )
    return rows, text
