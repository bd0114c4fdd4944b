"""References of calls in production: what a network file says of their bounds and best times."""

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from contend.models.explanation.bound import least_seconds
from contend.models.explanation.message import known_message
from contend.models.network import Network
from contend.models.prediction.library_default import predicted_as_run
from contend.samples.watch.report import PREDICTED, Best, Reference, References
from contend.samples.watch.totals import Place


def references(path: str | Path) -> References:
    """Return what a network file says of calls: their bounds, and predictions of its fits."""
    network = Network.load(path)
    message = known_message([], network)

    def of_calls(calls: Sequence[tuple[Place, float]]) -> list[Reference]:
        best = _predicted(network, calls)
        answers = []
        for at, (place, m) in enumerate(calls):
            bound = np.array([np.nan])
            if place.n > 1 and (place.ppn is not None or place.nodes == 1):
                per_node = place.n if place.nodes == 1 else place.ppn
                bound = least_seconds(place.operation, place.n, per_node, np.array([m]), message)
            is_known = bool(np.isfinite(bound[0])) and bound[0] > 0
            answers.append(Reference(float(bound[0]) if is_known else None, best.get(at)))
        return answers

    return of_calls


def _predicted(network: Network, calls: Sequence[tuple[Place, float]]) -> dict[int, Best]:
    """The fastest prediction of each call that does not extrapolate, by its place in the list."""
    best: dict[int, Best] = {}
    groups: defaultdict[tuple[str, int | None], list[int]] = defaultdict(list)
    for at, (place, _) in enumerate(calls):
        if place.n > 1:
            groups[place.operation, None if place.nodes == 1 else place.ppn].append(at)
    for operation in network.operations:
        several = groups.get((operation.operation, operation.processes_per_node), [])
        if not several or operation.conditions:
            continue
        n, m = np.array([(calls[at][0].n, calls[at][1]) for at in several]).T
        rows = predicted_as_run(network, operation, n, m)
        columns = (rows[name].tolist() for name in ("seconds", "high", "extrapolates"))
        for at, seconds, high, extrapolates in zip(several, *columns, strict=True):
            is_usable = not extrapolates and np.isfinite(high)
            if is_usable and (at not in best or seconds < best[at].seconds):
                best[at] = Best(seconds, high, operation.algorithm, None, PREDICTED)
    return best
