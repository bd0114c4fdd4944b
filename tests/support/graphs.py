"""Measured contention graphs of a network whose sharing is known."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from contend.samples import Provenance
from contend.samples.messages import MessageSample
from contend.simulate.flows.engine import solve
from contend.simulate.graphs.side_by_side import side_by_side

BANDWIDTH = 12.5e6
SIZE = 2**20
GRAPHS_PER_ALONE = 16  # as contend measure messages does
Edges = tuple[tuple[int, int], ...]
# Every shape of up to two edges, and some of more.
SMALL: dict[str, Edges] = {
    "single": ((0, 1),),
    "fan-out-2": ((0, 1), (0, 2)),
    "fan-in-2": ((0, 2), (1, 2)),
    "chain-2": ((0, 1), (1, 2)),
    "exchange": ((0, 1), (1, 0)),
    "parallel-2": ((0, 1), (0, 1)),
    "fan-in-3": ((0, 3), (1, 3), (2, 3)),
    "fan-out-3": ((0, 1), (0, 2), (0, 3)),
    "zigzag": ((0, 1), (0, 2), (3, 2)),
    "comb": ((0, 1), (2, 1), (2, 3), (2, 4)),
    "ladder": ((0, 1), (0, 2), (3, 2), (3, 4), (3, 5)),
    "crowd": ((0, 1), (0, 2), (3, 2), (4, 2)),
}


def random_edges(rng: np.random.Generator, nodes: int, edges: int) -> Edges:
    """Edges between random nodes, none to itself; parallel ones are possible."""
    src = rng.integers(nodes, size=edges)
    dst = (src + rng.integers(1, nodes, size=edges)) % nodes
    return tuple(zip(src.tolist(), dst.tolist(), strict=True))


def random_graphs(
    count: int, rng: np.random.Generator, nodes: int = 6, most_edges: int = 7
) -> dict[str, Edges]:
    """The small ones, and random graphs of 2 to `most_edges` edges."""
    return SMALL | {
        f"random-{number}": random_edges(rng, nodes, 2 + number % (most_edges - 1))
        for number in range(count)
    }


def planted(
    graphs: Mapping[str, Edges],
    model: str,
    parameters: Mapping[str, float] | None = None,
    noise: float = 0.0,
    repetitions: int = 1,
    rng: np.random.Generator | None = None,
    m: int = SIZE,
    penalties: Callable[..., Sequence[float]] | None = None,
    **fields: Any,
) -> list[MessageSample]:
    """A sample of each graph, its ends with lognormal errors of standard deviation `noise`."""

    def repeated(seconds: np.ndarray) -> np.ndarray:
        times = np.tile(seconds, (repetitions, 1))
        return times if rng is None else times * np.exp(noise * rng.standard_normal(times.shape))

    found = []
    for name, edges in graphs.items():
        ends = solve(
            side_by_side([edges], [m]), model,
            bandwidth=BANDWIDTH, parameters=parameters, penalties=penalties,
        ).end  # fmt: skip
        alone = repeated(np.array([m / BANDWIDTH]))[:, 0]
        given = {
            "alone_s": tuple(alone.tolist()),
            "times_s": tuple(map(tuple, repeated(ends).tolist())),
            "provenance": Provenance(source="planted"),
        }
        found.append(
            MessageSample(experiment="graph", graph=name, edges=edges, m=m, **(given | fields))
        )
    return found


def launched(
    graphs: Mapping[str, Edges],
    model: str,
    parameters: Mapping[str, float] | None,
    rng: np.random.Generator,
    launches: int = 3,
    spread: float = 0.05,
    noise: float = 0.005,
    repetitions: int = 2,
) -> list[MessageSample]:
    """A campaign whose launches differ: all messages alike by `spread`, and each by as much again.

    A message alone is measured once in so many graphs, and stands in all of these. `spread` and
    `noise`, that of a repetition, are standard deviations of logarithms.
    """

    def within(seconds: np.ndarray) -> np.ndarray:
        own = np.exp(spread * rng.standard_normal(seconds.shape))
        return seconds * own * np.exp(noise * rng.standard_normal((repetitions, *seconds.shape)))

    exact = planted(graphs, model, parameters)
    found = []
    for launch in range(launches):
        factor = np.exp(spread * rng.standard_normal())
        for number, sample in enumerate(exact):
            if number % GRAPHS_PER_ALONE == 0:
                alone = tuple((factor * within(np.array([sample.m / BANDWIDTH])))[:, 0].tolist())
            ends = tuple(map(tuple, (factor * within(sample.times[0])).tolist()))
            given = {"launch": launch, "alone_s": alone, "times_s": ends}
            found.append(sample.model_copy(update=given))
    return found
