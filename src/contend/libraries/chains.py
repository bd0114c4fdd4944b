"""Longest chains of messages of a library's algorithms that no schedule of the catalogue says."""


def doubling_reduce_scatter(n: int) -> tuple[int, int]:
    """Messages, and blocks in them, that wait for each other in MPICH's recursive doubling.

    Source: src/mpi/coll/reduce_scatter/reduce_scatter_intra_recursive_doubling.c of 4.0 to 5.0.
    Trees of 1, 2, 4, ... ranks exchange in pairs all blocks but those of the sender's own tree.
    Where the other tree has fewer ranks, those that have a partner there pass what they received on
    to those that have none, as it is: a rank sends what it has not combined, and no schedule can
    say that.

    >>> doubling_reduce_scatter(8), doubling_reduce_scatter(12)
    ((3, 17), (5, 45))
    """
    ended = [(0, 0)] * n  # messages and blocks before each rank goes on
    size = 1  # of a whole tree
    while size < n:
        received: dict[int, int] = {}  # blocks by rank
        for rank in range(n):
            partner = rank ^ size
            if rank < partner < n:
                left, right = size, min(size, n - partner // size * size)
                received |= {rank: n - right, partner: n - left}
                blocks = n - min(left, right)
                ended[rank] = ended[partner] = _after(ended[rank], ended[partner], blocks)
        without = size // 2
        while without:
            for rank in sorted(received):
                partner = rank ^ without
                if rank < partner < n and partner not in received:
                    received[partner] = received[rank]
                    ended[rank] = ended[partner] = _after(
                        ended[rank], ended[partner], received[rank]
                    )
            without //= 2
        size *= 2
    return max(messages for messages, _ in ended), max(blocks for _, blocks in ended)


def _after(one: tuple[int, int], other: tuple[int, int], blocks: int) -> tuple[int, int]:
    """When both are there a message goes."""
    return max(one[0], other[0]) + 1, max(one[1], other[1]) + blocks
