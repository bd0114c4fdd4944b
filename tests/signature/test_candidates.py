"""Candidates of growth and of scatter: what each foretells, and what averaging them gives."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from contend.base.document import Floats
from contend.models.signature.candidates import (
    SCATTERS,
    TEMPER,
    USUAL_SCATTER,
    Candidate,
    Mixture,
    candidates,
    scalings,
)
from contend.models.signature.layout import Layout, Points
from contend.models.signature.prior import PRIOR, Usual
from contend.models.signature.process import Process

SIZES = 2.0 ** np.arange(6, 18)
DIRECT = Usual((1.0, 0.0), (1.0, 0.0), 0.1)


def exchange(
    counts: tuple[int, ...], noise: float, rng: np.random.Generator, *, is_forwarded: bool = False
) -> Points:
    """A straight machine of 80 us and 8.7 ns/B; one that forwards has start-ups for log2 n."""
    n, m = (part.ravel() for part in np.meshgrid(np.array(counts, float), SIZES, indexing="ij"))
    seconds = 8e-5 * (np.log2(n) if is_forwarded else n - 1) + 8.7e-9 * (n - 1) * m
    return Points(n, m, seconds * np.exp(noise * rng.standard_normal(n.size)))


def of(points: Points, counts: tuple[int, ...]) -> Points:
    return points.at(np.isin(points.n, counts))


def foretold(points: Points, fitted: tuple[int, ...]) -> tuple[Floats, Floats]:
    """Errors of log time at all other n, and half the width of 90 %."""
    others = points.at(~np.isin(points.n, fitted))
    logarithm, deviation = Mixture(of(points, fitted), Usual()).logarithm(others.n, others.m)
    return logarithm - np.log(others.seconds), 1.645 * deviation


@pytest.mark.parametrize("scatter", SCATTERS)
def test_what_a_process_foretells_is_a_conditional_density(scatter: float) -> None:
    """By brute force: the density of all points over that of those at n'."""
    layout = Layout(exchange((4, 12, 8), 0.05, np.random.default_rng(3)))
    known = layout.points
    process = Process(layout, DIRECT, scatter)
    noise = (scatter * PRIOR.noise) ** 2 * np.eye(known.n.size)
    covariance = process.sum(layout.among) + noise
    error = np.log(known.seconds) - layout.usual(DIRECT, known.n, known.m)
    own = known.n == layout.reference
    density = [
        multivariate_normal(cov=covariance[np.ix_(chosen, chosen)]).logpdf(error[chosen])
        for chosen in (np.full(own.size, True), own)
    ]
    assert process.density == pytest.approx(density[0] - density[1], rel=1e-6)


def test_what_is_left_out_is_foretold_as_by_a_process_without_it() -> None:
    points = exchange((4, 8, 16), 0.05, np.random.default_rng(4))
    layout = Layout(points)
    chosen = np.flatnonzero(layout.points.n == 4)
    error, deviation, density = Process(layout, DIRECT).left_out(chosen)
    without = Layout(layout.points.at(layout.points.n != 4))
    without._ends = layout._ends
    own = layout.points.at(chosen)
    mean, expected = Process(without, DIRECT).logarithm(own.n, own.m)
    assert mean - np.log(own.seconds) == pytest.approx(error, abs=1e-8)
    assert deviation == pytest.approx(expected, rel=1e-8)
    whole, less = (Process(one, DIRECT).density for one in (layout, without))
    assert density == pytest.approx(whole - less, rel=1e-6)


def test_a_single_point_left_out_is_predicted_as_by_a_process_without_it() -> None:
    layout = Layout(exchange((4, 8, 16), 0.05, np.random.default_rng(4)))
    chosen = np.flatnonzero(layout.points.n != 16)[3:5]
    errors, deviations = Process(layout, DIRECT).each_left_out(chosen)
    for place, error, deviation in zip(chosen, errors, deviations, strict=True):
        without = Layout(layout.points.at(np.arange(layout.points.n.size) != place))
        own = layout.points.at(np.array([place]))
        process = Process(without, DIRECT)
        mean, expected = process.logarithm(own.n, own.m)
        assert mean - np.log(own.seconds) == pytest.approx(error, abs=1e-8)
        assert np.sqrt(expected**2 - process.launch) == pytest.approx(deviation, rel=1e-8)


