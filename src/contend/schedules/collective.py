"""What each collective operation is: which blocks ranks hold before it, and want after it.

Idea: the data of an operation are blocks. In a reduction every rank contributes to every block; in
the others a block is a piece of data that has one origin. A barrier moves the knowledge that a
rank has arrived, in blocks of no bytes.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Claims = NDArray[np.bool_]  # (ranks, blocks)
Place = Callable[[int, int, int], Claims]  # of ranks, root, blocks


def _everyone(n: int, root: int, blocks: int) -> Claims:
    return np.ones((n, blocks), dtype=bool)


def _root(n: int, root: int, blocks: int) -> Claims:
    return np.tile((np.arange(n) == root)[:, None], blocks)


def _owner(n: int, root: int, blocks: int) -> Claims:
    """Rank r has an equal share of the blocks, in order of rank."""
    return np.asarray(np.arange(n)[:, None] == np.arange(blocks) * n // blocks)


def _destination(n: int, root: int, blocks: int) -> Claims:
    return np.asarray(np.arange(n)[:, None] == np.arange(blocks) % n)


@dataclass(frozen=True)
class Collective:
    name: str
    title: str
    size: str  # what m counts
    holds: Place
    wants: Place
    has_root: bool = False
    has_block_per_rank: bool = False  # so that another root renames blocks as well
    reduces: bool = False
    may_repeat: bool = False  # a block may come to a rank that has it already

    @property
    def has_size(self) -> bool:
        """Whether it moves bytes, so that m says how many."""
        return self.size != _NOTHING


_NOTHING = "nothing"
_EACH = "bytes per rank"
_ALL = "bytes in all"

COLLECTIVES = {
    collective.name: collective
    for collective in (
        Collective("bcast", "broadcast", _ALL, _root, _everyone, has_root=True),
        Collective("scatter", "scatter", _EACH, _root, _owner, has_root=True,
                   has_block_per_rank=True),
        Collective("gather", "gather", _EACH, _owner, _root, has_root=True,
                   has_block_per_rank=True),
        Collective("alltoall", "all-to-all", "bytes per pair of ranks", _owner, _destination),
        Collective("alltoallv", "all-to-all of different sizes", "bytes (n, n), from row to column",
                   _owner, _destination),
        Collective("allgather", "all-gather", _EACH, _owner, _everyone),
        Collective("reduce", "reduction to one rank", _ALL, _everyone, _root, has_root=True,
                   reduces=True),
        Collective("allreduce", "reduction to all ranks", _ALL, _everyone, _everyone, reduces=True),
        Collective("reduce_scatter", "reduction, a block to each rank", _EACH, _everyone, _owner,
                   reduces=True),
        Collective("barrier", "barrier", _NOTHING, _owner, _everyone, may_repeat=True),
    )
}  # fmt: skip
