"""The process that carries times over n: its algebra, its intervals, and what bends it."""

import numpy as np
import pandas as pd
import pytest
from draws import drawn, points_of
from scipy.integrate import dblquad

from contend.base.document import Floats
from contend.models.signature import FORMS, FittedForm, PointToPoint
from contend.models.signature.algorithm_growth import usual_growth
from contend.models.signature.layout import Layout, _drifted
from contend.models.signature.prior import PRIOR, Usual
from contend.models.signature.process import Process
from contend.schedules import algorithms
from support.synthesis import SIZES

BYTES = np.array(SIZES, dtype=float)
NOTHING = PointToPoint()


def grid(counts: tuple[int, ...], sizes: Floats = BYTES) -> tuple[Floats, Floats]:
    """Every n with every size, as columns."""
    n, m = np.meshgrid(np.array(counts, dtype=float), sizes, indexing="ij")
    return n.ravel(), m.ravel()


def rows(counts: tuple[int, ...], sizes: Floats = BYTES) -> pd.DataFrame:
    """A direct exchange of 10 us and 2 ns/B."""
    n, m = grid(counts, sizes)
    return pd.DataFrame({"n": n, "m": m, "seconds": (n - 1) * (1e-5 + 2e-9 * m)})


def fitted(points: pd.DataFrame, algorithm: str = "native") -> FittedForm:
    return FORMS.get("growth").of("alltoall", algorithm).fit(points, NOTHING)


def predicted(fit: FittedForm, n: float, m: Floats = BYTES) -> tuple[Floats, Floats]:
    """Seconds, and half of the interval of their logarithm."""
    form, counts = FORMS.get("growth"), np.full(m.shape, n)
    seconds = form.seconds(fit.parameters, NOTHING, counts, m)
    return seconds, form.half_width(fit.parameters, counts, m)


@pytest.mark.parametrize("ends", [(0.3, 1.7), (2.0, 2.0), (-0.4, 1.1), (-1.0, -2.5), (0.0, 1.0)])
def test_the_way_drifted_is_the_double_integral(ends: tuple[float, float]) -> None:
    found = float(_drifted(np.array(ends[0]), np.array(ends[1]), 1.4))
    areas = [
        dblquad(lambda v, w: np.exp(-abs(v - w) / 1.4), *left, *right)[0]
        for left in [sorted((0.0, ends[0]))]
        for right in [sorted((0.0, ends[1]))]
    ]
    assert found == pytest.approx(np.sign(ends[0]) * np.sign(ends[1]) * areas[0], abs=1e-6)


def test_the_prediction_is_that_of_a_normal_distribution_given_some_of_its_values() -> None:
    """By brute force: the joint covariance, inverted."""
    layout = Layout(points_of(rows((8, 32), BYTES[::3])))
    known, process = layout.points, Process(layout, Usual())
    n, m = grid((4, 16, 100), BYTES[1::4])
    every = np.append(n, known.n), np.append(m, known.m)
    joint = process.sum(layout.parts_of(*every, *every))
    inner = joint[n.size :, n.size :] + PRIOR.noise**2 * np.eye(known.n.size)
    gain = joint[: n.size, n.size :] @ np.linalg.inv(inner)
    error = np.log(known.seconds) - layout.usual(Usual(), known.n, known.m)
    mean = layout.usual(Usual(), n, m) + gain @ error
    left = np.diag(joint[: n.size, : n.size] - gain @ joint[n.size :, : n.size])
    logarithm, deviation = process.logarithm(n, m)
    assert logarithm == pytest.approx(mean, abs=1e-8)
    assert deviation**2 == pytest.approx(left + PRIOR.noise**2 + PRIOR.launch**2, rel=1e-6)


def test_intervals_hold_what_they_claim_of_machines_as_the_prior_says() -> None:
    """Measured at two n, of 90 % at three others; all sizes of a machine are off together."""
    rng, inside = np.random.default_rng(5), []
    layout = Layout(points_of(rows((8,))))
    n, m = grid((8, 32, 12, 64, 128))
    for _ in range(120):
        seconds = drawn(layout, Usual(), n, m, rng)
        seen = np.isin(n, (8, 32))
        fit = fitted(pd.DataFrame({"n": n[seen], "m": m[seen], "seconds": seconds[seen]}))
        for count in (12, 64, 128):
            times, half = predicted(fit, count)
            inside.append(np.mean(np.abs(np.log(seconds[n == count] / times)) <= half))
    assert 0.84 <= np.mean(inside) <= 0.98


def test_two_n_tell_how_a_machine_grows_where_one_leaves_it_open() -> None:
    truth = rows((8, 32, 128))
    far = truth[truth["n"] == 128]["seconds"].to_numpy()
    errors, widths = [], []
    for counts in ((8,), (8, 32)):
        times, half = predicted(fitted(truth[truth["n"].isin(counts)]), 128)
        errors.append(np.abs(np.log(times / far)).max())
        widths.append(half.max())
    assert errors[1] < errors[0] / 2
    assert widths[1] < widths[0]
    assert errors[1] < 0.25


def test_the_farther_from_what_was_measured_the_wider_the_interval() -> None:
    fit = fitted(rows((16,)))
    widths = [predicted(fit, n)[1].mean() for n in (16, 32, 64, 256, 1024)]
    assert (np.diff(widths) > 0).all()
    widths = [predicted(fit, n)[1].mean() for n in (16, 8, 4, 2)]
    assert (np.diff(widths) > 0).all()


