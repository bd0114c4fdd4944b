"""What the binding of the order of a schedule adds: shapes, ownership; the rest: core/tests."""

import numpy as np
import pytest

from contend import _core
from contend.base.errors import InvalidInputError


def message():
    """One message from rank 0 to rank 1."""
    return _core.ScheduleOrder(
        kind=np.array([0, 1], dtype=np.int8),
        rank=np.array([0, 1]),
        partner=np.array([1, 0]),
        offsets=np.zeros(3, dtype=np.int64),
        required=np.zeros(0, dtype=np.int64),
    )


def test_each_case_has_a_row():
    gap, latency = np.array([[1.0, 1.0], [2.0, 2.0]]), np.full((2, 2), 5.0)
    assert message().finish_times(gap=gap, latency=latency).tolist() == [[1, 6], [2, 7]]
    assert message().ends(gap=gap, latency=latency).tolist() == [6, 7]


def test_no_case_and_no_operation_are_empty():
    empty = np.zeros(0, dtype=np.int64)
    nothing = _core.ScheduleOrder(
        kind=empty.astype(np.int8),
        rank=empty,
        partner=empty,
        offsets=np.zeros(1, np.int64),
        required=empty,
    )
    assert nothing.finish_times(gap=np.zeros((3, 0)), latency=np.zeros((3, 0))).shape == (3, 0)
    assert nothing.ends(gap=np.zeros((3, 0)), latency=np.zeros((3, 0))).tolist() == [0, 0, 0]
    assert message().finish_times(gap=np.zeros((0, 2)), latency=np.zeros((0, 2))).shape == (0, 2)
    assert message().ends(gap=np.zeros((0, 2)), latency=np.zeros((0, 2))).shape == (0,)


def test_results_outlive_their_order_and_are_read_only():
    times = message().finish_times(gap=np.ones((1, 2)), latency=np.ones((1, 2)))
    assert times.tolist() == [[1, 2]]
    with pytest.raises(ValueError, match="read-only"):
        times[0, 0] = 3.0


def test_tables_that_do_not_fit_are_named():
    with pytest.raises(InvalidInputError, match="gap has 2 cases and latency 1"):
        message().ends(gap=np.zeros((2, 2)), latency=np.zeros((1, 2)))
    with pytest.raises(InvalidInputError, match="gap has 3 entries; give 2"):
        message().ends(gap=np.zeros((1, 3)), latency=np.zeros((1, 3)))
    with pytest.raises(InvalidInputError, match="operation 1: its latency must be finite"):
        message().ends(gap=np.zeros((1, 2)), latency=np.array([[0.0, np.nan]]))


@pytest.mark.parametrize("gap", [np.zeros(2), np.zeros((1, 2), dtype=np.float32), [[0.0, 0.0]]])
def test_nothing_is_converted_silently(gap):
    with pytest.raises(TypeError):
        message().ends(gap=gap, latency=np.zeros((1, 2)))  # type: ignore[arg-type]


def test_gap_and_latency_go_by_name():
    with pytest.raises(TypeError):
        message().ends(np.ones((1, 2)), np.ones((1, 2)))  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        message().finish_times(np.ones((1, 2)), np.ones((1, 2)))  # type: ignore[call-arg]
