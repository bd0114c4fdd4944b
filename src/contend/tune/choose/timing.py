"""How the schedules of an operation are timed on a network: as asked, or as runs support.

Idea: `auto` is the way that foretells the algorithms best that were run as many per node
(`contend.tune.choose.validation`); the others are those of `contend.models.prediction.catalogue`,
each by the parameters of messages alone.
Restrictions: what was run is not known to be placed as groups that are named. With these it is the
links between them that count where they are known, else single messages.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from contend.base.document import Columns
from contend.base.errors import InvalidInputError
from contend.models.links.record import OF_NODES, LevelLinks
from contend.models.network import Network, Operation
from contend.models.prediction.catalogue import (
    FITTED,
    LEVELS,
    SHARED,
    SINGLE,
    parameters_of,
    timings,
)
from contend.schedules.fitting.record import Parameters
from contend.schedules.groups import Grouping, nodes_of
from contend.schedules.timing.predict import Timing
from contend.tune.choose.runs import runs
from contend.tune.choose.validation import Validated, validated

if TYPE_CHECKING:
    import pandas as pd

AUTO = "auto"
PORTS = (AUTO, SINGLE, SHARED, FITTED, LEVELS)
_WANTED = {
    FITTED: "measure contention graphs and fit them: contend measure messages, contend fit; a "
    "model that is too far off on graphs it has not seen is not used",
    LEVELS: "measure the links, contend measure links; and say which ranks share them: "
    "processes per node, or groups",
}


@dataclass(frozen=True)
class Placement:
    """Where ranks are: so many on each node, or in groups; None: not given."""

    per_node: int | None = None
    grouping: Grouping | None = None

    def __post_init__(self) -> None:
        if self.per_node is not None and self.per_node < 1:
            raise InvalidInputError(f"{self.per_node} processes per node", "give 1 or more")
        if self.per_node and self.grouping:
            raise InvalidInputError(
                "both processes per node and groups", "name the groups alone: those of nodes too"
            )

    @property
    def groups(self) -> Grouping | None:
        """Which ranks share a link: those of a node, if it has several."""
        several = self.per_node and self.per_node > 1
        return nodes_of(self.per_node) if several and self.per_node else self.grouping

    @property
    def text(self) -> str:
        """Where processes are, behind what they do; empty: each on a node, or all on one."""
        if self.grouping:
            return " in these groups"
        return f" with {self.per_node} processes per node" if self.groups else ""

    def links(self, network: Network) -> LevelLinks | None:
        """Those between its groups: of nodes, or of the outermost level."""
        if self.grouping:
            return network.links[0] if network.links else None
        of_nodes = [link for link in network.links if link.name == OF_NODES]
        return of_nodes[0] if of_nodes and self.groups else None

    def ways(self, network: Network) -> dict[str, Timing]:
        """What can be known of messages between processes that are placed so."""
        return timings(network, self.groups, self.links(network))


def timing_of(
    network: Network, operation: str, ports: str = AUTO, placement: Placement | None = None
) -> Timing:
    """What times the schedules of an operation: one of `PORTS`; a `Validated` for auto."""
    where = placement or Placement()
    ways = where.ways(network)
    if ports != AUTO:
        return _named(network, ways, ports, where)
    conditions = network.usual_conditions(operation)
    measured = [
        entry
        for entry in network.operations
        if (entry.operation, entry.conditions) == (operation, conditions)
    ]
    best = best_timing(network, operation, _placed(measured, where), where)
    if where.groups and not where.grouping and LEVELS not in ways and not best.is_validated:
        raise InvalidInputError(
            f"{network.name!r} knows nothing of {where.per_node} processes per node",
            "measure the links: contend measure links --ppn, or algorithms with that --ppn; "
            "or leave it out: each process is then on a node of its own",
        )
    return best


def best_timing(
    network: Network, operation: str, measured: Collection[Operation], where: Placement
) -> Validated:
    """The way that foretells best what was measured of an operation, placed so."""
    parameters, measured_runs = parameters_of(network, operation), runs(network, measured)
    return validated(operation, parameters, where.ways(network), measured_runs, where.text)


def extrapolated(
    parameters: Parameters, timing: Timing, rows: "Columns | pd.DataFrame"
) -> list[str]:
    """What each row (n, m, extrapolates) lies beyond; of n and m also where runs end."""
    counts = rows["n"].tolist()
    beyond = parameters.beyond(counts, rows["extrapolates"].tolist())
    if not isinstance(timing, Validated):
        return beyond
    calls = zip(counts, rows["m"].tolist(), beyond, strict=True)
    return [
        " ".join(name for name in ("n", "m") if name in [*words.split(), *timing.beyond(n, m)])
        for n, m, words in calls
    ]


def _named(network: Network, ways: dict[str, Timing], ports: str, where: Placement) -> Timing:
    if ports not in PORTS:
        raise InvalidInputError(f"ports = {ports!r}", f"give {', '.join(PORTS)}")
    if where.groups and not where.grouping and ports != LEVELS:
        raise InvalidInputError(
            f"{ports} ports of processes that share a node",
            f"give {LEVELS} or {AUTO}, or leave the processes per node out",
        )
    if ports not in ways:
        raise InvalidInputError(f"{network.name!r} does not know {ports} ports", _WANTED[ports])
    return ways[ports]


def _placed(measured: Sequence[Operation], where: Placement) -> list[Operation]:
    """What was measured as many per node: one if nothing is given, or on one node alone."""
    if where.grouping:
        return []
    wanted = where.per_node or 1
    on_nodes = [operation for operation in measured if operation.processes_per_node == wanted]
    on_one = [operation for operation in measured if operation.processes_per_node is None]
    return on_nodes or ([] if where.per_node else on_one)
