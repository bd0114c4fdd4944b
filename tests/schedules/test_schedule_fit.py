"""Parameters fitted to times of algorithms: planted ones come back, and predict other counts."""

from dataclasses import replace

import numpy as np
import pytest
from catalogue import ALL

from contend.base.errors import InvalidInputError
from contend.samples import Sample
from contend.schedules import algorithms
from contend.schedules.fitting.fit import fit, knots, line, relative_errors
from contend.schedules.fitting.record import fit_schedules
from contend.schedules.fitting.record import parameters as parameters_of
from contend.schedules.fitting.series import series_of
from support.networks import parameters

SIZES = [4**k for k in range(2, 11)]
OPTIONS = {"segment": 4096, "degree": 3, "window": 2}
UNFITTED = ("alltoallv", "barrier")
FITTED = [one for one in ALL if one.collective not in UNFITTED and not one.needs_groups]


def planted(latency=3e-6):
    """Two slopes: a gap of 1 us and 1 ns a byte, 0.2 ns from 4 KiB on."""
    size = np.array([0.0, 4096.0, 1 << 26])
    gap = 1e-6 + np.interp(size, size, [0, 4096e-9, 4096e-9 + 2e-10 * ((1 << 26) - 4096)])
    return parameters(latency, size, gap)


def times(algorithm, n, plogp, sizes=SIZES, launch=0):
    """What would be measured if the closed form were right."""
    options = {name: OPTIONS[name] for name in algorithm.options}
    seconds = algorithm.seconds(plogp, n, np.array(sizes), **options)
    return [
        Sample(
            experiment=algorithm.collective,
            algorithm=algorithm.name,
            n=n,
            m=m,
            launch=launch,
            times_s=(float(time),),
            parameters={name: float(value) for name, value in options.items()} or None,
            provenance={"source": "planted"},
        )
        for m, time in zip(sizes, seconds, strict=True)
    ]


def series(names, n, plogp):
    split = [name.split("/") for name in names]
    samples = [s for c, a in split for s in times(algorithms(c).get(a), n, plogp)]
    return series_of(samples)


def once_for_each_collective():
    """Return all that are fitted; the second and further ones of a collective are `full`."""
    first = {algorithm.collective: algorithm for algorithm in reversed(FITTED)}
    return [
        one if first[one.collective] is one else pytest.param(one, marks=pytest.mark.full)
        for one in FITTED
    ]


@pytest.mark.parametrize(
    "algorithm", once_for_each_collective(), ids=lambda one: f"{one.collective}-{one.name}"
)
def test_planted_parameters_predict_more_ranks_by_every_algorithm(algorithm):
    truth = planted()
    few = series_of([sample for n in (4, 8) for sample in times(algorithm, n, truth)])
    found = fit(few)
    assert np.abs(relative_errors(few, found)).max() < 0.02
    many = series_of(times(algorithm, 16, truth))
    assert np.abs(relative_errors(many, found)).max() < 0.05


def test_latency_and_gap_come_back_where_algorithms_tell_them_apart():
    truth = planted()
    found = fit(series(["bcast/flat", "bcast/binomial", "bcast/chain"], 8, truth))
    assert float(found.latency) == pytest.approx(float(truth.latency), rel=0.02)
    assert found.gap_at(SIZES) == pytest.approx(truth.gap_at(SIZES), rel=0.02)
    assert found.send_overhead is None
    with pytest.raises(InvalidInputError, match="no os"):
        found.send_overhead_at(1)


def test_what_the_times_leave_open_comes_from_the_other_parameters():
    truth = planted()
    binomial = series(["bcast/binomial"], 8, truth)  # tells L + g(m) alone
    found = []
    for share in (0.2, 5.0):
        other = planted()
        gap = other.gap.model_copy(update={"value": tuple((other.gap.array * share).tolist())})
        near = fit(binomial, towards=other.model_copy(update={"gap": gap}))
        assert near.seconds(SIZES) == pytest.approx(truth.seconds(SIZES), rel=0.01)
        found.append(float(near.latency) / float(near.gap_at(SIZES[0])))
    assert found[0] > 4 * found[1]


def test_an_outlier_moves_little():
    truth = planted()
    those = series(["bcast/flat", "bcast/binomial", "bcast/chain"], 8, truth)
    spoilt = those[0].seconds.copy()
    spoilt[3] *= 50
    found = fit([replace(those[0], seconds=spoilt), *those[1:]])
    assert found.gap_at(SIZES) == pytest.approx(truth.gap_at(SIZES), rel=0.1)


def test_the_gap_never_falls_and_nothing_is_negative():
    those = series(["bcast/flat", "bcast/binomial"], 8, planted())
    rng = np.random.default_rng(1)
    falling = [
        replace(one, seconds=np.sort(one.seconds * rng.uniform(0.3, 3, one.m.size))[::-1])
        for one in those
    ]
    found = fit(falling)
    assert (np.diff(found.gap.array) >= 0).all()
    assert found.gap.array.min() > 0
    assert float(found.latency) > 0


