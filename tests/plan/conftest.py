"""Links that are known, and the network file of planted ones."""

import numpy as np
import pytest

from contend.alltoall.plan.links import Links
from contend.models.links.fit import fit_links
from contend.models.network import Network
from support.links import Truth, line, measured, ranks_of


@pytest.fixture
def links():
    """A function that makes the links between so many groups; `truth` as planted ones."""

    def make(truth=None, groups=2):
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
def network(tmp_path):
    """A function that makes the network learnt from planted links."""

    def make(truth=None, sizes=(8, 8)):
        source = tmp_path / "links.jsonl"
        source.write_text("")
        found = fit_links(measured(truth or Truth(), ranks_of(sizes), launches=2), source)
        return Network(name="planted", links=found, origin=found[0].origin)

    return make
