"""Fitted links as rows of text."""

from collections.abc import Sequence

from contend.base.document import Quantity
from contend.base.number_text import with_bounds
from contend.base.units import format_bytes, format_rate
from contend.models.links.record import LevelLinks


def link_rows(links: Sequence[LevelLinks]) -> list[dict[str, str]]:
    """Return a row for what is inside each level's groups, and for each way between two."""
    rows: list[dict[str, str]] = []
    for link in links:
        if link.inside_latency is not None:
            rows.append(
                _row(link.name, "inside a group", link.inside_latency, link.inside_bandwidth)
            )
        rows += [
            _row(link.name, way.title, way.latency, way.bandwidth)
            | {
                "buffer": f"{format_bytes(float(way.buffer))}"
                if way.buffer is not None
                else f"none lost up to {format_bytes(way.clean_bytes)}",
                "loss costs": "–" if way.timeout is None else with_bounds(way.timeout),
            }
            for way in link.ways
        ]
    return [dict.fromkeys(rows[-1], "–") | row for row in rows]


def _row(level: str, which: str, latency: Quantity, bandwidth: Quantity | None) -> dict[str, str]:
    rate = "–" if bandwidth is None else with_bounds(bandwidth, _rate)
    return {"level": level, "link": which, "one way": with_bounds(latency), "bandwidth": rate}


def _rate(bytes_per_second: float) -> str:
    return format_rate(8 * bytes_per_second)
