"""Figure for many messages: how many are under way, and how busy each host is.

Rows are hosts, shades the share of a link's rate that is used.
"""

from collections.abc import Iterator
from functools import partial
from itertools import pairwise

from contend.canvas.axes import over_time
from contend.canvas.drawing import Axes, Panel, Tip
from contend.canvas.palette import LOAD
from contend.figures.link_load import MARGINS, load_panel
from contend.flows.load import Load, load
from contend.flows.messages import Messages, shortened
from contend.units import format_seconds

INTERVALS_PER_INCH = 20
MOST_ROWS, FEW_ROWS = 64, 32
ROW, LEAST_ROW = 0.112, 0.07  # inches; the first has room for a name
HEIGHT = 1.0  # inches, of the messages under way
LONGEST_NAME = 18


def host_load(messages: Messages, width: float) -> list[Panel]:
    """Panels of messages under way and of what hosts send and receive, `width` inches wide."""
    found = load(messages, int(INTERVALS_PER_INCH * width), MOST_ROWS)
    names = [_name(messages, row) for row in found.hosts]
    row = ROW if len(names) <= FEW_ROWS else LEAST_ROW
    return [
        Panel("Messages under way", partial(_under_way, found, width - MARGINS), width, HEIGHT),
        load_panel("Sending", names, found.sent / found.reference, found.edges, width, row),
        load_panel("Receiving", names, found.received / found.reference, found.edges, width, row),
    ]


def _under_way(found: Load, width: float, axes: Axes) -> Iterator[Tip]:
    axes.stairs(found.under_way, found.edges, fill=True, fc=LOAD[1], ec=LOAD[2])
    axes.set_ylim(bottom=0)
    over_time(axes, float(found.edges[-1]), width)
    for value, (begin, until) in zip(found.under_way, pairwise(found.edges), strict=True):
        span = f"{format_seconds(begin)} to {format_seconds(until)}"
        yield Tip(f"{span}: {value:.4g} messages on average", begin, 0.0, until, value)


def _name(messages: Messages, hosts: list[int]) -> str:
    if len(hosts) == 1:
        return shortened(messages.short_name(hosts[0]), LONGEST_NAME)
    ends = (messages.short_name(host) for host in (hosts[0], hosts[-1]))
    return " – ".join(shortened(name, LONGEST_NAME // 2) for name in ends)