def test_a_time_measured_at_an_n_corrects_the_sizes_and_counts_near_it() -> None:
    """The machine is half as slow again at 128 as the fit expects."""
    form, fit = FORMS.get("growth"), fitted(rows((8, 32)))
    truth = rows((128,)).assign(seconds=lambda table: 1.5 * table["seconds"])
    probe = truth.iloc[[3, 8]]
    bent = form.anchored(fit, probe)
    before, after = predicted(fit, 128), predicted(bent, 128)
    error = [np.abs(np.log(one[0] / truth["seconds"].to_numpy())) for one in (before, after)]
    assert (error[1][[3, 8]] < error[0][[3, 8]] / 3).all()
    assert error[1].mean() < error[0].mean() / 2
    assert after[1].mean() < before[1].mean() / 1.2
    assert predicted(bent, 8)[0] == pytest.approx(predicted(fit, 8)[0], rel=0.03)
    assert np.log(predicted(bent, 256)[0] / predicted(fit, 256)[0]).min() > 0.05


def test_what_an_n_has_of_its_own_is_said_of_its_sizes_and_less_of_other_n() -> None:
    """At 64 everything takes a quarter longer than 32 and 128 say; two sizes are measured there."""
    truth = rows((8, 32, 64, 128))
    truth.loc[truth["n"] == 64, "seconds"] *= 1.25
    known = truth[(truth["n"] != 64) | truth["m"].isin(BYTES[[3, 9]])]
    process = Process(Layout(points_of(known)), Usual((1.0, 0.0), (1.0, 0.0)))
    off = {
        n: np.median(process.logarithm(np.full(BYTES.size, n), BYTES)[0] - np.log(straight))
        for n in (48.0, 64.0, 90.0)
        for straight in [rows((int(n),))["seconds"].to_numpy()]
    }
    assert off[64.0] > 0.5 * np.log(1.25)
    assert max(off[48.0], off[90.0]) < 0.5 * off[64.0]


def test_a_probe_that_others_contradict_is_not_followed_all_the_way() -> None:
    truth = rows((32, 64))
    lone = truth[truth["n"] == 64].iloc[[5]].assign(seconds=lambda table: 1.4 * table["seconds"])
    many = truth[(truth["n"] == 64) & ~truth["m"].isin(lone["m"])]
    form, fit = FORMS.get("growth"), fitted(truth[truth["n"] == 32])
    times, _ = predicted(form.anchored(fit, pd.concat([lone, many])), 64)
    assert times[5] < 0.96 * float(lone["seconds"].iloc[0])


def test_beyond_the_sizes_measured_bytes_alone_change_the_time() -> None:
    fit = fitted(rows((16,)))
    small, _ = predicted(fit, 16, np.array([0.0, 1.0, 64.0]))
    assert small == pytest.approx(15 * 1e-5, rel=0.03)
    large, half = predicted(fit, 16, np.array([2.0**20, 2.0**24]))
    assert large == pytest.approx(15 * 2e-9 * np.array([2.0**20, 2.0**24]), rel=0.05)
    assert half[1] > half[0] > predicted(fit, 16, BYTES[-1:])[1][0]


def test_below_sizes_that_are_all_of_bytes_start_ups_are_left() -> None:
    """A line that falls with the size to the last byte would say that a message costs nothing."""
    fit = fitted(rows((16,), BYTES[BYTES >= 2**16]))
    times, half = predicted(fit, 16, np.array([1.0, 2.0**16]))
    assert times[0] > 0.1 * times[1]
    assert half[0] > 1.5 * half[1]
    truth = rows((16,), np.array([1.0]))["seconds"].iloc[0]
    assert abs(np.log(times[0] / truth)) < half[0]


@pytest.mark.parametrize("algorithm", algorithms("alltoall").names())
def test_each_algorithm_grows_as_its_messages_and_bytes_do(algorithm: str) -> None:
    found = usual_growth("alltoall", algorithm)
    if algorithms("alltoall").get(algorithm).needs_groups:
        assert found == Usual()
    elif "bruck" in algorithm:
        assert (found.startups, found.bytes[:2]) == ((0, 1, 0, 1), (1, 1))
        few, many = np.exp(found.logarithms(np.array([8.0, 12.0]))[1])
        assert many / few == pytest.approx(20 / 12, rel=0.1), "blocks that a rank sends"
    else:
        assert np.ravel([found.startups, found.bytes]) == pytest.approx([1, 0, 1.14, 0])


def test_a_known_algorithm_is_predicted_from_one_n() -> None:
    """Small messages of a direct exchange grow with n, where those of most libraries do not."""
    truth = rows((8, 64), BYTES[:4])
    far = truth[truth["n"] == 64]["seconds"].to_numpy()
    near = truth[truth["n"] == 8]
    known, unknown = (
        predicted(fitted(near, name), 64, BYTES[:4])[0] for name in ("direct", "native")
    )
    assert np.abs(np.log(known / far)).max() < 0.08
    assert np.abs(np.log(unknown / far)).min() > 0.5


def test_a_library_that_differs_at_powers_of_two_is_told_from_one_n_of_each_kind() -> None:
    counts = (8, 12, 24, 32)
    truth = rows(counts)
    truth["seconds"] *= np.where(np.isin(truth["n"], (8, 32)), 1.0, 1.5)
    times, _ = predicted(fitted(truth[truth["n"].isin((8, 12))]), 24)
    also, _ = predicted(fitted(truth[truth["n"].isin((8, 12))]), 32)
    far = truth[truth["n"] == 24]["seconds"].to_numpy()
    near = truth[truth["n"] == 32]["seconds"].to_numpy()
    assert np.median(times / far) == pytest.approx(1.0, abs=0.25)
    assert np.median((also / near) / (times / far)) > 1.0
