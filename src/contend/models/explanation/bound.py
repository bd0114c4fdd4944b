"""The time that an operation takes at least where processes share the network card of their node.

Source: `contend.models.bounds`; for processes on nodes the same, with a node in the place of a
process. Idea: bytes for other nodes leave through one card. Without a word on the card, each
process sends and receives no faster than a message alone does, and what a node has to carry is
shared by all of its processes.
Formula: of an exchange the larger of (n-s)(alpha + beta m) for the process with most peers on other
nodes, and s (n-s) m / B for the node with most bytes, s its processes and B its card's rate; of
others alpha and the bytes of the node, at B, or at s times the rate of a process.
Restrictions: ranks are placed node by node; nodes are full but the last. Of processes on one node
only a message within a node tells, and of others only one between nodes.
"""

import numpy as np

from contend.base.document import Floats
from contend.models.bounds import operation_bound, port_bytes
from contend.models.explanation.message import Message
from contend.models.signature import EXCHANGES


def nodes(n: int, per_node: int | None) -> tuple[int, ...]:
    """Processes of each node.

    >>> nodes(128, 96), nodes(4, None)
    ((96, 32), (1, 1, 1, 1))
    """
    size = per_node or 1
    rest = (n % size,) if n % size else ()
    return (size,) * (n // size) + rest


def is_shared(n: int, per_node: int | None) -> bool:
    """Whether several processes of a node send to other nodes."""
    return per_node is not None and 1 < per_node < n


def is_one_node(n: int, per_node: int | None) -> bool:
    """Whether all processes are on one node, as far as that is known."""
    return per_node is not None and 1 < n <= per_node


def card_bytes(operation: str, n: int, per_node: int | None, m: Floats) -> Floats:
    """Bytes that the busiest node has to send or receive; NaN where unknown, shape (n_sizes,)."""
    each = nodes(n, per_node)
    if operation in EXCHANGES:
        return max(s * (n - s) for s in each) * m
    if operation == "allreduce":
        return port_bytes(operation, len(each), m)
    return port_bytes(operation, n, m, min(each))


def least_seconds(
    operation: str, n: int, per_node: int | None, m: Floats, message: Message
) -> Floats:
    """Seconds that it takes at least, shape (n_sizes,); NaN where nothing tells it."""
    line = message.hockney
    if line is None or message.is_within_node != is_one_node(n, per_node):
        return np.full(m.shape, np.nan)
    if not is_shared(n, per_node):
        return operation_bound(operation, n, m, line)
    carried, each = card_bytes(operation, n, per_node, m), nodes(n, per_node)
    if operation in EXCHANGES:
        by_message = (n - min(each)) * line.seconds(m)
        return (
            by_message if message.card is None else np.maximum(by_message, carried * message.card)
        )
    per_byte = float(line.beta) / max(each) if message.card is None else message.card
    return np.asarray(float(line.alpha) + carried * per_byte)
