"""Which algorithm of the catalogue a prediction is of, and what its times are made from.

A schedule can be timed in several ways, by what its messages meet on their way: `single`, each
alone; `shared`, those of a rank share its port; `fitted`, they share by the model that was fitted
to measured contention graphs; `levels`, those between groups of ranks share the links there too.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from contend.base.document import Floats
from contend.base.errors import InvalidInputError
from contend.models.links.record import LevelLinks
from contend.models.network import Network
from contend.schedules import COLLECTIVES, Algorithm, algorithms
from contend.schedules.fitting.record import Parameters
from contend.schedules.groups import Grouping
from contend.schedules.pointtopoint import PLogP
from contend.schedules.timing.levels import Levels
from contend.schedules.timing.predict import Known, Times, Timing, nearest_times, within
from contend.simulate.graphs.record import FittedSharing

if TYPE_CHECKING:
    from contend.simulate.flows.flows import Flows
    from contend.simulate.flows.schedule_ends import Contention

SINGLE, SHARED, FITTED, LEVELS = "single", "shared", "fitted", "levels"


def timings(
    network: Network, grouping: Grouping | None = None, links: LevelLinks | None = None
) -> dict[str, Timing]:
    """The ways to time schedules that the network knows enough for.

    `links` are those between the groups of `grouping`. The first is what to take where nothing that
    was run tells which is the best: it knows the groups, if that can be.
    """
    choices: dict[str, Timing] = {}
    if grouping and links and links.inside:
        inside, between, rate = links.inside, links.between, _rate(links)
        choices[LEVELS] = _Engine(
            "links between groups", "ports", lambda _, n: Levels(grouping(n), inside, between, rate)
        )
    choices |= {SINGLE: nearest_times, SHARED: shared_ports}
    if network.sharing and network.sharing.by_name().is_usable:
        choices[FITTED] = _Engine("fitted sharing", partial(_fitted_ends, network.sharing))
    return choices


@dataclass(frozen=True)
class _Engine:
    """A timing by the engine: what the times are, what messages share, and their parameters."""

    claim: Known
    contention: "Contention"
    network_of: Callable[[PLogP, int], PLogP | Levels] = lambda plogp, _: plogp

    def __call__(
        self, algorithm: Algorithm, plogp: PLogP, n: int, m: int, **options: int
    ) -> tuple[Times, Known]:
        from contend.simulate.flows.schedule_ends import seconds

        schedule = algorithm.build(n, algorithm.uniform(n, m), with_blocks=False, **options)
        network = self.network_of(plogp, n)
        every = [network, *(network.at_bounds() or ())]
        ends, *bounds = (
            np.array(seconds(schedule, parameters, self.contention)) for parameters in every
        )
        return within(ends, bounds), self.claim


shared_ports: Timing = _Engine("shared ports", "ports")


def _fitted_ends(sharing: FittedSharing, flows: "Flows") -> Floats:
    """Ends by the fitted model: a flow has as many bytes as take it, alone, its port's seconds."""
    rate = float(sharing.by_name().bandwidth)
    return sharing.solve(replace(flows, bytes=flows.bytes * rate))[0].end


def _rate(links: LevelLinks) -> float:
    """Bytes per second of a group's link; without an end where senders never filled one."""
    is_full = any(way.is_saturated for way in links.ways)
    return float(links.bandwidth) if is_full else float("inf")


def wanted_algorithm(
    network: Network, operation: str, algorithm: str | None, has_options: bool
) -> Algorithm | None:
    """The algorithm of the catalogue that is meant; None where the file has a fit that is meant."""
    fitted = [
        measured
        for measured in network.operations
        if measured.operation == operation and measured.forms
    ]
    names = {name for measured in fitted for name in (measured.algorithm, measured.algorithm_alone)}
    if operation not in COLLECTIVES and not has_options:
        return None  # of operations that were measured, the network knows what there is
    others = {measured.operation for measured in network.operations if measured.forms} - {operation}
    if algorithm is None and not fitted and others:
        raise InvalidInputError(
            f"{network.name!r} has no fit of {operation}, but of {', '.join(sorted(others))}",
            f"name the operation, e.g. contend predict NETWORK {min(others)}, or the --algorithm",
        )
    if algorithm is None and (has_options or not fitted):
        raise InvalidInputError(
            f"{operation} without an algorithm, and {network.name!r} has no fit of it"
            if not fitted
            else "an option of an algorithm without the algorithm",
            f"give --algorithm: {', '.join(algorithms(operation).names())}",
        )
    if algorithm is None or (algorithm in names and not has_options):
        return None
    return algorithms(operation).get(algorithm)


def parameters_of(network: Network, operation: str) -> Parameters:
    """The parameters that times of an operation's schedules take."""
    parameters = network.parameters(operation)
    if parameters is None:
        has_fit = any(measured.operation == operation for measured in network.operations)
        raise InvalidInputError(
            f"{network.name!r} holds no pLogP parameters"
            + ("" if has_fit else f", and no times of {operation}"),
            (
                ""
                if has_fit
                else f"fit what was measured of it (contend fit --operation {operation}), or "
            )
            + "measure the experiment plogp, then fit; or 'contend fit --schedules' takes times of "
            "algorithms: schedules need a gap and a latency",
        )
    return parameters