def test_hockneys_line_comes_back():
    sizes = np.array([0.0, 1 << 30])
    truth = parameters(2e-6, sizes, 2e-6 + 1e-9 * sizes)
    found = line(series(["bcast/flat", "bcast/binomial", "gather/flat"], 8, truth))
    assert float(found.latency) == pytest.approx(2e-6, rel=1e-3)
    assert found.gap_at(SIZES) == pytest.approx(truth.gap_at(SIZES), rel=1e-3)


def test_knots_reach_from_the_smallest_to_the_largest_message():
    (scatter,) = series(["scatter/binomial"], 8, planted())
    found = knots([scatter])
    assert set(SIZES) <= set(found)
    assert found[-1] >= 4 * SIZES[-1]
    (ring,) = series(["allreduce/ring"], 8, planted())
    assert knots([ring])[0] <= SIZES[0] / 8


def test_an_empty_message_has_a_knot_of_its_own():
    truth = planted()
    flat, chain = algorithms("bcast").get("flat"), algorithms("bcast").get("chain")
    those = series_of([s for a in (flat, chain) for s in times(a, 8, truth, [0, 16, 64, 256])])
    found = fit(those)
    assert found.size.array[0] == 0
    assert float(found.gap_at(0)) == pytest.approx(1e-6, rel=0.02)


def test_each_algorithm_has_its_own_parameters_and_others_those_of_the_operation():
    fast, slow = planted(1e-6), planted(9e-6)
    binomial = algorithms("bcast").get("binomial")
    flat, gather = algorithms("bcast").get("flat"), algorithms("gather").get("flat")
    samples = [*times(binomial, 8, fast), *times(flat, 8, slow), *times(gather, 8, slow)]
    fits = fit_schedules(series_of(samples))
    assert [one.title for one in fits] == [
        "all operations", "bcast", "bcast/binomial", "bcast/flat", "gather", "gather/flat"
    ]  # fmt: skip
    assert [one.points for one in fits] == [27, 18, 9, 9, 9, 9]
    known = parameters_of(fits, "bcast")
    assert known is not None
    assert [known.title(one) for one in (binomial, flat)] == ["bcast/binomial", "bcast/flat"]
    assert known.title(algorithms("bcast").get("chain")) == "bcast"
    assert known.of(flat).seconds(16) > known.of(binomial).seconds(16)
    other = parameters_of(fits, "scatter")
    assert other is not None
    assert other.others_of == "all operations"
    measured = parameters_of(fits, "scatter", fast)
    assert measured is not None
    assert (measured.others, measured.others_of) == (fast, "one message")
    assert parameters_of((), "bcast") is None
    for one in series_of(samples):
        those = parameters_of(fits, one.operation)
        assert those is not None
        assert np.abs(relative_errors([one], those.of(one.algorithm))).max() < 0.02
    assert known.has_seen("flat", 8, SIZES[0])
    assert not known.has_seen("flat", 9, SIZES[0])
    assert not known.has_seen("chain", 8, SIZES[0])


def test_the_median_over_launches_counts():
    flat, truth = algorithms("bcast").get("flat"), planted()
    slow = [
        s.model_copy(update={"times_s": (s.median * 9,)}) for s in times(flat, 4, truth, launch=2)
    ]
    (found,) = series_of([*times(flat, 4, truth), *times(flat, 4, truth, launch=1), *slow])
    assert found.seconds == pytest.approx(flat.seconds(truth, 4, SIZES))


def changed(name, **update):
    """Samples of 8 ranks, with other fields."""
    collective, algorithm = name.split("/")
    found = times(algorithms(collective).get(algorithm), 8, planted())
    return [sample.model_copy(update=update) for sample in found]


ERRORS = [
    (changed("bcast/binary", algorithm="native"), None,
     "no sample of an algorithm of the catalogue.*bcast/native"),
    (changed("bcast/binary", experiment="pingpong"), None, "pingpong/binary at n=8"),
    (changed("bcast/flat"), 9, "catalogue at n=9"),
    ([*changed("bcast/binary"),
      *changed("bcast/binary", parameters={"segment": 64.0}, launch=1)], None,
     "segments of 4096 and 64 B"),
    (changed("allgather/recursive_doubling", n=7), None, "power-of-two"),
]  # fmt: skip


@pytest.mark.parametrize(("samples", "n", "said"), ERRORS, ids=[said for *_, said in ERRORS])
def test_samples_of_which_nothing_can_be_learnt_are_an_error_that_names_them(samples, n, said):
    with pytest.raises(InvalidInputError, match=said):
        series_of(samples, n)
    with pytest.raises(InvalidInputError, match="1 time"):
        fit(series_of(times(algorithms("bcast").get("flat"), 8, planted(), [64])))
