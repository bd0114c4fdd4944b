"""The algorithms that are compared, and the time of each."""

from dataclasses import dataclass
from functools import lru_cache

from benchmarks.exchange_at_scale.joined import Joined, Shape, shape_of
from benchmarks.exchange_at_scale.pick import Pick

from contend.schedules import algorithms
from contend.schedules.algorithm import in_groups
from contend.schedules.groups import given

BY_LINK = 0  # the window that the exchange library takes where a plan says none


@dataclass(frozen=True)
class Member:
    """An algorithm of ours with the values that its option takes; the best counts."""

    name: str
    option: str = ""
    values: tuple[int, ...] = (0,)

    def picks(self, network: Joined, m: int) -> list[Pick]:
        """With each value, for blocks of m bytes."""
        by_link = network.window(m) if self.option == "window" else 0
        values = dict.fromkeys(value or by_link for value in self.values)
        return [Pick(self.name, self.option, value) for value in values]


# lg sends the messages of lg_balanced wherever it serves the groups.
BALANCED, NODE_AWARE = Member("lg_balanced"), Member("node_aware")
PIPELINED = Member("lg_pipelined", "chunks", (4, 16))
LEADERS = Member("leaders", "leaders", (4, 16))
PACED = Member("paced", "window", (BY_LINK, 4, 16, 64))
SPACED = Member("spaced")
PAIRWISE = Member("throttled_pairwise", "window", (BY_LINK, 4, 16))


def seconds(network: Joined, pick: Pick, m: int) -> float:
    """Time of an algorithm; what is cut in chunks has one of a byte at least."""
    chunks = min(pick.value, m) if pick.option == "chunks" else 1
    options = {"segment": 1} if pick.option == "chunks" else pick.options
    groups = tuple(network.group.tolist())
    return _shape(groups, pick.name, chunks, tuple(options.items())).seconds(network, m / chunks)


@lru_cache(maxsize=1)
def _shape(
    groups: tuple[int, ...], name: str, chunks: int, options: tuple[tuple[str, int], ...]
) -> Shape:
    algorithm = in_groups(algorithms("alltoall").get(name), given(groups))
    schedule = algorithm.build(len(groups), chunks, with_blocks=False, **dict(options))
    return shape_of(schedule, is_spaced=algorithm.is_spaced)
