"""Which graphs the later steps of measured graphs are."""

import numpy as np

from contend.simulate.graphs.later_steps import later_graphs, steps_after_first

ZIGZAG = ((0, 1), (0, 2), (3, 2))


def test_the_messages_left_after_each_end() -> None:
    ends = np.array([[1.0, 2.0, 3.0]])
    assert steps_after_first(ZIGZAG, ends) == [[1, 2], [2]]


def test_an_end_that_follows_at_once_is_no_step() -> None:
    assert steps_after_first(ZIGZAG, np.array([[1.0, 2.97, 3.0]])) == [[1, 2]]


def test_messages_of_one_role_end_together_whatever_noise_says() -> None:
    fan_and_one = ((0, 1), (0, 2), (3, 4))
    ends = np.array([[1.8, 2.2, 1.0], [2.2, 1.8, 1.0]])
    assert steps_after_first(fan_and_one, ends) == [[0, 1]]


def test_parts_are_asked_for_once_and_only_if_they_are_not_known() -> None:
    ends = np.array([[1.0, 2.0, 3.0]])
    pair = ((5, 4), (6, 4))
    wanted = later_graphs([(ZIGZAG, ends), (ZIGZAG, ends)])
    assert wanted == [((0, 1), (2, 1))]
    assert later_graphs([(ZIGZAG, ends), (pair, np.array([[2.0, 2.0]]))]) == []


def test_single_messages_that_are_left_apart_need_no_graph() -> None:
    star = ((0, 1), (0, 2), (3, 1), (4, 2))
    assert later_graphs([(star, np.array([[1.0, 1.0, 2.0, 2.0]]))]) == []
