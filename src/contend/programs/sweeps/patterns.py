"""Programs of a known pattern, for any number of ranks: a trace by a word.

    pattern:NAME:BYTES[:STEPS[:COMPUTE]]

NAME is a collective operation of the catalogue, or a stencil, in which a rank exchanges messages
of BYTES with each of its neighbours on a grid that closes on itself: `ring`, `stencil-2d`,
`stencil-3d`. The sides of the grid are as equal as the number of ranks allows, as
MPI_Dims_create has them. STEPS are repeated, each after COMPUTE (a time) of computation.
Restrictions: BYTES are those of a message or block whatever the number of ranks.
"""

from dataclasses import dataclass

import numpy as np

from contend.base.errors import InvalidInputError
from contend.base.near_names import choose_from
from contend.base.units import parse_bytes, parse_seconds
from contend.programs.traces.builder import TraceBuilder
from contend.programs.traces.kinds import LISTED, OpKind
from contend.programs.traces.trace import Trace

PREFIX = "pattern:"
GRIDS = {"ring": 1, "stencil-2d": 2, "stencil-3d": 3}
COLLECTIVES = {
    kind.name.lower(): kind for kind in OpKind if kind.is_collective and kind not in LISTED
}
MOST_RANKS, MOST_CALLS = 2**20, 2**24  # a kilobyte each, and some microseconds
HOW = "give pattern:NAME:BYTES[:STEPS[:COMPUTE]], as in pattern:alltoall:64KiB:10:5ms"


@dataclass(frozen=True)
class Pattern:
    name: str
    bytes: int
    steps: int = 1
    compute: float = 0.0  # seconds before each step

    def trace(self, ranks: int) -> Trace:
        """The program of so many ranks.

        Raise InvalidInputError for more than `MOST_RANKS`, or more than `MOST_CALLS` of them
        together.
        """
        if ranks > MOST_RANKS or ranks * self.steps > MOST_CALLS:
            raise InvalidInputError(
                f"a pattern of {self.steps} steps on {ranks} ranks is too large",
                f"take at most {MOST_RANKS} ranks, and {MOST_CALLS} steps of all ranks together",
            )
        builder = TraceBuilder(ranks, (f"{PREFIX}{self.name}",))
        around = _neighbours(ranks, GRIDS[self.name]) if self.name in GRIDS else None
        for rank in range(ranks):
            me = builder.rank(rank)
            for _ in range(self.steps):
                me.compute(self.compute)
                if around is None:
                    me.add(COLLECTIVES[self.name], self.name, peer=0, bytes=self.bytes)
                    continue
                # A tag is the direction as its sender sees it: sides of two meet one rank twice.
                for direction, (_, source) in enumerate(around[rank]):
                    me.add(OpKind.RECEIVE, "irecv", peer=source, tag=direction, bytes=self.bytes,
                           request=direction)  # fmt: skip
                count = len(around[rank])
                for direction, (target, _) in enumerate(around[rank]):
                    me.add(OpKind.SEND, "isend", peer=target, tag=direction, bytes=self.bytes,
                           request=count + direction)  # fmt: skip
                if count:
                    me.add(OpKind.WAIT, "waitall", list=list(range(2 * count)))
        return builder.trace()


def is_pattern(word: str) -> bool:
    """Whether a trace is named by the word of a pattern."""
    return word.startswith(PREFIX)


def pattern_of(word: str) -> Pattern:
    """The pattern of a word.

    >>> pattern_of("pattern:ring:1KiB:3").trace(4).ranks
    4
    """
    name, *words = word.removeprefix(PREFIX).split(":")
    if name not in GRIDS and name not in COLLECTIVES:
        raise InvalidInputError(f"no pattern is named {name!r}",
                                choose_from(name, [*GRIDS, *COLLECTIVES]))  # fmt: skip
    if not 1 <= len(words) <= 3 or (len(words) > 1 and not words[1].isdecimal()):
        raise InvalidInputError(f"a pattern {word!r}", HOW)
    steps = int(words[1]) if len(words) > 1 else 1
    return Pattern(name, parse_bytes(words[0]), steps,
                   parse_seconds(words[2]) if len(words) > 2 else 0.0)  # fmt: skip


def sides(ranks: int, dimensions: int) -> list[int]:
    """Sides of a grid of so many ranks, as equal as can be, the largest first.

    >>> sides(12, 2), sides(64, 3), sides(7, 2)
    ([4, 3], [4, 4, 4], [7, 1])
    """
    if dimensions == 1:
        return [ranks]
    grids = [
        [side, *rest]
        for side in range(1, ranks + 1)
        if ranks % side == 0
        for rest in [sides(ranks // side, dimensions - 1)]
        if side >= rest[0]
    ]
    return min(grids, key=lambda grid: (grid[0], grid))


def _neighbours(ranks: int, dimensions: int) -> list[list[tuple[int, int]]]:
    """Return per direction and rank the rank it sends to and the rank that sends to it."""
    shape = sides(ranks, dimensions)
    place = np.arange(ranks).reshape(shape)
    moved = [
        (np.roll(place, -step, axis).ravel(), np.roll(place, step, axis).ravel())
        for axis, side in enumerate(shape)
        for step in ((1, -1) if side > 1 else ())
    ]
    return [
        [(int(target[rank]), int(source[rank])) for target, source in moved]
        for rank in range(ranks)
    ]
