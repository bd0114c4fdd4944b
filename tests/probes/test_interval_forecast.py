"""Intervals foreseen are those that there are once the points are measured."""

import numpy as np
import pytest

from contend.base.document import Floats
from contend.measure.probes.interval_forecast import Foreseen
from contend.measure.probes.places import Places
from contend.models.signature.layout import Layout, Points
from contend.models.signature.prior import PRIOR, Usual
from contend.models.signature.process import Process

REACH = 1.645
SIZES = (64, 512, 4096, 32768, 262144)
TARGETS = Places.grid([24, 100], SIZES)


def measured(counts: tuple[int, ...] = (8, 16)) -> Points:
    """A direct exchange of 10 us and 2 ns/B."""
    places = Places.grid(counts, SIZES)
    return Points(places.n, places.m, (places.n - 1) * (1e-5 + 2e-9 * places.m))


def with_further(points: Points, further: Places, seconds: Floats) -> Points:
    return Points(
        np.append(points.n, further.n),
        np.append(points.m, further.m),
        np.append(points.seconds, seconds),
    )


def widths(process: Process, targets: Places = TARGETS) -> Floats:
    """Logarithm of high/low, by the process itself."""
    return 2 * REACH * process.logarithm(targets.n, targets.m)[1]


@pytest.mark.parametrize("seed", range(4))
def test_what_is_foreseen_is_what_the_process_says_once_points_are_measured(seed: int) -> None:
    """Whatever times they turn out to have: fewer than four sizes at each n bend no curve."""
    rng = np.random.default_rng(seed)
    every = Places.grid([32, 64, 128], SIZES)
    foreseen = Foreseen.of(Process(Layout(measured()), Usual()), REACH, every, TARGETS)
    assert foreseen.widths() == pytest.approx(widths(Process(Layout(measured()), Usual())))
    chosen = [int(place) for n in range(3) for place in 5 * n + rng.permutation(5)[:2]]
    for place in chosen:
        assert foreseen.widths_with_each()[place] == pytest.approx(foreseen.after(place).widths())
        foreseen = foreseen.after(place)
    further = Places(every.n[chosen], every.m[chosen])
    later = with_further(measured(), further, np.exp(rng.normal(size=6)))
    process = Process(Layout(later), Usual())
    assert foreseen.widths() == pytest.approx(widths(process), rel=1e-9)


def test_what_is_foreseen_is_a_normal_distribution_given_some_of_its_values() -> None:
    """By brute force: the joint covariance of all points, inverted at once; also at n'."""
    process = Process(Layout(measured()), Usual())
    every = Places.of([(16, 1000), (16, 9), (8, 90000), (500, 64), (24, 4096)])
    foreseen = Foreseen.of(process, REACH, every, TARGETS)
    for place in range(len(every)):
        foreseen = foreseen.after(place)
    n, m = np.append(every.n, TARGETS.n), np.append(every.m, TARGETS.m)
    joint, k = process.remaining(n, m), len(every)
    inner = joint[:k, :k] + PRIOR.noise**2 * np.eye(k)
    left = np.diag(joint[k:, k:] - joint[k:, :k] @ np.linalg.inv(inner) @ joint[:k, k:])
    floor = PRIOR.noise**2 + PRIOR.launch**2
    assert foreseen.widths() == pytest.approx(2 * REACH * np.sqrt(left + floor), rel=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_more_points_never_widen_an_interval_and_their_order_is_all_one(seed: int) -> None:
    rng = np.random.default_rng(seed)
    every = Places.grid([4, 12, 64, 300], (1, 200, 5000, 10**6))
    start = Foreseen.of(Process(Layout(measured((16,))), Usual()), REACH, every, TARGETS)
    order, ends = rng.permutation(len(every))[:10], []
    for places in (order, order[::-1]):
        foreseen = start
        for place in places:
            after = foreseen.after(int(place))
            assert (after.widths() <= foreseen.widths() + 1e-12).all()
            assert (after.widths() >= start.least).all()
            foreseen = after
        ends.append(foreseen.widths())
    assert ends[0] == pytest.approx(ends[1], rel=1e-9)
    assert ends[0].mean() < 0.9 * start.widths().mean()


def test_what_remains_of_sizes_beyond_those_measured_is_what_their_intervals_say() -> None:
    process = Process(Layout(measured()), Usual())
    far = Places.grid([16, 40], (1, 8, 100, 4096, 10**6, 10**8))
    remaining = process.remaining(far.n, far.m)
    noise = PRIOR.noise**2 + PRIOR.launch**2
    assert np.diag(remaining) + noise == pytest.approx(process.logarithm(far.n, far.m)[1] ** 2)
    assert np.linalg.eigvalsh(remaining).min() > -1e-9


def test_a_size_measured_beyond_the_others_tells_of_it_at_all_n() -> None:
    process = Process(Layout(measured()), Usual())
    targets = Places.of([(16, 2**24), (40, 2**24), (40, 4096)])
    foreseen = Foreseen.of(process, REACH, Places.of([(16, 2**24)]), targets)
    narrowed = foreseen.after(0).widths() / foreseen.widths()
    assert narrowed[0] < narrowed[1] < 0.8
    assert narrowed[2] > 0.95
