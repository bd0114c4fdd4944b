"""A network and groups to the plan of the exchange library: links, and what is predicted to win."""

from collections.abc import Sequence
from dataclasses import dataclass

from contend.alltoall.clusters.file import GroupsFile
from contend.alltoall.clusters.groups import NODE
from contend.alltoall.clusters.plan import PORTFOLIO, Link, Plan, plan_of
from contend.alltoall.plan.choice import SIZES, Chosen, choose, lines
from contend.alltoall.plan.link_queues import WIRE
from contend.alltoall.plan.links import gamma_of, links_between
from contend.alltoall.plan.placement import Placed, in_proportion
from contend.alltoall.plan.portfolio import NATIVE
from contend.base.errors import InvalidInputError
from contend.models.links.record import LevelLinks
from contend.models.network import Network
from contend.schedules.algorithm import algorithms

MOST_RANKS = 256  # schedules have as many messages squared: half a gigabyte of them, and a minute


@dataclass(frozen=True)
class Decided:
    """A level with its groups, and what is chosen for each size."""

    placed: Placed
    chosen: tuple[Chosen, ...]


def known_levels(declared: GroupsFile, network: Network) -> list[LevelLinks]:
    """Levels of a groups file, and that of nodes, whose links the network has, outermost first."""
    names = [*(level.name for level in declared.levels), NODE]
    measured = {links.name: links for links in network.links}
    levels = [measured[name] for name in names if name in measured]
    if not levels:
        raise InvalidInputError(
            f"{network.name!r} has no links of the levels {', '.join(names)}",
            "measure them: contend measure links, then contend fit",
        )
    return levels


def decide(
    network: Network,
    placed: Sequence[Placed],
    names: Sequence[str] = PORTFOLIO,
    sizes: Sequence[int] = SIZES,
) -> list[Decided]:
    """What is chosen at each level that divides the ranks, of the algorithms of these names."""
    if not placed:
        raise InvalidInputError(
            "all ranks are in one group", "no plan is needed: the MPI library's own is left to it"
        )
    if (n := len(placed[0].groups)) > MOST_RANKS:
        raise InvalidInputError(
            f"a plan for {n} ranks, where {MOST_RANKS} are the most",
            "leave the choice to the library: contend alltoall run --groups FILE without --network",
        )
    gamma, catalogue = gamma_of(network), algorithms("alltoall")
    decided = []
    for level in placed:
        links = links_between(network.links_of(level.level), level.names, gamma)
        members = [
            name
            for name in names
            if name != NATIVE and (level.level == NODE or not catalogue.get(name).is_on_nodes)
        ]
        decided.append(Decided(level, tuple(choose(members, level.groups, links, sizes))))
    return decided


def plan(declared: GroupsFile, network: Network, decided: Sequence[Decided]) -> Plan:
    """The plan with the links and choices of the levels decided about."""
    links = [link_of(network.links_of(level.placed.level)) for level in decided]
    choices = [choice for level in decided for choice in lines(level.placed.level, level.chosen)]
    return plan_of(declared, links, choices)


def usual_plan(declared: GroupsFile, network: Network, names: Sequence[str] = PORTFOLIO) -> Plan:
    """The plan for as many ranks, in as large groups, as the links were measured with.

    Without choices where these are more than `decide` takes: the library then tries its own.
    """
    levels = known_levels(declared, network)
    ranks = sum(group.ranks for group in levels[0].groups)
    if ranks > MOST_RANKS:
        return plan_of(declared, [link_of(level) for level in levels])
    return plan(declared, network, decide(network, in_proportion(levels, ranks), names))


def link_of(level: LevelLinks) -> Link:
    """The line of a link; where nothing was lost its buffer is the largest burst."""
    buffer = level.clean_bytes if level.buffer is None else float(level.buffer)
    timeout = 0.0 if level.timeout is None else float(level.timeout)
    bandwidth = WIRE * float(level.bandwidth)  # that of messages was measured
    return Link(level.name, float(level.latency), bandwidth, int(buffer), timeout)
