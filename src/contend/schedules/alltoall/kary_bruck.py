"""K-ary Bruck.

Source: Bruck, Ho, Kipnis, Upfal, Weathersby, "Efficient algorithms for all-to-all communications in
multiport message-passing systems", IEEE TPDS 8(11), 1997; MPICH `alltoall_intra_k_brucks`.
Idea: write the distance that a block has to travel with radix k; in round i it travels the part of
digit i. The k - 1 messages of a round wait for the round before, not for each other.
Cost: sum over rounds i and digits d of g(c(i,d) m), and ceil(log_k P) L, where c(i,d) of the
distances below P have the digit d in place i.
Restrictions: none; k >= 2. Ranks pass on what they receive: up to log_k(P) times the bytes.
"""

from typing import ClassVar

import numpy as np

from contend.base.errors import InvalidInputError
from contend.schedules.algorithm import Algorithm, Call, Floats, Ints, PLogP, ints
from contend.schedules.exchange import pair_bytes, powers, rotated, rounds
from contend.schedules.messages import Chosen, Messages


class KaryBruck(Algorithm):
    title = "k-ary Bruck"
    source = "Bruck et al. 1997"
    options: ClassVar[tuple[str, ...]] = ("degree",)
    mpich = "k_brucks k={degree}"

    def messages(self, call: Call) -> Messages:
        """A round per power of the radix, a message per digit."""
        power, distance = _turns(call)
        dst = rotated(call.n, distance)
        count = np.repeat(_digit_counts(call), call.n)
        starts = np.searchsorted(power, power)  # of the first message of the same round
        return rounds(
            dst,
            Chosen(count, lambda: _blocks(call)),
            pair_bytes(call.n, call.m),
            np.arange(distance.size),
            starts - 1,
        )

    def cost(self, net: PLogP, call: Call) -> Floats:
        sizes = np.multiply.outer(_digit_counts(call), call.m)
        power, _ = _turns(call)
        rounds = np.flatnonzero(np.diff(power, prepend=0))
        latency = np.maximum.reduceat(net.latency_at(sizes), rounds, axis=0)
        return np.asarray(net.gap_at(sizes).sum(axis=0) + latency.sum(axis=0))


def _radix(call: Call) -> int:
    if call.degree < 2:
        raise InvalidInputError(f"a radix of {call.degree}", "give degree >= 2, or try 'rotated'")
    return call.degree


def _turns(call: Call) -> tuple[Ints, Ints]:
    """Place value and distance of every message of a rank, in order."""
    power = np.repeat(powers(call.n, _radix(call)), call.degree - 1)
    distance = power * (np.arange(power.size) % max(call.degree - 1, 1) + 1)
    return power[distance < call.n], distance[distance < call.n]


def _has_digit(call: Call) -> np.ndarray:
    """Which distances 0..n-1 travel with each message, shape (messages of a rank, n)."""
    power, distance = (part[:, None] for part in _turns(call))
    return np.asarray(np.arange(call.n) // power % call.degree * power == distance)


def _digit_counts(call: Call) -> Ints:
    """How many of the distances 0..n-1 travel with each message of a rank."""
    power, distance = _turns(call)
    whole, rest = np.divmod(call.n, power * call.degree)
    return ints(whole * power + np.clip(rest - distance, 0, power))


def _blocks(call: Call) -> Ints:
    """The blocks of every message, by turn, then rank: origin n + destination."""
    n, (power, _) = call.n, _turns(call)
    turn, rank, distance = np.nonzero(np.repeat(_has_digit(call)[:, None, :], n, axis=1))
    origin = (rank - distance % power[turn]) % n
    return ints(origin * n + (origin + distance) % n)
