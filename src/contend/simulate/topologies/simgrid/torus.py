"""SimGrid's clusters TORUS: `size,size,...`, a cable from each host to the next of each dimension.

Source: the platform reference of SimGrid.
Idea: a message goes along one dimension after the other, the shorter way around; halfway around it
goes upwards from the lower half and downwards from the upper one.
"""

from math import prod

from contend.simulate.topologies.simgrid.shape import Passed, Shape, check_cables, numbers_of, wrong


def torus(text: str, cluster: str) -> Shape:
    """Return the torus that parameters describe; the first coordinate varies fastest."""
    lists = numbers_of(text, cluster, "3,4,2: hosts in each dimension")
    if len(lists) != 1:
        raise wrong(text, cluster, "3,4,2")
    sizes = lists[0]
    check_cables(cluster, (*sizes, len(sizes)))

    def route(src: int, dst: int) -> list[Passed]:
        links: list[Passed] = []
        at, stride = src, 1
        for dimension, size in enumerate(sizes):
            place, goal = at // stride % size, dst // stride % size
            step = 1 if _is_upwards(place, goal, size) else -1
            while place != goal:
                following = (place + step) % size
                beyond = at + (following - place) * stride
                holder = at if step > 0 else beyond
                links.append((holder * len(sizes) + dimension, step < 0))
                at, place = beyond, following
            stride *= size
        return links

    return Shape(prod(sizes), 0, [1.0] * (prod(sizes) * len(sizes)), route)


def _is_upwards(place: int, goal: int, size: int) -> bool:
    half = size // 2
    return place < goal <= place + half or (place > half and (place + half) % size >= goal)
