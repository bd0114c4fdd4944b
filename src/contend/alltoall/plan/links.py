"""The network between groups as predictions need it: a link each way between any two groups.

Idea: between two groups whose link was measured it is that one; between others it is that of the
slowest way. The gap inside a group is that of one pair, times gamma where the network has a
contention signature of an all-to-all: what the groups' own switch adds.
Restrictions: all messages from one group to another share one link, and no two links share another.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from contend.base.document import Floats, Quantity
from contend.base.errors import InvalidInputError
from contend.models.links.record import LevelLinks, Way
from contend.models.network import Network
from contend.schedules.pointtopoint import PLogP

NEVER = float("inf")  # bytes of a buffer in which nothing was lost
SIGNATURE = "hockney_2007"


@dataclass(frozen=True, eq=False)
class Links:
    """Links between groups, arrays (groups, groups): [source, destination].

    `later` is what a message takes longer than `between` says; the latter is of all ways together.
    """

    inside: PLogP
    between: PLogP
    later: Floats
    bandwidth: Floats
    buffer: Floats
    timeout: Floats

    @property
    def one_way(self) -> Floats:
        """Latency of a short message, seconds."""
        seconds: Floats = float(self.between.seconds(0)) + self.later
        return seconds

    @property
    def in_flight(self) -> float:
        """Bytes that fill the link and its buffer there and back, the least over the ways."""
        apart = ~np.eye(len(self.bandwidth), dtype=bool)
        return float((2 * self.one_way * self.bandwidth + self.buffer)[apart].min())


def links_between(level: LevelLinks, groups: Sequence[str | None], gamma: float = 1.0) -> Links:
    """The links of a level between groups of these names; None for one that was not measured."""
    if len(groups) < 2:
        raise InvalidInputError(
            f"only {len(groups)} group of level {level.name!r} in this job",
            "an exchange over links needs two: check the hosts, or the file of groups",
        )
    ways_by_pair = {(way.source, way.destination): way for way in level.ways}
    slowest = min(level.ways, key=lambda way: float(way.bandwidth))
    ways = [
        [ways_by_pair.get((group or "", second or ""), slowest) for second in groups]
        for group in groups
    ]
    usual = float(level.between.seconds(min(level.m_seen)))
    return Links(
        inside=contended(level.inside or level.between, gamma),
        between=level.between,
        later=_table(ways, lambda way: float(way.latency) - usual),
        bandwidth=_table(ways, lambda way: float(way.bandwidth)),
        buffer=_table(ways, lambda way: NEVER if way.buffer is None else float(way.buffer)),
        timeout=_table(ways, lambda way: 0.0 if way.timeout is None else float(way.timeout)),
    )


def gamma_of(network: Network) -> float:
    """Gamma of the all-to-all's contention signature; 1 where there is none, or it is below."""
    conditions = network.usual_conditions("alltoall")
    factors = [
        float(operation.forms[SIGNATURE].parameters["gamma"])
        for operation in network.operations
        if (operation.operation, operation.conditions) == ("alltoall", conditions)
        and SIGNATURE in operation.forms
    ]
    return max([1.0, *factors])


def contended(plogp: PLogP, gamma: float) -> PLogP:
    """The parameters with gaps so many times as long."""
    gap = tuple((gamma * plogp.gap.array).tolist())
    return plogp.model_copy(update={"gap": Quantity(value=gap, unit="s")})


def _table(ways: Sequence[Sequence[Way]], value: Callable[[Way], float]) -> Floats:
    return np.array([[value(way) for way in row] for row in ways])
