"""Trees of ranks 0..n-1 with root 0, and how long a message takes down each of them.

A tree is the arrays parent, child and step of its edges; a rank sends to its children in the order
of the steps. Times are those of one message of gap G = g(m) per edge, latency L.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from contend.base.document import Floats
from contend.schedules.messages import Messages, Spans
from contend.schedules.ragged_rows import Ints, ints


@dataclass(frozen=True)
class Tree:
    """Edges (n - 1,)."""

    ranks: int
    parent: Ints
    child: Ints
    step: Ints

    def messages(self, block_bytes: Ints) -> Messages:
        """Every block down every edge, one block after the other."""
        whole = Spans(self.child * 0, self.child * 0 + 1, 1)
        edges = Messages(self.ranks, self.parent, self.child, self.step, whole, block_bytes[:1])
        return edges.segmented(block_bytes)


def heap(n: int, degree: int) -> Tree:
    """Complete tree in order of breadth: the children of r are degree r + 1, ..."""
    child = np.arange(1, n)
    return Tree(n, (child - 1) // degree, child, child)


def heap_seconds(n: int, degree: int, gap: Floats, latency: Floats) -> Floats:
    """Exact time down the heap.

    The c-th child has a message c G + L after its parent; full levels take h (d G + L), and on the
    last level it is the position with the largest sum of digits that counts.
    """
    height, full = 0, 1  # ranks in the levels above `height`, and it
    if degree == 1:
        height, full = n - 1, n
    while full < n:
        height += 1
        full += degree**height
    last = n - 1 - (full - degree**height)  # largest position on the last level
    slots = height + _largest_digit_sum(last, degree)
    above = (height - 1) * (degree * gap + latency)
    return np.maximum(above, slots * gap + height * latency)


def _largest_digit_sum(limit: int, base: int) -> int:
    """Largest sum of digits of the numbers from 0 to `limit`.

    >>> _largest_digit_sum(21, 10)
    10
    """
    if base == 1:
        return 0
    power, below = 1, 1
    while power * base <= limit:
        power, below = power * base, below + 1
    best = above = 0
    while power:
        digit = limit // power % base
        below -= 1
        if digit:
            best = max(best, above + digit - 1 + below * (base - 1))
        above += digit
        power //= base
    return max(best, above)


def binomial(n: int) -> Tree:
    """Binomial tree, near ranks first: r sends to r + 1, r + 2, r + 4, ... beyond its top bit."""
    child = np.arange(1, n)
    top = ints(np.frexp(child)[1]) - 1
    return Tree(n, child - (1 << top), child, top)


def binomial_seconds(n: int, gap: Floats, latency: Floats) -> Floats:
    """Exact time down the binomial tree.

    Rank r has the message (b + 1) G + p L after the start, b its top bit and p the number of its
    bits. The largest are the ranks of the top bit H - 1 with most bits, and 2^(H-1) - 1.
    """
    top = (n - 1).bit_length() - 1
    bits = (n - (1 << top)).bit_length()
    return np.maximum((top + 1) * gap + bits * latency, top * (gap + latency))


def knomial(n: int, radix: int) -> Tree:
    """K-nomial tree, far ranks first: a child's number is its parent's and one digit more."""
    child = np.arange(1, n)
    power, level = _lowest_digit(child, radix)
    digit = child // power % radix
    return Tree(n, child - digit * power, child, (level.max(initial=0) - level) * radix + digit)


def knomial_subtrees(n: int, radix: int) -> Ints:
    """Ranks in the subtree of every child, shape (n - 1,)."""
    child = np.arange(1, n)
    return np.minimum(_lowest_digit(child, radix)[0], n - child)


def _lowest_digit(number: Ints, base: int) -> tuple[Ints, Ints]:
    """Place value and place of the lowest digit that is not 0."""
    power, level = np.ones_like(number), np.zeros_like(number)
    while (is_zero := number // power % base == 0).any():
        power, level = np.where(is_zero, power * base, power), level + is_zero
    return power, level


def knomial_seconds(
    n: int, radix: int, gap: Callable[[int], Floats], latency: Callable[[int], Floats]
) -> Floats | float:
    """Exact time down the k-nomial tree; gap(s) and latency(s) are of the message to s ranks.

    F(n): of the children with subtrees of M = radix^i ranks the last counts, then the child with
    what is left over, or the tree of the first M ranks, which is like each of them.
    """
    if n == 1:
        return 0.0
    power = 1
    while power * radix < n:
        power *= radix
    full = _full_knomial_seconds(power, radix, gap, latency)
    children = -(-n // power) - 1
    rest = n - children * power
    before = (children - 1) * gap(power)
    last = knomial_seconds(rest, radix, gap, latency)
    time = before + gap(rest) + np.maximum(latency(rest) + last, full)
    return np.maximum(time, before + latency(power) + full) if children > 1 else time


def _full_knomial_seconds(
    n: int, radix: int, gap: Callable[[int], Floats], latency: Callable[[int], Floats]
) -> Floats | float:
    time: Floats | float = 0.0
    power = 1
    while power < n:
        time = time + (radix - 1) * gap(power) + latency(power)
        power *= radix
    return time
