"""Rounds of disjoint pairs, as of a tournament: who meets whom, and when.

Source: Kirkman 1847, "On a problem in combinations"; the circle method.
Idea: in round r those meet whose numbers add up to r modulo P - 1, the last one the one left over.
Cost: P - 1 rounds (P for odd P) for all pairs. Of more than `most` rounds only so many are taken,
drawn at random but always the same ones: each host then meets `most` others. Evenly spread ones
would keep neighbours apart, whose numbers add up to multiples of the spacing alone.
"""

import numpy as np

Pairs = tuple[tuple[int, int], ...]

MOST_ROUNDS = 128  # more pairs of a host add little; one switch needs a handful


def rounds_of(hosts: int, most: int = MOST_ROUNDS) -> list[Pairs]:
    """Pairs of each round, at most `most` rounds.

    >>> rounds_of(4)
    [((0, 3), (1, 2)), ((0, 1), (2, 3)), ((0, 2), (1, 3))]
    """
    if hosts < 2:
        return []
    even = hosts + hosts % 2
    numbers = range(even - 1)
    if most < len(numbers):
        drawn = np.random.default_rng(hosts).choice(len(numbers), most, replace=False)
        return [_round(number, hosts, even) for number in sorted(drawn.tolist())]
    return [_round(number, hosts, even) for number in numbers]


def _round(number: int, hosts: int, even: int) -> Pairs:
    count, last = even - 1, even - 1
    pairs = []
    for member in range(count):
        other = (number - member) % count
        if member < other:
            pairs.append((member, other))
        elif member == other:
            pairs.append((member, last))
    return tuple(pair for pair in pairs if max(pair) < hosts)
