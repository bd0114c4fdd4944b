import numpy as np
import pytest

from contend.models.signature.algorithm_growth import usual_growth
from contend.tune.choose.gain import Gain, Pairs
from contend.tune.choose.rivals import contests
from contend.tune.choose.safe import IN_A_PROGRAM, safe_grid
from support import libraries

USUAL = (usual_growth("bcast", "native"), usual_growth("bcast", "openmpi:chain"))


def pairs(counts, ratio, error=0.01):
    n, m = (each.ravel() for each in np.meshgrid(counts, libraries.SIZES, indexing="ij"))
    seconds = libraries.default(n, m)
    gain = np.log([ratio(one, other) for one, other in zip(n, m, strict=True)])
    return Pairs(n.astype(float), m.astype(float), seconds, gain, np.full(n.size, error**2))


def test_where_both_were_measured_the_gain_is_what_was_measured():
    known = pairs([4, 8], lambda n, m: 1 + n / 8 + np.log10(m) / 10, error=1e-4)
    mean, deviation = Gain(known, USUAL).predict(known.n, known.m)
    assert mean == pytest.approx(known.gain, abs=2e-3)
    assert deviation.max() < 1e-3


def test_the_doubt_of_a_gain_grows_with_the_way_from_what_was_measured():
    gain = Gain(pairs([8], lambda n, m: 1.5), USUAL)
    counts = np.array([8.0, 16, 32, 64, 128])
    _, deviation = gain.predict(counts, np.full(5, 1024.0))
    assert (np.diff(deviation) > 0).all()


def test_a_gain_that_is_steady_over_n_is_less_in_doubt_than_one_seen_once():
    once, steady = (
        Gain(pairs(counts, lambda n, m: 1.5), USUAL).predict(np.array([64.0]), np.array([1024.0]))
        for counts in ([16], [2, 4, 8, 16])
    )
    assert steady[1] < once[1] / 1.5
    assert steady[0] == pytest.approx(np.log(1.5), abs=0.05)


def test_a_gain_that_moves_against_what_is_usual_is_more_in_doubt():
    usual, odd = (
        Gain(pairs([4, 8, 16], ratio), USUAL).predict(np.array([64.0]), np.array([1024.0]))[1]
        for ratio in (lambda n, m: 1.5, lambda n, m: 0.3 if n == 8 else 3.0)
    )
    assert odd > 1.5 * usual


@pytest.mark.parametrize("operation", ["allgather", "reduce_scatter", "alltoall", "alltoallv"])
@pytest.mark.parametrize("algorithm", ["ring", "RING-OVER-TORUS"])
def test_what_a_larger_machine_shares_is_no_gain(operation, algorithm):
    """A default and a ring that took the same time at n', of messages of many bytes."""
    sizes = np.array([2.0**20, 2.0**22, 2.0**24])
    seconds = 1e-9 * sizes
    alike = Pairs(np.full(3, 8.0), sizes, seconds, np.zeros(3), np.full(3, 1e-4))
    usual = [usual_growth(operation, name, is_compared=True) for name in ("native", algorithm)]
    mean, _ = Gain(alike, tuple(usual)).predict(np.full(3, 512.0), sizes)
    assert mean == pytest.approx(0, abs=1e-6)


def test_a_single_size_of_an_empty_message_is_enough():
    one = Pairs(*(np.array([x]) for x in (8.0, 0.0, 1e-5, 0.2, 1e-4)))
    mean, deviation = Gain(one, USUAL).predict(np.array([8.0]), np.array([0.0]))
    assert mean == pytest.approx(0.2, abs=0.02)
    assert deviation < 0.02


@pytest.mark.parametrize("at", [(4, 8, 16), (6, 12)])
def test_nine_of_ten_intervals_of_launches_hold_the_truth(at):
    """Launches drawn again and again from known times, at n measured and between them.

    The truth is that of a program, whose ranks come to a call apart.
    """
    rng = np.random.default_rng(5)
    inside, every = 0, 0
    for _ in range(12):
        factors = {f"openmpi:{k}": np.exp(0.5 * rng.standard_normal()) for k in range(4)}
        bent = {name: 0.3 * rng.standard_normal() for name in factors}
        laws = {"native": libraries.default} | {
            name: lambda n, m, f=factor, b=bent[name]: f * (n / 8) ** b * libraries.default(n, m)
            for name, factor in factors.items()
        }
        (contest,) = contests(libraries.network_of(libraries.launched(laws, rng)))
        grid = safe_grid(contest, at, libraries.SIZES)
        for place, one in enumerate(contest.rivals):
            truth = np.array(
                [
                    [libraries.default(n, m) / laws[one.setting](n, m) for m in libraries.SIZES]
                    for n in at
                ]
            )
            truth *= np.exp(IN_A_PROGRAM * rng.standard_normal(truth.shape))
            held = (grid.low[place] <= truth) & (truth <= grid.high[place])
            inside, every = inside + held.sum(), every + held.size
    assert 0.82 <= inside / every <= (0.97 if at[0] == 4 else 1.0)
