"""Questions on communicators above those on calls: what runs stays the same, with fewer of them."""

import random

import pytest

from contend.exports.csel.hoist import hoisted
from contend.exports.csel.keys import key_of
from contend.exports.csel.narrow import is_leaf

HIERARCHIES = ("parent", "node", "flat")


def random_tree(rng, depth):
    """Levels of questions on communicators or calls, each of which ends with any."""
    if not depth or rng.random() < 0.2:
        return {f"algorithm={rng.choice('ABC')}": {}}
    if rng.random() < 0.5:
        names = rng.sample(HIERARCHIES, rng.randint(1, 2))
        keys = [*(f"comm_hierarchy={name}" for name in names), "comm_hierarchy=any"]
    elif rng.random() < 0.4:
        keys = ["comm_size=pow2", "comm_size=any"]
    else:
        bounds = sorted(rng.sample(range(100), rng.randint(1, 3)))
        keys = [*(f"avg_msg_size<={bound}" for bound in bounds), "avg_msg_size=any"]
    return {key: random_tree(rng, depth - 1) for key in keys}


def sizes_of(rng, depth=3):
    bounds = sorted(rng.sample(range(100), rng.randint(1, 4)))
    keys = [*(f"avg_msg_size<={bound}" for bound in bounds), "avg_msg_size=any"]
    return {key: random_tree(rng, depth) for key in keys}


def runs(tree, n, hierarchy, m):
    """The leaf that a call reaches, by the first answer of each level; and what it was asked."""
    asked = 0
    while not is_leaf(tree):
        for text, below in tree.items():
            key = key_of(text)
            asked += key.is_of_call or asked > 0  # the rest was answered when it was made
            if key.is_any or (
                (key.name == "avg_msg_size" and m <= key.bound)
                or (key.name == "comm_hierarchy" and key.value == hierarchy)
                or (key.value == "pow2" and n & (n - 1) == 0)
            ):
                tree = below
                break
    return next(iter(tree)), asked


@pytest.mark.parametrize("seed", range(60))
def test_every_call_runs_what_it_ran_and_is_asked_no_more(seed):
    rng = random.Random(seed)
    tree = sizes_of(rng)
    better = hoisted(tree)
    for n in (6, 8):
        for hierarchy in HIERARCHIES:
            for m in range(101):
                (before, more), (after, fewer) = (
                    runs(one, n, hierarchy, m) for one in (tree, better)
                )
                assert after == before
                assert fewer <= more


def test_sizes_that_run_the_same_are_one():
    leaf = {"algorithm=A": {}}
    assert hoisted({"avg_msg_size<=8": leaf, "avg_msg_size=any": leaf}) == leaf
    other = {"algorithm=B": {}}
    assert hoisted(
        {"avg_msg_size<=8": leaf, "avg_msg_size<=16": leaf, "avg_msg_size=any": other}
    ) == {"avg_msg_size<=16": leaf, "avg_msg_size=any": other}


def test_a_level_that_some_communicators_leave_without_an_answer_stays_where_it_is():
    open_ended = {"comm_hierarchy=parent": {"algorithm=A": {}}}
    sizes = {"avg_msg_size<=8": open_ended, "avg_msg_size=any": {"algorithm=B": {}}}
    assert hoisted(sizes) == sizes