def test_sizes_that_predict_each_other_badly_have_wider_intervals() -> None:
    """The larger half grows by 1.3 times more or less from one size to the next."""
    points = exchange((8, 32), 0.0, np.random.default_rng(0))
    is_large = np.median(SIZES) < SIZES
    odd = np.where(np.arange(SIZES.size) % 2, 1.3, 1 / 1.3) ** is_large
    seconds = points.seconds * np.where(points.n == 8, np.tile(odd, 2), 1.0)
    uneven = Mixture(Points(points.n, points.m, seconds), Usual()).unevenness(SIZES)
    assert uneven[is_large][1:].min() > 1.15 * uneven[~is_large][:-1].max()
    straight = Mixture(points, Usual()).unevenness(SIZES)
    assert np.ptp(straight) < 0.1 and straight.max() < 1


def test_of_one_n_no_size_is_more_uneven_than_others() -> None:
    points = of(exchange((8, 32), 0.1, np.random.default_rng(0)), (8,))
    assert (Mixture(points, Usual()).unevenness(SIZES) == 1).all()


def test_weights_are_of_what_is_foretold_and_of_what_was_thought_before() -> None:
    points = exchange((4, 8), 0.05, np.random.default_rng(5))
    found = Mixture(points, Usual())
    weights = []
    for process in found.processes:
        one = next(c for c in candidates(Usual()) if is_of(process, c))
        before = np.log(scalings(points.n, 1)[process.layout.scaling]) + one.weight
        weights.append(np.exp(TEMPER * process.density + before))
    assert found.weights == pytest.approx(np.array(weights) / np.sum(weights))
    alone = Mixture(of(points, (8,)), Usual())
    assert {one.scatter for one in alone.processes} == {USUAL_SCATTER}
    assert alone.share(lambda scaling: scaling.shift == 0) == pytest.approx(0.7, abs=0.01)


def is_of(process: Process, candidate: Candidate) -> bool:
    return (process.usual, process.scatter) == (candidate.usual, candidate.scatter)


def test_a_machine_that_repeats_itself_is_predicted_closely_and_one_that_does_not_is_not() -> None:
    """Intervals hold at least what they claim of both, and are narrow where that is right."""
    rng, widths = np.random.default_rng(6), {}
    for noise in (0.02, 0.1):
        inside, half = [], []
        for _ in range(40):
            errors, width = foretold(exchange((8, 32, 16, 64), noise, rng), (8, 32))
            inside.append(np.mean(np.abs(errors) <= width))
            half.append(width)
        assert np.mean(inside) >= 0.88
        widths[noise] = np.exp(2 * np.median(half))
    assert widths[0.02] < 1.4
    assert widths[0.1] > 1.5


@pytest.mark.parametrize("is_forwarded", [False, True])
def test_the_kind_that_an_exchange_grows_like_counts_more_than_the_other(
    *, is_forwarded: bool
) -> None:
    """Small messages tell: start-ups grow as n-1 or, of Bruck's algorithm, as log2 n."""
    points = exchange((8, 64), 0.02, np.random.default_rng(7), is_forwarded=is_forwarded)
    mixture = Mixture(points, Usual())
    direct, forwarded = (kind_weight(mixture, powers) for powers in ((1.0, 0.0), (0.0, 1.0)))
    assert (forwarded > 100 * direct) if is_forwarded else (direct > 100 * forwarded)


def kind_weight(
    mixture: Mixture, startups: tuple[float, float], *, is_fixed: bool = False
) -> float:
    """Return the weight of start-ups that grow by these powers, beside a fixed cost or not."""
    return sum(
        weight
        for process, weight in zip(mixture.processes, mixture.weights, strict=True)
        if process.usual.startups == startups and bool(process.usual.fixed) == is_fixed
    )


