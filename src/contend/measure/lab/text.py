"""Sentences on the links of a lab."""

from contend.base.units import format_bytes, format_rate, format_seconds
from contend.measure.lab.specification import Backbone, Cluster, Lab


def rate_text(rate: float | None) -> str:
    return "unlimited rate" if rate is None else format_rate(rate)


def buffer_text(buffer: int | None) -> str:
    return "unlimited buffer" if buffer is None else format_bytes(buffer)


def when_full_text(lab: Lab) -> str:
    """What the buffers of a lab do when they are full.

    >>> from contend.measure.lab import read_lab
    >>> when_full_text(read_lab("lossless"))
    'stop their senders'
    """
    return "stop their senders" if lab.has_credits else "drop frames"


def cluster_lines(cluster: Cluster) -> tuple[str, str, str]:
    count = f"{cluster.hosts} host{'s' if cluster.hosts > 1 else ''}"
    latency = f"{format_seconds(cluster.latency)} host to host" if cluster.latency else "no latency"
    buffer = buffer_text(cluster.buffer) + (" per port" if cluster.buffer else "")
    return f"{count}, {rate_text(cluster.rate)}", latency, buffer


def backbone_lines(backbone: Backbone) -> tuple[str, str, str]:
    """Return a line each for rate, delay (one way) and buffer of a backbone."""
    buffer = buffer_text(backbone.buffer) + (" buffer" if backbone.buffer else "")
    delay = f"{format_seconds(backbone.delay)} one way" if backbone.delay else "no delay"
    return rate_text(backbone.rate), delay, buffer
