"""Placements by their words."""

from collections import Counter

import pytest

from contend.base.errors import ContendError
from contend.programs.sweeps.placement import placed


def test_random_placements_are_those_of_every_machine_and_version():
    assert placed("random:1", 6, 3).tolist() == [1, 0, 2, 0, 2, 1]
    assert placed("random:2", 4, None, 8).tolist() == [6, 7, 2, 3]


@pytest.mark.parametrize("seed", range(20))
def test_random_placements_fill_hosts_as_block_does(seed):
    hosts = Counter(placed(f"random:{seed}", 10, 4).tolist())
    assert sorted(hosts.values()) == [1, 3, 3, 3]
    spread = placed(f"random:{seed}", 10, None, 50)
    assert len(set(spread.tolist())) == 10
    assert spread.max() < 50


def test_seeds_make_different_placements():
    assert len({tuple(placed(f"random:{seed}", 12, 4).tolist()) for seed in range(30)}) == 30


def test_a_file_has_a_host_for_each_rank(tmp_path):
    path = tmp_path / "map.txt"
    path.write_text("0 0  # the first two\n1, 1\n")
    assert placed(str(path), 4, 2).tolist() == [0, 0, 1, 1]
    path.write_text("node1 node2")
    with pytest.raises(ContendError, match="no list of hosts"):
        placed(str(path), 2, 2)


@pytest.mark.parametrize(
    ("word", "words"),
    [("random", "give a seed"), ("random:x", "give a seed"), ("here.txt", "which is no file"),
     ("0,1", "2 hosts for 4 ranks"), ("0,1,2,9", "number hosts")],
)  # fmt: skip
def test_other_words_are_explained(word, words):
    with pytest.raises(ContendError, match=words):
        placed(word, 4, 4)
