"""Which receive takes which message, where both are known beforehand.

Source: MPI 4.1, section 3.5: messages between two ranks do not overtake each other.
Idea: the k-th send belongs to the k-th receive with its source, destination and tag. A receive of
any source or tag takes what those with both leave, in the order of ranks.
Restrictions: what is there first decides in a program; a note says where it could be another.
"""

import warnings
from collections import deque
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from contend.schedules.ragged_rows import Ints

ANY = -1
Flags = NDArray[np.bool_]


class OpenSourceWarning(UserWarning):
    """A receive that could take messages of several ranks, and which it takes."""


class UnmatchedError(ValueError):
    """A send or receive without its partner: `operation` is its row."""

    def __init__(self, operation: int, is_send: bool) -> None:
        self.operation = operation
        self.message = "no rank receives this message" if is_send else "nobody sends this message"
        super().__init__(self.message)


def partners_of(
    rank: Ints, peer: NDArray[np.integer], tag: NDArray[np.integer], is_send: Flags,
    is_receive: Flags,
) -> Ints:  # fmt: skip
    """The receive of each send and the send of each receive, -1 for others; (n_ops,).

    Columns are (n_ops,), those of a rank in its order; ANY stands for any source or tag.

    Raises
    ------
    UnmatchedError
        Names the first that has none.

    """
    sends, receives = np.flatnonzero(is_send), np.flatnonzero(is_receive)
    peers, tags = closed(rank, peer, tag, is_send, is_receive)
    sends = sends[np.lexsort((tags[sends], peers[sends], rank[sends]))]
    receives = receives[np.lexsort((tags[receives], rank[receives], peers[receives]))]
    src = np.stack([rank[sends], peers[sends], tags[sends]])
    dst = np.stack([peers[receives], rank[receives], tags[receives]])
    both = min(sends.size, receives.size)
    differs = (src[:, :both] != dst[:, :both]).any(axis=0)
    if differs.any() or sends.size != receives.size:
        at = int(differs.argmax()) if differs.any() else both
        first_is_send = at < sends.size and (
            at >= receives.size or tuple(src[:, at]) < tuple(dst[:, at])
        )
        raise UnmatchedError(int(sends[at] if first_is_send else receives[at]), first_is_send)
    partner = np.full(rank.size, -1, dtype=np.int64)
    partner[sends], partner[receives] = receives, sends
    return partner


def closed(
    rank: Ints, peers: NDArray[np.integer], tags: NDArray[np.integer], is_send: Flags,
    is_receive: Flags,
) -> tuple[Ints, Ints]:  # fmt: skip
    """Peer and tag where each open receive has those of the message that it takes, if any."""
    sends, receives = np.flatnonzero(is_send), np.flatnonzero(is_receive)
    peer, tag = peers.astype(np.int64), tags.astype(np.int64)
    if not ((peer[receives] == ANY) | (tag[receives] == ANY)).any():
        return peer, tag
    boxes: dict[int, _Box] = {}
    for send in sends.tolist():
        box = boxes.setdefault(int(peer[send]), _Box())
        box.put(send, (int(rank[send]), int(tag[send])))
    is_open = (peer == ANY).astype(int) * 2 + (tag == ANY)
    has_choice = False
    for receive in receives[np.argsort(is_open[receives], kind="stable")].tolist():
        box = boxes.get(int(rank[receive]), _Box())
        wanted = (int(peer[receive]), int(tag[receive]))
        if is_open[receive]:
            has_choice |= box.has_choice(*wanted)
            wanted = box.first(*wanted) or wanted
            peer[receive], tag[receive] = wanted
        box.take(wanted)
    if has_choice:
        warnings.warn(
            "a receive from any source (-1) takes messages in the order of the ranks that send "
            "them, not of their arrival",
            OpenSourceWarning,
            stacklevel=2,
        )
    return peer, tag


class _Box:
    """Messages for a rank that no receive has taken: source and tag of each send, in order."""

    def __init__(self) -> None:
        self._sends: dict[int, tuple[int, int]] = {}
        self._by_key: dict[tuple[int, int], deque[int]] = {}

    def put(self, send: int, key: tuple[int, int]) -> None:
        self._sends[send] = key
        self._by_key.setdefault(key, deque()).append(send)

    def take(self, key: tuple[int, int]) -> None:
        """The first of this source and tag, if there is one."""
        if queue := self._by_key.get(key):
            del self._sends[queue.popleft()]

    def _fitting(self, src: int, tag: int) -> Iterator[tuple[int, int]]:
        for key in self._sends.values():
            if src in (ANY, key[0]) and tag in (ANY, key[1]):
                yield key

    def first(self, src: int, tag: int) -> tuple[int, int] | None:
        return next(self._fitting(src, tag), None)

    def has_choice(self, src: int, tag: int) -> bool:
        if src != ANY:
            return False
        sources = (key[0] for key in self._fitting(src, tag))
        first = next(sources, None)
        return any(source != first for source in sources)
