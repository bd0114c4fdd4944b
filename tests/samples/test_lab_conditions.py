"""What a lab's switch counts, as conditions of samples."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from contend.base.document import read_document
from contend.samples import LabConditions, Sample
from support.synthesis import sample

EDGES = [1000 * 2 ** (step / 4) for step in range(81)]
NAMES = [f"late_le:{edge:.0f}" for edge in EDGES] + ["late_le:inf"]
from_counters = LabConditions.from_counters
LATE = {"frames": 10, "late_ns": 40_000_000, "late_le:4096000": 9, "late_le:4870992": 1}
COUNTED = {
    "all of it": (
        {
            "frames": 2000, "bytes": 3_000_000, "drops": 12, "retransmissions": 9, "timeouts": 2,
            "unread": 1, "late_ns": 60_000_000,
            "late_le:1000": 1996, "late_le:2000": 2, "late_le:1217748": 2,
            "frames:a": 2000, "drops:a": 12, "peak:a": 900, "peak:b": 1500,
            "paused:a": 7_000_000, "paused:b": 1_000_000,
        },
        1.0,
        {
            "frames": 2000, "bytes": 3_000_000, "drops": 12, "retransmissions": 9, "timeouts": 2,
            "unread": 1, "lateness_mean_s": 3e-5, "lateness_999_s": 2e-6, "late_share": 0.001,
            "queue_peak_bytes": 1500, "paused_s": 8e-3,
        },
    ),
    "nothing": ({}, 1.0, {name: 0 for name in from_counters({}).model_dump()}),
    "lateness without a frame": (
        {"late_ns": 10**9, "late_le:inf": 3}, 1.0,
        {"lateness_mean_s": 0.0, "lateness_999_s": 0.0, "late_share": 0.0},
    ),
    "a frame counted as late before it is counted": (
        {"frames": 2, "late_le:inf": 3}, 1.0, {"late_share": 1.0}
    ),
    "lateness in the lab's time": (LATE, 1.0, {"late_share": 1.0}),
    "lateness in the time of the network that it stands for": (
        LATE, 4.0,
        {"lateness_mean_s": 1e-3, "lateness_999_s": 4870992e-9 / 4, "late_share": 0.1},
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", COUNTED)
def test_counters_become_conditions(case):
    counters, dilation, expected = COUNTED[case]
    found = from_counters(counters, dilation).model_dump()
    assert {name: found[name] for name in expected} == pytest.approx(expected)


@given(st.dictionaries(st.sampled_from(NAMES), st.integers(0, 10**6)))
def test_the_percentile_is_that_of_all_frames_in_a_row(buckets):
    frames = sum(buckets.values())
    found = from_counters({"frames": frames, **buckets}).lateness_999_s
    below = 0
    for name in NAMES:
        below += buckets.get(name, 0)
        if below and 1000 * below >= 999 * frames:
            edge = name.removeprefix("late_le:")
            assert found == (None if edge == "inf" else pytest.approx(int(edge) / 1e9))
            return
    assert found == 0.0


@pytest.mark.parametrize(
    ("counters", "text"),
    [
        ({"late_ns": 51_000_000}, "frames were 51 µs late on average, more than 50 µs"),
        ({"late_le:1217748": 2}, "0.20% of the frames were later than 1 ms, more than 0.1%"),
        ({"unread": 1}, "1 frames were lost before the switch could read them"),
        ({"late_ns": 50_000_000, "late_le:1217748": 1}, ""),  # at the limits
        ({"drops": 9, "timeouts": 9}, ""),  # no fault of the emulation
        ({"frames": 0}, ""),
    ],
)
def test_each_limit_is_named_when_it_is_crossed(counters, text):
    found = from_counters({"frames": 1000, **counters})
    assert (found.is_over_limits, found.limits_text) == (text != "", text)
    assert sample(lab=found).is_flagged == (text != "")
    assert sample(lab=found).is_emulated
    assert not sample().is_flagged and not sample().is_emulated


def test_all_limits_that_are_crossed_are_named():
    found = from_counters({"frames": 10, "late_ns": 10**9, "late_le:inf": 10, "unread": 4})
    assert found.limits_text.count(";") == 2


def test_a_sample_of_a_lab_survives_its_file():
    for lab in (from_counters({}), from_counters({"frames": 3, "late_le:inf": 3})):
        written = sample(lab=lab, cpu_busy=0.5)
        text = written.model_dump_json(exclude_none=True)
        head = '{"schema":"contend.samples","version":1,'
        assert read_document(Sample, head + text[1:], "here") == written


def test_conditions_that_cannot_be_are_refused():
    for wrong in ({"frames": -1}, {"late_share": 1.1}, {"queue_peak_bytes": None}):
        with pytest.raises(ValidationError):
            LabConditions(**(from_counters({}).model_dump() | wrong))
    with pytest.raises(ValidationError):
        sample(cpu_busy=1.01)
