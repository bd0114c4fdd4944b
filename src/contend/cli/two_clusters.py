"""Predictions for two clusters joined by a backbone, as rows."""

from collections.abc import Iterator
from typing import Any

from contend.document import Columns
from contend.pointtopoint import hockney
from contend.prediction.two_clusters import two_cluster_time
from contend.units import format_bytes, format_seconds, parse_seconds, parse_seconds_per_byte


def joined(
    first: Columns, second: Columns, alpha: str, beta: str
) -> tuple[list[dict[str, Any]], dict[str, list[Any]]]:
    """Rows for machines and columns for people, one per prediction of both clusters."""
    backbone = hockney.given(parse_seconds(alpha), parse_seconds_per_byte(beta))
    found = []
    for (n1, m, one), (n2, _, two) in zip(_points(first), _points(second), strict=True):
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


def _points(rows: Columns) -> Iterator[tuple[Any, ...]]:
    return zip(*(rows[name].tolist() for name in ("n", "m", "seconds")), strict=True)
