"""Random graphs: distinct shapes, of the sizes asked for, reproducible."""

from itertools import combinations

import pytest

from contend.base.errors import InvalidInputError
from contend.simulate.graphs.isomorphism import components, matching
from contend.simulate.graphs.random_graphs import FREE_EVERY, random_graphs

EDGES, NODES = range(2, 9), range(4, 9)


def test_no_two_graphs_have_one_shape() -> None:
    graphs = list(random_graphs(60, EDGES, NODES, seed=3).values())
    assert all(matching(a, b) is None for a, b in combinations(graphs, 2))


def test_graphs_are_of_all_sizes_and_messages_meet_but_for_a_few() -> None:
    graphs = list(random_graphs(60, EDGES, NODES, seed=3).values())
    counts = [sum(len(edges) == size for edges in graphs) for size in EDGES]
    assert sum(counts) == 60
    assert min(counts[1:]) >= 60 // len(EDGES)
    assert counts[0] <= 5  # two messages meet in four ways, or not at all
    apart = [number for number, edges in enumerate(graphs) if len(components(edges)) > 1]
    assert all(number % FREE_EVERY == FREE_EVERY - 1 for number in apart)
    assert apart
    for edges in graphs:
        vertices = {vertex for edge in edges for vertex in edge}
        assert vertices == set(range(len(vertices)))
        assert len(vertices) <= max(NODES)
        assert len(set(edges)) == len(edges)


def test_more_graphs_begin_with_the_same_and_another_seed_gives_others() -> None:
    few, many = (random_graphs(count, EDGES, NODES, seed=1) for count in (10, 30))
    assert dict(list(many.items())[:10]) == few
    assert random_graphs(10, EDGES, NODES, seed=2) != few


@pytest.mark.parametrize(
    ("count", "edges", "nodes", "message"),
    [
        (0, [2], [4], "0 random graphs"),
        (1, [1, 2], [4], "1 random graphs of 1 edges"),
        (1, [], [4], "of no edges"),
        (1, [2], [], "among 0 nodes"),
        (1, [7], [3], "7 messages among 3 nodes"),
        (9, [2], [4], "9 random graphs were asked for, 4 shapes were found"),
    ],
)
def test_what_cannot_be_is_refused(
    count: int, edges: list[int], nodes: list[int], message: str
) -> None:
    with pytest.raises(InvalidInputError, match=message):
        random_graphs(count, edges, nodes, seed=1)
