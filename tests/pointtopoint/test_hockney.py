from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from contend.base.errors import InvalidInputError
from contend.schedules.pointtopoint import hockney
from support.synthesis import SIZES, noisy, table

start_ups = st.floats(1e-7, 1e-3)
rates = st.floats(1e-11, 1e-7)


@given(start_ups, rates)
def test_the_time_is_alpha_plus_beta_m_in_any_shape(alpha, beta):
    sizes = np.array([[0, 1], [1024, 10**9]])
    times = hockney.given(alpha, beta).seconds(sizes)
    assert times.shape == (2, 2)
    assert times == pytest.approx(alpha + beta * sizes)


@given(start_ups, rates)
def test_a_line_is_recovered(alpha, beta):
    sizes = (0, *SIZES, 2**24)
    found = hockney.fit(table(lambda m: alpha + beta * m, sizes))
    assert float(found.alpha) == pytest.approx(alpha, rel=1e-6)
    assert float(found.beta) == pytest.approx(beta, rel=1e-4)
    assert found.relative_residual == pytest.approx(0, abs=1e-6)
    assert found.sizes_seen == sizes
    assert (found.alpha.unit, found.beta.unit) == ("s", "s/B")
    assert (found.step, found.step_from) == (None, None)


@given(start_ups, rates, st.floats(0.2, 5.0), st.sampled_from(SIZES[2:-2]))
def test_a_step_is_told_apart_from_the_line(alpha, beta, height, jump):
    """A wait that larger messages have makes neither a byte nor the start dearer."""
    step = height * (alpha + beta * jump)
    found = hockney.fit(table(lambda m: alpha + beta * m + step * (m >= jump), SIZES))
    assert float(found.alpha) == pytest.approx(alpha, rel=1e-4)
    assert float(found.beta) == pytest.approx(beta, rel=1e-4)
    assert found.step is not None and found.step_from is not None
    assert float(found.step) == pytest.approx(step, rel=1e-4)
    assert float(found.step_from) == jump
    assert found.seconds(jump) == pytest.approx(alpha + beta * jump, rel=1e-4)


def with_one_late(late, m):
    return (1 + 1e-3 * m) * (1.1 if m == late else 1.0)


def test_every_size_counts_by_its_relative_error():
    """A time 10 % off pulls alike whether it is the shortest or the longest."""
    sizes = (8, 16, 32, 4 * 10**6, 8 * 10**6, 16 * 10**6)
    more = 1.1 ** (1 / 3)
    for late, (alpha, beta) in {sizes[1]: (more, 1.0), sizes[4]: (1.0, more)}.items():
        found = hockney.fit(table(partial(with_one_late, late), sizes))
        assert float(found.alpha) == pytest.approx(alpha, rel=2e-3)
        assert float(found.beta) == pytest.approx(1e-3 * beta, rel=2e-3)


def test_a_step_longer_than_the_line_does_not_make_the_fit_a_bad_one():
    found = hockney.fit(table(lambda m: 1e-5 + 1e-9 * m + (1e-4 if m >= 1024 else 0.0), SIZES))
    assert float(found.step) == pytest.approx(1e-4)
    assert found.relative_residual == pytest.approx(0, abs=1e-6)


def test_the_intervals_hold_the_truth_95_times_in_100():
    rng = np.random.default_rng(11)
    found = [
        hockney.fit(table(lambda m: noisy(2e-5 + 8e-9 * m, rng, 0.02)[0], SIZES))
        for _ in range(300)
    ]
    inside = [
        [line.alpha.low <= 2e-5 <= line.alpha.high, line.beta.low <= 8e-9 <= line.beta.high]
        for line in found
    ]
    assert np.mean(inside, axis=0) == pytest.approx([0.95, 0.95], abs=0.04)


def test_a_start_up_that_would_be_negative_is_zero():
    found = hockney.fit(table(lambda m: max(1e-9 * m - 1e-8, 1e-9), (64, 4096, 65536, 2**20)))
    assert float(found.alpha) == found.alpha.low == 0.0
    assert float(found.beta) == pytest.approx(1e-9, rel=0.1)


@pytest.mark.parametrize(
    ("alpha", "beta"), [(-1e-6, 1e-9), (1e-6, 0.0), (1e-6, -1e-9), (np.nan, 1e-9), (1e-6, np.inf)]
)
def test_what_describes_no_message_is_refused(alpha, beta):
    with pytest.raises(InvalidInputError, match="give alpha >= 0 and beta > 0"):
        hockney.given(alpha, beta)
    with pytest.raises(InvalidInputError, match=r"2 message sizes .*; measure three or more"):
        hockney.fit(table(lambda m: 1e-6 * m, (8, 16)))
    with pytest.raises(InvalidInputError, match="does not grow with the size"):
        hockney.fit(table(lambda m: 1 / m, SIZES))


# Median time of messages below 64 B, and slope above 200 kB.
STATED = {
    "taurus": (15.9e-6, 1.46e-9),
    "graphene": (34.5e-6, 8.52e-9),
    "stampede": (1.36e-6, 0.198e-9),
}


def test_real_machines_have_a_line_with_intervals_near_their_ends(machine):
    rows = machine.tables["one_way"]
    small, large = rows[rows["m"] < 64], rows[rows["m"] > 200_000]
    start_up = float(small["seconds"].median())
    slope = float(np.polyfit(large["m"], large["seconds"], 1)[0])
    assert (start_up, slope) == pytest.approx(STATED[machine.name], rel=0.02)
    found = hockney.fit(rows)
    for quantity, end in ((found.alpha, start_up), (found.beta, slope)):
        assert quantity.low < float(quantity) < quantity.high
        assert quantity.high / quantity.low < 1.15
        # One line over all protocols is a compromise: both take in what one step leaves of them.
        assert 1.0 < float(quantity) / end < 1.3
    assert found.relative_residual is not None and found.relative_residual < 0.15
    # A message that fills more than one frame waits, on taurus many shorter ones as well; the third
    # machine has no Ethernet.
    step_from = {"taurus": 591, "graphene": 1448, "stampede": 158}
    assert float(found.step_from) == step_from[machine.name]
