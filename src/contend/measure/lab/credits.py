"""Credit-based flow control: what a network needs so that full buffers stop and never drop.

A link sends a frame when the buffer that it leads to has room for it. Links that follow each other
on routes must not form a circle, else frames could wait for each other for ever (Dally and Seitz,
Deadlock-free message routing in multiprocessor interconnection networks, IEEE Transactions on
Computers 36 (5), 1987). Around one switch none is possible: links to the switch are followed by
links to hosts, which always take what comes.
"""

import math
from collections.abc import Iterable, Sequence
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from typing import TYPE_CHECKING

from contend.base.errors import InvalidInputError
from contend.base.units import format_bytes

if TYPE_CHECKING:
    from contend.measure.lab.specification import Link

FULL_ON_WIRE = 1538  # bytes: a full frame with its checksum, preamble and gap


def circle(routes: Iterable[Sequence[str]]) -> list[str]:
    """Links of which each is followed by the next one on a route, and the last by the first.

    Empty where there are none, so that some frame can always go on.

    >>> circle([["up", "down"], ["up", "there", "down"], ["there", "back"], ["back", "there"]])
    ['back', 'there']
    """
    order: TopologicalSorter[str] = TopologicalSorter()
    for route in routes:
        for link, follower in pairwise(route):
            order.add(follower, link)
    try:
        order.prepare()
    except CycleError as error:
        links: list[str] = error.args[1][1:]  # begins and ends with the same link
        first = links.index(min(links))
        return links[first:] + links[:first]
    return []


def least_frames(rate_bits: float, delay_s: float) -> int:
    """Full frames that the buffer behind a link has to hold, so that the link is never idle.

    Room is known to be free after two frames and two delays: the frame comes, leaves over another
    link, and the credit goes back.

    >>> least_frames(2e9, 4e-6)
    4
    """
    return math.ceil(2 + 2 * delay_s * rate_bits / (8 * FULL_ON_WIRE))


def require_flow(links: Iterable["Link"], routes: Iterable[Sequence["Link"]], frame: int) -> None:
    """Raise an error where frames could wait for ever, or a link for want of room alone.

    A full frame has `frame` bytes in a buffer.
    """
    if names := circle([link.name for link in route] for route in routes):
        raise InvalidInputError(
            f"with flow_control = 'credits' frames could wait for each other for ever on "
            f"{', '.join(names)}",
            "leave out a backbone of that circle, or set flow_control = 'none'",
        )
    for link in links:
        if link.rate_bits is None or link.buffer_bytes is None:
            continue
        least = least_frames(link.rate_bits, link.delay_s)
        if link.buffer_bytes // frame < least:
            raise InvalidInputError(
                f"with flow_control = 'credits' {link.name} would stand still for want of room: "
                f"its buffer of {format_bytes(link.buffer_bytes)} is less than a round trip",
                f"give it {least * frame} bytes or more, or set flow_control = 'none'",
            )
