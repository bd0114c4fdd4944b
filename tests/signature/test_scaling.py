"""What bytes grow with, which sizes correspond, single spikes, and one node beside several."""

from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest

from contend.base.document import Floats
from contend.models.signature import FORMS, FittedForm, PointToPoint
from contend.models.signature.candidates import Mixture
from contend.models.signature.forms.growth import Growth
from contend.models.signature.layout import Layout, Points, Scaling
from contend.models.signature.prior import PRIOR, Usual
from contend.models.signature.spike import spikes

SIZES = 2.0 ** np.arange(0, 21)
PER_NODE = 16
Time = Callable[[Floats, Floats], Floats]


def remote(n: Floats, m: Floats) -> Floats:
    """Bytes for other nodes share a card: 16 processes of each send to n - 16."""
    return 2e-6 * n**0.5 + 1e-9 * (n - PER_NODE) * m


def local(n: Floats, m: Floats) -> Floats:
    """Each process has a card of its own."""
    return 2e-6 * n**0.5 + 1e-9 * (n - 1) * m


def switched(n: Floats, m: Floats) -> Floats:
    """From 64 KiB in all on another algorithm starts, with four times as many messages."""
    return 1e-5 * np.where(n * m < 65536, 1.0, 6.0) * n**0.5 + 1e-10 * (n - PER_NODE) * m


def points(time: Time, counts: tuple[int, ...], noise: float = 0.02, seed: int = 1) -> Points:
    n, m = (part.ravel() for part in np.meshgrid(np.array(counts, float), SIZES, indexing="ij"))
    scatter = noise * np.random.default_rng(seed).standard_normal(n.size)
    return Points(n, m, time(n, m) * np.exp(scatter))


def mixture(time: Time, counts: tuple[int, ...] = (32, 128)) -> Mixture:
    return Mixture(points(time, counts), Usual(), PER_NODE)


def form() -> Growth:
    found = FORMS.get("growth").of("alltoall", "native", PER_NODE)
    assert isinstance(found, Growth)
    return found


def fitted(known: Points) -> FittedForm:
    rows = pd.DataFrame({"n": known.n, "m": known.m, "seconds": known.seconds})
    return form().fit(rows, PointToPoint())


def test_what_bytes_grow_with_is_told_by_two_n() -> None:
    def weight(time: Time) -> float:
        return mixture(time).share(lambda scaling: scaling.per_node == PER_NODE)

    assert weight(remote) > 0.65
    assert weight(local) < 0.2


def test_bytes_for_other_nodes_are_predicted_where_n_alone_would_mislead() -> None:
    known = points(remote, (32, 128))
    n, m = np.full(6, 512.0), SIZES[-6:]
    wrong, right = (
        np.exp(Mixture(known, Usual(), per_node).logarithm(n, m)[0]) / remote(n, m) - 1
        for per_node in (1, PER_NODE)
    )
    assert np.abs(right).max() < 0.15
    assert np.abs(wrong).min() > np.abs(right).max()


def test_bytes_of_an_all_gather_grow_with_all_processes_whatever_their_nodes() -> None:
    """The same points of an exchange leave open what bytes grow with."""
    known, shares = points(local, (32, 128)), {}
    rows = pd.DataFrame({"n": known.n, "m": known.m, "seconds": known.seconds})
    for operation in ("allgather", "alltoall"):
        found = FORMS.get("growth").of(operation, "native", PER_NODE)
        fit = found.fit(rows, PointToPoint())
        model, _ = found.foresight(fit.parameters, known.n, known.m)
        shares[operation] = model.several.share(lambda scaling: scaling.per_node > 1)
    assert shares["allgather"] == 0 < shares["alltoall"]


def test_a_switch_at_a_total_size_is_told_from_one_at_a_size() -> None:
    shifted = mixture(switched).share(lambda scaling: scaling.shift == 1)
    same = mixture(
        lambda n, m: 1e-5 * np.where(m < 2048, 1.0, 6.0) * n**0.5 + 1e-10 * (n - PER_NODE) * m
    ).share(lambda scaling: scaling.shift == 0)
    assert shifted > 0.9
    assert same > 0.9


def test_a_switch_is_predicted_at_the_total_size_of_a_larger_n() -> None:
    n, m = np.full(SIZES.size, 1024.0), SIZES
    found = np.exp(mixture(switched).logarithm(n, m)[0]) / switched(n, m)
    assert np.quantile(np.abs(np.log(found)), 0.9) < 0.35


def test_one_n_leaves_all_scalings_open() -> None:
    alone = mixture(remote, (128,))
    assert alone.share(lambda scaling: scaling.per_node == PER_NODE) == pytest.approx(0.5, abs=0.01)