def fixed_cost(n: Floats, processes: float) -> Points:
    """A direct exchange whose calls cost as much as the start-ups of some `processes` at any n."""
    n, m = (part.ravel() for part in np.meshgrid(n, SIZES[:8], indexing="ij"))
    scatter = 0.02 * np.random.default_rng(12).standard_normal(n.size)
    return Points(n, m, (8e-5 * (processes + n - 1) + 8.7e-10 * (n - 1) * m) * np.exp(scatter))


def test_a_fixed_cost_of_a_call_is_seen_and_start_ups_then_grow_faster_than_they_did() -> None:
    points = fixed_cost(np.array([8.0, 64.0, 512.0, 2048.0]), 160.0)
    mixture = Mixture(of(points, (8, 64, 512)), Usual())
    assert kind_weight(mixture, (1.0, 0.0), is_fixed=True) > 1.5 * kind_weight(
        mixture, Usual().startups
    )
    far = points.at(points.n == 2048)
    error = mixture.logarithm(far.n, far.m)[0] - np.log(far.seconds)
    assert np.abs(error).max() < 0.25
    straight = Mixture(fixed_cost(np.array([8.0, 64.0, 512.0]), 0.0), Usual())
    assert kind_weight(straight, (1.0, 0.0), is_fixed=True) < 0.2


def test_start_ups_beside_a_fixed_cost_grow_ever_more_like_the_number_of_processes() -> None:
    usual = Usual((1.0, 0.0), fixed=160.0)
    grown, _ = usual.logarithms(np.array([2.0, 3.0, 4001.0, 8001.0]))
    assert grown[1] - grown[0] < 0.03
    assert grown[3] - grown[2] == pytest.approx(np.log(2), rel=0.04)


def test_what_remains_of_a_mixture_is_what_its_intervals_say() -> None:
    """By brute force: over draws from the candidates, each as often as it counts."""
    points = exchange((8, 16), 0.05, np.random.default_rng(9))
    found = Mixture(points, Usual())
    n, m = np.array([24.0, 24.0, 64.0]), np.array([64.0, 2.0**16, 2.0**12])
    remaining = found.remaining(n, m)
    deviation = found.logarithm(n, m)[1]
    assert np.diag(remaining) + found.noise + found.launch == pytest.approx(deviation**2)
    rng, draws = np.random.default_rng(10), []
    counts = rng.multinomial(60_000, found.weights)
    for count, process in zip(counts, found.processes, strict=True):
        if count:
            mean, _ = process.logarithm(n, m)
            draws.append(rng.multivariate_normal(mean, process.remaining(n, m), count))
    assert np.cov(np.concatenate(draws).T) == pytest.approx(remaining, rel=0.15, abs=2e-4)


@pytest.mark.parametrize(
    ("sizes", "told"),
    [
        ({8: 4}, [4]),
        ({8: 3}, []),
        ({8: 3, 16: 3}, [3, 3]),
        ({8: 3, 16: 2}, []),
        ({8: 4, 16: 1}, [4]),
        ({8: 12, 16: 3}, [12, 3]),
    ],
    ids=str,
)
def test_an_n_tells_how_far_predictions_are_off_by_a_curve_or_beside_others(
    sizes: dict[int, int], told: list[int]
) -> None:
    every = exchange((8, 16, 32), 0.02, np.random.default_rng(3))
    counts = sizes | {32: SIZES.size}
    kept = [np.flatnonzero(every.n == n)[:most] for n, most in counts.items()]
    points = every.at(np.concatenate(kept))
    assert points.reference == 32
    assert [one.size for one in Mixture(points, Usual()).unseen_errors()] == told


def test_an_algorithm_that_is_known_leaves_its_scatter_alone_open() -> None:
    assert {one.usual for one in candidates(DIRECT)} == {DIRECT}
    assert [one.scatter for one in candidates(DIRECT)] == list(SCATTERS)
