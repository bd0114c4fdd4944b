"""Topologies of any shape: random numbers of everything, every path a walk."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from wiring import ends_of, walked

from contend.simulate.topologies import Dragonfly, GeneralFatTree, Torus
from contend.simulate.topologies.multipath import NO_LINK, Multipath

few = st.integers(1, 3)


@st.composite
def fat_trees(draw) -> GeneralFatTree:
    levels = draw(st.integers(1, 4))
    rows = [tuple(draw(few) for _ in range(levels)) for _ in range(3)]
    down, up, lanes = rows
    return GeneralFatTree(down, (1, *up[1:]), 1.0, (1, *lanes[1:]))


@st.composite
def dragonflies(draw) -> Dragonfly:
    routers, channels = draw(st.integers(1, 4)), draw(few)
    groups = draw(st.integers(1, routers * channels + 1))
    return Dragonfly(groups, routers, draw(st.integers(1, 2)), channels, 1.0)


tori = st.builds(
    lambda sizes, hosts: Torus(tuple(sizes), 1.0, hosts),
    st.lists(st.integers(1, 5), min_size=1, max_size=3),
    st.integers(1, 2),
)


@given(st.one_of(fat_trees(), dragonflies(), tori))
@settings(max_examples=180)
def test_every_shape_is_walked(network: Multipath) -> None:
    assert len(network.capacity()) == len(ends_of(network))
    if network.hosts == 1:
        return
    random = np.random.default_rng(network.hosts)
    src = random.integers(network.hosts, size=40)
    dst = (src + random.integers(1, network.hosts, size=40)) % network.hosts
    paths = network.shortest(src, dst) + network.detours(src, dst)
    assert paths.min() >= 1
    ends = ends_of(network)
    for path in (random.integers(paths), paths - 1):
        table = network.along(src, dst, path)
        assert table.shape == (40, network.longest)
        for pair, links in enumerate(table):
            walked(ends, links[links != NO_LINK], src[pair], dst[pair])