def test_a_spike_at_one_n_is_not_carried_to_others() -> None:
    known = points(remote, (32, 128))
    seconds = np.where((known.n == 128) & (known.m == 1024), 4.4 * known.seconds, known.seconds)
    spiked = Points(known.n, known.m, seconds)
    assert np.flatnonzero(spikes(spiked.n, spiked.m, spiked.seconds)).size == 1
    n, m = np.full(SIZES.size, 512.0), SIZES
    found = Mixture(spiked, Usual(), PER_NODE).logarithm(n, m)[0]
    off = np.abs(found - np.log(remote(n, m)))
    assert off[m == 1024] < off.max()
    assert off[m == 1024] < 0.2


def test_steps_and_what_all_n_show_are_no_spikes() -> None:
    for time in (remote, switched, lambda n, m: remote(n, m) * np.where(m == 1024, 4.4, 1.0)):
        known = points(time, (32, 128), noise=0.0)
        assert not spikes(known.n, known.m, known.seconds).any()
    alone = points(lambda n, m: remote(n, m) * np.where(m == 1024, 4.4, 1.0), (128,))
    assert not spikes(alone.n, alone.m, alone.seconds).any()


def test_one_node_says_nothing_of_several() -> None:
    """In memory the same exchange is ten times as fast."""
    both = points(lambda n, m: np.where(n <= PER_NODE, 0.1, 1.0) * local(n, m), (16, 32, 128))
    several = both.at(both.n > PER_NODE)
    n, m = np.full(SIZES.size, 256.0), SIZES
    times = [
        form().seconds(fitted(one).parameters, PointToPoint(), n, m) for one in (both, several)
    ]
    assert times[0] == pytest.approx(times[1])
    inside = form().seconds(fitted(both).parameters, PointToPoint(), 16, SIZES)
    assert inside == pytest.approx(both.seconds[both.n == PER_NODE], rel=0.2)


def test_what_one_node_says_of_several_is_wide() -> None:
    alone = fitted(points(local, (4, 16)))
    half = form().half_width(alone.parameters, np.array([16.0, 64.0]), np.array([1024.0, 1024.0]))
    assert half[0] < 0.5
    assert half[1] > 1.4 * PRIOR.other_memory


def test_a_file_without_processes_per_node_is_read() -> None:
    fit = fitted(points(local, (32, 128)))
    older = {k: v for k, v in fit.parameters.items() if k != "processes_per_node"}
    assert np.isfinite(form().seconds(older, PointToPoint(), 512, SIZES)).all()


def test_parts_of_the_width_sum_to_the_variance_of_the_interval() -> None:
    for counts in ((32, 128), (128,)):
        known = mixture(remote, counts)
        n, m = np.full(SIZES.size, 1024.0), SIZES
        spread = known.spread(n, m)
        deviation = known.logarithm(n, m)[1]
        total = sum(spread.values())
        assert (total >= deviation**2 * (1 - 1e-9)).all()
        assert total == pytest.approx(deviation**2, rel=0.3)


def test_each_reason_of_a_wide_interval_is_told() -> None:
    def reason(time: Time, counts: tuple[int, ...], n: float, m: float, noise: float = 0.02) -> str:
        fit = fitted(points(time, counts, noise))
        (found,) = form().reasons(fit.parameters, [n], [m])
        return found

    assert "one tells little" in reason(local, (4, 16), 64, 1024)
    assert "several tell little" in reason(local, (32, 128), 8, 1024)
    assert "n-16 processes on other" in reason(local, (32,), 17, 2.0**20)
    assert "one n does not tell" in reason(local, (512,), 1024, 1)
    assert "far from" in reason(local, (512, 1024), 65536, 1)
    assert "scatter" in reason(local, (32, 64, 128), 128, 1024, noise=0.2)


def test_a_point_of_one_node_foretells_nothing_of_several() -> None:
    """Times over both are finite, and what one of the two tells of the other is nothing."""
    n, m = np.array([8.0, 16.0, 64.0, 256.0]), np.full(4, 1024.0)
    known, _ = form().foresight(fitted(points(local, (32, 128))).parameters, n, m)
    left = known.remaining(n, m)
    assert np.isfinite(left).all()
    assert (left[:2, 2:] == 0).all()
    assert left[0, 0] > PRIOR.other_memory**2 > 4 * left[3, 3]
    deviation = known.logarithm(n, m)[1]
    assert np.sqrt(np.diag(left) + known.noise + known.launch) == pytest.approx(deviation, rel=0.05)


def test_empty_messages_correspond_to_empty_messages() -> None:
    n = np.array([8.0, 32.0, 128.0])
    barrier = Points(n, np.zeros(3), 1e-5 * np.log2(n))
    layouts = [Layout(barrier, Scaling(1, shift)) for shift in (0.0, 1.0)]
    far = np.array([4096.0]), np.zeros(1)
    same, shifted = (one.variance(*far) for one in layouts)
    assert [float(one[0]) for one in shifted] == [float(one[0]) for one in same]


def test_reasons_of_one_node_and_of_several_are_asked_for_together() -> None:
    fit = fitted(points(local, (16, 32, 128)))
    assert len(form().reasons(fit.parameters, [16.0, 256.0], [1024.0, 1024.0])) == 2
