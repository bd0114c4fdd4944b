"""The share of repetitions with a time-out: recovered, carried on, with intervals that hold it."""

import numpy as np
import pytest

from contend.models.timeouts import TimeoutPoints
from contend.models.timeouts.share import Share
from support.timeouts import COUNTS, SIZES, Lossy

LAUNCHES, REPETITIONS = 2, 10


def counted(
    net: Lossy, seed: int, counts: tuple[int, ...] = COUNTS, sizes: tuple[int, ...] = SIZES
) -> TimeoutPoints:
    """What is counted in a campaign, told without an error."""
    samples = net.samples(
        np.random.default_rng(seed), counts, sizes, launches=LAUNCHES, repetitions=REPETITIONS
    )
    late = [sum(time > 1.0 for time in one.times_s) for one in samples]
    return points([(one.n, one.m, one.launch, len(one.times_s)) for one in samples], late)


def points(cells: list[tuple[int, int, int, int]], late: list[int]) -> TimeoutPoints:
    n, m, launch, repetitions = zip(*cells, strict=True)
    return TimeoutPoints(
        n=n, m=m, launch=launch, repetitions=repetitions, late=tuple(late), waits=tuple(late)
    )


def grid(counts: tuple[int, ...], sizes: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    n, m = np.meshgrid(counts, sizes, indexing="ij")
    return n.ravel(), m.ravel()


def off(share: Share, net: Lossy, counts: tuple[int, ...], sizes: tuple[int, ...]) -> np.ndarray:
    """Differences to the true share."""
    n, m = grid(counts, sizes)
    return share.predict(n, m)[0] - [net.share(*point) for point in zip(n, m, strict=True)]


LATE = Lossy(cost=10.0)  # told apart from any clean time by its length
NETWORKS = [
    LATE,
    Lossy(cost=10.0, of_launch=1.0),
    Lossy(cost=10.0, steepness=8.0),
    Lossy(cost=10.0, steepness=2.0, exponent=1.0),
]


@pytest.mark.parametrize("net", NETWORKS, ids=lambda net: f"{net.steepness}-{net.of_launch}")
def test_the_share_is_recovered_where_it_was_measured(net: Lossy) -> None:
    found = [off(Share(counted(net, seed)), net, COUNTS, SIZES) for seed in range(3)]
    assert np.mean(np.abs(found)) < 0.05
    assert np.abs(np.mean(found)) < 0.03


@pytest.mark.parametrize("net", NETWORKS, ids=lambda net: f"{net.steepness}-{net.of_launch}")
def test_the_share_is_carried_to_other_n_and_m(net: Lossy) -> None:
    sizes = (3000, 12000, 24000, 48000, 131072)
    known = [Share(counted(net, seed, (4, 6, 8), SIZES)) for seed in range(3)]
    found = [off(share, net, (5, 10, 16), sizes) for share in known]
    assert np.mean(np.abs(found)) < 0.10


@pytest.mark.parametrize("seen", [COUNTS, (4, 8)], ids=["measured", "unseen"])
def test_intervals_hold_the_share_of_all_launches_nine_times_of_ten(seen: tuple[int, ...]) -> None:
    held = []
    for net in NETWORKS[:3]:
        truth = np.array([net.share(*point) for point in zip(*grid(COUNTS, SIZES), strict=True)])
        between = (truth > 0.05) & (truth < 0.95)
        for seed in range(5):
            _, low, high = Share(counted(net, seed, seen)).predict(*grid(COUNTS, SIZES))
            held += list(((low <= truth) & (truth <= high))[between])
    assert np.mean(held) >= 0.90


def test_the_share_never_falls_with_n_and_hardly_with_m() -> None:
    share = Share(counted(LATE, 1, (8,), (4096, 16384, 65536)))
    counts, sizes = tuple(range(2, 40)), tuple(2**power for power in range(8, 22))
    found = share.predict(*grid(counts, sizes))[0].reshape(len(counts), len(sizes))
    unseen = np.array([n != 8 for n in counts])
    assert (np.diff(found[unseen], axis=0) >= -1e-9).all()
    # A library that exchanges otherwise from 16 or 64 KiB on cannot be excluded by three sizes.
    assert (np.diff(found[unseen], axis=1) >= -0.02).all()
    assert found[0, 0] < 0.01
    assert found[-1, -1] > 0.99


@pytest.mark.parametrize(
    "late",
    [[0, 0, 10, 10], [0, 0, 0, 0], [10, 10, 10, 10], [0, 0, 0, 10]],
    ids=["separated", "none", "all", "last"],
)
def test_no_share_between_none_and_all_leaves_everything_finite(late: list[int]) -> None:
    cells = [(8, m, 0, 10) for m in (2048, 8192, 16384, 65536)]
    share = Share(points(cells, late))
    found = np.array(share.predict(*grid((2, 8, 100), (0, 1, 2048, 16384, 2**30))))
    assert np.isfinite(found).all() and (found >= 0).all() and (found <= 1).all()
    assert (found[1] <= found[0] + 1e-9).all() and (found[0] <= found[2] + 1e-9).all()
    assert np.isfinite(share.half(np.array([2, 8, 100]))).all()
    assert share.switch is None


def test_few_points_know_little() -> None:
    share = Share(points([(8, 2048, 0, 10), (8, 65536, 0, 10)], [0, 10]))
    _, low, high = share.predict(8, 11585)
    assert low < 0.2 and high > 0.8


def test_one_cell_is_enough_to_say_something() -> None:
    share = Share(points([(8, 8192, 0, 10)], [3]))
    found, low, high = share.predict(8, 8192)
    assert low < 0.3 < high and found == pytest.approx(0.3, abs=0.15)


def test_a_library_that_exchanges_otherwise_is_noticed() -> None:
    net = Lossy(cost=10.0, switch=65536)
    share = Share(counted(net, 1))
    assert share.switch == 65536
    assert share.predict(10, 32768)[0] > 0.9
    assert share.predict(10, 65536)[0] < 0.1
    assert Share(counted(LATE, 1)).switch is None


def test_launches_that_differ_widen_the_interval_and_repetitions_do_not() -> None:
    cells = [(n, m, launch, 20) for n in (4, 8) for m in SIZES for launch in range(3)]
    truth = {(n, m): LATE.share(n, m) for n in (4, 8) for m in SIZES}
    alike = [round(20 * truth[n, m]) for n, m, _, _ in cells]
    shifted = [
        round(20 * truth[n, SIZES[min(max(SIZES.index(m) + launch - 1, 0), len(SIZES) - 1)]])
        for n, m, launch, _ in cells
    ]
    widths = []
    for late in (alike, shifted):
        _, low, high = Share(points(cells, late)).predict(8, 16384)
        widths.append(float(high[0] - low[0]))
    assert widths[1] > 1.15 * widths[0]


def test_where_half_of_them_wait_is_recovered() -> None:
    found = Share(counted(Lossy(cost=10.0, of_launch=0.0), 2)).half(np.array([4, 8, 12]))
    wanted = 16384 * (7 / np.array([3, 7, 11])) ** 2
    assert np.abs(np.log(found / wanted)).max() < 0.25
