"""Points of a lab: emulated time, and proof that the network was used."""

import pytest

from contend.base.errors import InvalidInputError, LaunchError
from contend.measure.emulation import as_emulated, require_hosts
from contend.measure.lab.session import RunningLab
from contend.measure.lab.specification import read_lab

COUNTERS = {"frames": 10, "late_ns": 400_000, "late_le:100000": 10}
POINT = {
    "experiment": "alltoall",
    "m": 64,
    "times_s": [4.0, 8.0],
    "warmup_s": [12.0],
    "rank_times_s": [[4.0, 2.0]],
    "start_skew_s": 2e-5,
    "start_skew_bound_s": None,
    "counters": COUNTERS,
}


def lab(dilation):
    known = read_lab("fast-ethernet").model_copy(update={"time_dilation": dilation})
    return RunningLab(known, 1, None, None)


def test_times_and_lateness_are_divided_by_the_dilation():
    point = as_emulated(POINT, lab(4.0))
    assert point["times_s"] == [1.0, 2.0]
    assert as_emulated(POINT, lab(1.0))["times_s"] == POINT["times_s"]
    assert point["warmup_s"] == [3.0]
    assert point["rank_times_s"] == [[1.0, 0.5]]
    assert point["start_skew_s"] == pytest.approx(5e-6)
    assert point["start_skew_bound_s"] is None
    assert point["lab"].lateness_mean_s == pytest.approx(10e-6)
    assert point["lab"].lateness_999_s == pytest.approx(25e-6)


def test_a_point_that_cannot_have_crossed_the_network_is_refused():
    with pytest.raises(LaunchError, match="did not cross the network"):
        as_emulated({**POINT, "counters": {}}, lab(1.0))
    fast = {**POINT, "experiment": "pingpong", "times_s": [1e-6]}
    with pytest.raises(LaunchError, match="the lab's latency is"):
        as_emulated(fast, lab(1.0))


def test_more_processes_than_hosts_are_refused_unless_several_share_one():
    known = read_lab("fast-ethernet")
    require_hosts(known, (4, 12), None)
    require_hosts(known, (3, 24), 2)
    with pytest.raises(InvalidInputError, match="13 processes on the lab fast-ethernet of 12"):
        require_hosts(known, (13,), None)
    with pytest.raises(InvalidInputError, match="none of their messages crosses the network"):
        require_hosts(known, (4, 12), 4)
