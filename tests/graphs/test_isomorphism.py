"""Shapes, images and roles agree with a search over all permutations of the vertices."""

import random
from collections.abc import Iterator
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contend.simulate.graphs.isomorphism import Edges, components, key, matching, roles

edge = st.tuples(st.integers(0, 4), st.integers(0, 4)).filter(lambda e: e[0] != e[1])
graphs = st.lists(edge, min_size=1, max_size=6).map(tuple)


def isomorphisms(edges: Edges, other: Edges) -> Iterator[dict[int, int]]:
    there, wanted = ({v for e in graph for v in e} for graph in (edges, other))
    if len(there) != len(wanted):
        return
    for images in permutations(sorted(wanted)):
        to = dict(zip(sorted(there), images, strict=True))
        if sorted((to[src], to[dst]) for src, dst in edges) == sorted(other):
            yield to


@given(graphs, graphs)
def test_two_graphs_match_if_some_permutation_makes_them_equal(edges: Edges, other: Edges) -> None:
    is_same = next(isomorphisms(edges, other), None) is not None
    assert (matching(edges, other) is not None) == is_same
    if is_same:
        assert key(edges) == key(other)


@given(graphs, st.randoms(use_true_random=False))
def test_the_images_are_those_of_a_shuffled_copy(edges: Edges, chance: random.Random) -> None:
    names = chance.sample(range(10, 20), 10)
    copy = [(names[src], names[dst]) for src, dst in edges]
    chance.shuffle(copy)
    images = matching(edges, tuple(copy))
    assert images is not None
    assert sorted(images) == list(range(len(edges)))
    to: dict[int, int] = {}
    for (src, dst), image in zip(edges, images, strict=True):
        assert (to.setdefault(src, copy[image][0]), to.setdefault(dst, copy[image][1])) == copy[
            image
        ]
    assert len(set(to.values())) == len(to)


@given(graphs)
def test_edges_have_the_same_role_if_some_symmetry_swaps_them(edges: Edges) -> None:
    symmetries = list(isomorphisms(edges, edges))
    found = roles(edges)
    for one, role in zip(edges, found, strict=True):
        alike = {(to[one[0]], to[one[1]]) for to in symmetries}
        assert {e for e, r in zip(edges, found, strict=True) if r == role} == alike


@given(graphs)
def test_connected_parts_share_no_vertex_and_leave_no_edge_out(edges: Edges) -> None:
    parts = components(edges)
    assert sorted(number for part in parts for number in part) == list(range(len(edges)))
    vertices = [{v for number in part for v in edges[number]} for part in parts]
    assert sum(map(len, vertices)) == len(set().union(*vertices))


@pytest.mark.parametrize(
    ("edges", "other"),
    [
        (((0, 1), (0, 2)), ((1, 0), (2, 0))),
        (((0, 1), (0, 1)), ((0, 1), (1, 0))),
        # Two triangles and a hexagon: every vertex has one edge in and one out.
        (
            ((0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)),
            ((0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0)),
        ),
    ],
)
def test_direction_multiplicity_and_cycles_are_seen(edges: Edges, other: Edges) -> None:
    assert matching(edges, other) is None
