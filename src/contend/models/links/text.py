"""Fitted links as rows of text."""

from collections.abc import Callable, Sequence

from contend.base.document import Quantity
from contend.base.units import format_bytes, format_rate, format_seconds
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
                "loss costs": "–" if way.timeout is None else _seconds(way.timeout),
            }
            for way in link.ways
        ]
    return [dict.fromkeys(rows[-1], "–") | row for row in rows]


def _row(level: str, which: str, latency: Quantity, bandwidth: Quantity | None) -> dict[str, str]:
    rate = (
        None if bandwidth is None else _with_bounds(bandwidth, lambda value: format_rate(8 * value))
    )
    return {"level": level, "link": which, "one way": _seconds(latency), "bandwidth": rate or "–"}


def _seconds(quantity: Quantity) -> str:
    return _with_bounds(quantity, format_seconds)


def _with_bounds(quantity: Quantity, text: Callable[[float], str]) -> str:
    shown, low, high = text(float(quantity)), quantity.low, quantity.high
    if isinstance(low, float) and isinstance(high, float):
        return f"{shown} ({text(low)} to {text(high)})"
    return shown
