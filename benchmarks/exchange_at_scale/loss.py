"""What stands in front of the backbone at once, and from which size on it is more than a buffer.

Idea: TCP sends the first window of every connection without hearing anything, 10 segments of 1448
bytes (RFC 6928). Of what the ranks of a group send so to others the backbone takes on while it
comes; the rest has to fit its buffer, or frames are lost. A message of so few segments that no
later one tells of a loss waits for the time-out of retransmission, 200 ms on Linux.
Cost: s k min(M, 14480) (1 - C/R) bytes for s ranks, each with k messages of M bytes that cross at
the same time, where R is the rate at which they send them and C that of the backbone.
Restrictions: the first flight alone. Later ones are larger where nothing is lost, and what is lost
of them is mostly repaired without a time-out.
"""

from dataclasses import dataclass

from benchmarks.exchange_at_scale.joined import Joined

FIRST_WINDOW = 14480  # bytes
TIME_OUT = 0.2  # seconds


@dataclass(frozen=True)
class Flight:
    """What a rank of the group has under way over the backbone when it begins to cross."""

    messages: int
    blocks: int  # of each
    share: float = 1.0  # of the rate of its host that goes to them

    def queued(self, network: Joined, size: int, m: float) -> float:
        """Bytes that wait at most, where a group of `size` ranks sends blocks of m bytes."""
        rate = size * network.host * self.share
        sent = size * self.messages * min(self.blocks * m, FIRST_WINDOW)
        return sent * max(0.0, 1 - network.backbone / rate)


def flights(network: Joined) -> dict[str, Flight]:
    """Of the algorithms, for a rank of the first group of two."""
    size, other = network.sizes[0], network.sizes[1]
    return {
        "linear": Flight(other, 1, other / (network.hosts - 1)),
        "LG": Flight(-(-other // size), size),
        "paced, w = 4": Flight(4, 1),
        "ring": Flight(1, 1),
    }


def first_overflow(network: Joined, flight: Flight, buffer: float) -> int | None:
    """The least power of two for m whose first flight is more than a buffer; None for none."""
    sizes = (2**power for power in range(25))
    size = network.sizes[0]
    return next((m for m in sizes if flight.queued(network, size, m) > buffer), None)
