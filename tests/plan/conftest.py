"""Links that are known, and the network file of planted ones."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from contend.document import Quantity
from contend.links.fit import fit_links
from contend.network import Network
from contend.plan.links import Links
from contend.pointtopoint import PLogP
from planted_links import Truth, measured, ranks_of


def line(latency: float, rate: float, overhead: float = 0.0) -> PLogP:
    """A message of m bytes takes the overhead and m / rate of a port, and the latency."""
    sizes = (0.0, 1e9)
    gap = tuple(overhead + size / rate for size in sizes)
    return PLogP(
        latency=Quantity(value=latency, unit="s"), size=Quantity(value=sizes, unit="B"),
        gap=Quantity(value=gap, unit="s"), method="trains",
    )  # fmt: skip


@pytest.fixture
def links() -> Callable[..., Links]:
    """A function that makes the links between so many groups; `truth` as planted ones."""

    def make(truth: Truth | None = None, groups: int = 2) -> Links:
        truth = truth or Truth()
        table = np.ones((groups, groups))
        return Links(
            inside=line(truth.near, truth.rate),
            between=line(truth.latency, truth.rate),
            later=0 * table,
            bandwidth=truth.bandwidth * table,
            buffer=truth.buffer * table,
            timeout=truth.timeout * table,
        )

    return make


@pytest.fixture
def network(tmp_path: Path) -> Callable[..., Network]:
    """A function that makes the network learnt from planted links."""

    def make(truth: Truth | None = None, sizes: tuple[int, ...] = (8, 8)) -> Network:
        source = tmp_path / "links.jsonl"
        source.write_text("")
        found = fit_links(measured(truth or Truth(), ranks_of(sizes), launches=2), source)
        return Network(name="planted", links=found, origin=found[0].origin)

    return make
