"""What is usual of each operation, and times of its algorithms carried over n by that."""

import numpy as np
import pandas as pd
import pytest
from draws import drawn, points_of

from contend.base.document import Quantity
from contend.base.errors import InvalidInputError
from contend.models.signature import EXCHANGES, FORMS, OPERATIONS, PointToPoint, require_operation
from contend.models.signature.algorithm_growth import _BYTES, _counted, _of_one, usual_growth
from contend.models.signature.layout import Layout
from contend.models.signature.operations import GROWTH
from contend.schedules import COLLECTIVES, algorithms
from contend.schedules.pointtopoint import PLogP
from support.synthesis import SIZES

NOTHING = PointToPoint()
ALGORITHMS = [
    (operation, name)
    for operation in COLLECTIVES
    for name in algorithms(operation).names()
    if not algorithms(operation).get(name).needs_groups
]
every_algorithm = pytest.mark.parametrize(("operation", "algorithm"), ALGORITHMS)


def hockney_network(alpha: float, beta: float, latency: float = 0.0) -> PLogP:
    """A message occupies both ends for alpha + beta m, and is there after its latency."""
    sizes = (0.0, 1.0, 2.0**40)
    gap = Quantity(value=tuple(alpha + beta * m for m in sizes), unit="s")
    none = Quantity(value=(0.0,) * 3, unit="s")
    return PLogP(
        latency=Quantity(value=latency, unit="s"),
        size=Quantity(value=sizes, unit="B"),
        gap=gap,
        send_overhead=none,
        receive_overhead=none,
        method="kielmann",
    )


def test_every_operation_of_the_catalogue_has_a_row_of_its_own() -> None:
    assert set(OPERATIONS) >= set(COLLECTIVES)
    variants = {
        "alltoallw": "alltoallv",
        "allgatherv": "allgather",
        "reduce_scatter_block": "reduce_scatter",
        "gatherv": "gather",
        "scatterv": "scatter",
    }
    assert {*OPERATIONS} - {*COLLECTIVES} == {*variants}
    for name, same in variants.items():
        assert usual_growth(name, "ring") == GROWTH[same].usual
    with pytest.raises(InvalidInputError, match=r"no form is for 'barter'.*import"):
        require_operation("barter")


@every_algorithm
def test_the_longest_chain_is_that_of_the_closed_form(operation: str, algorithm: str) -> None:
    entry = algorithms(operation).get(algorithm)
    for m, alpha, beta, latency in (
        (0, 1.0, 0.0, 0.0),
        (_BYTES, 0.0, 1.0, 0.0),
        (0, 1.0, 0.0, 4.0),
    ):
        net = hockney_network(alpha, beta, latency)
        for n, found in _counted(_of_one(entry), m, latency).items():
            call = entry.uniform_call(n, m, {})
            closed = float(entry.uniform_seconds(net, n, m))
            claim = entry.claim(call)
            if claim == "exact":
                assert found == pytest.approx(closed)
            elif claim == "upper bound":
                assert found <= closed * (1 + 1e-9)


@pytest.mark.parametrize(
    ("operation", "algorithm", "startups", "volume"),
    [
        ("bcast", "binomial", (0, 1, 0, 1), (0, 1, 0, 1)),
        ("bcast", "flat", (1, 0), (1, 0)),
        ("bcast", "scatter_doubling_allgather", (0, 1), (1, 0, -1)),
        ("allgather", "ring", (1, 0), (1, 0)),
        ("allgather", "recursive_doubling", (0, 1), (1, 0)),
        ("scatter", "binomial", (0, 1, 0, 1), (1, 0)),
        ("gather", "binomial", (0, 1, 0, 1), (1, 0)),
        ("allgather", "flat", (1, 0), (1, 0, 1)),
        ("allreduce", "ring", (1, 0), (1, 0, -1)),
        ("barrier", "dissemination", (0, 1, 0, 1), (0, 0)),
    ],
)
def test_the_growth_of_known_algorithms_is_that_of_the_literature(
    operation: str, algorithm: str, startups: tuple[int, ...], volume: tuple[int, ...]
) -> None:
    found = usual_growth(operation, algorithm)
    assert (found.startups, found.bytes) == (startups, volume)
    assert found.doubt < GROWTH[operation].usual.doubt


def test_messages_of_different_sizes_are_sent_directly_by_what_a_library_chooses() -> None:
    assert usual_growth("alltoallv", "native").startups == (1, 0)
    assert usual_growth("alltoall", "native").startups[0] < 0.5


def test_a_barrier_by_one_rank_grows_less_as_its_latencies_are_the_same_for_all_n() -> None:
    assert GROWTH["barrier"].latency > 0
    assert usual_growth("barrier", "flat").startups[0] < 0.9
    assert usual_growth("gather", "flat").startups == (1, 0)  # whose latency does not count


def test_a_message_that_may_be_cut_keeps_the_usual_growth_of_bytes() -> None:
    usual = GROWTH["bcast"].usual
    for name in ("segmented_chain", "OTHER-BINOMIAL_TREE-4096"):
        found = usual_growth("bcast", name)
        assert (found.bytes, found.bytes_doubt) == (usual.bytes, usual.bytes_doubt)
    assert usual_growth("bcast", "OTHER-BINOMIAL_TREE-4096").startups == (0, 1, 0, 0.5)
    assert usual_growth("bcast", "vendors_own") == usual


@pytest.mark.parametrize(
    ("operation", "setting", "same"),
    [
        ("gather", "openmpi:basic_linear", "flat"),
        ("alltoall", "openmpi:linear_sync", "throttled"),
        ("alltoall", "mpich:scattered", "throttled"),
        ("reduce_scatter", "openmpi:recursive_halving", "recursive_halving"),
        ("barrier", "openmpi:bruck", "dissemination"),
        ("bcast", "openmpi:chain,segment=8192,fanout=1", "segmented_chain"),
    ],
)
def test_an_algorithm_of_a_library_grows_as_the_one_that_sends_the_same(
    operation: str, setting: str, same: str
) -> None:
    assert usual_growth(operation, setting) == usual_growth(operation, same)


def test_a_library_that_sends_messages_whole_does_not_cut_them() -> None:
    whole, cut = (
        usual_growth("bcast", f"openmpi:binomial{options}") for options in ("", ",segment=8192")
    )
    assert whole.bytes == usual_growth("bcast", "binomial").bytes
    assert cut.bytes == GROWTH["bcast"].usual.bytes


def test_what_a_library_runs_instead_counts_where_it_does() -> None:
    """Recursive doubling is Bruck's algorithm in Open MPI where n is no power of two."""
    doubling, bruck = (
        usual_growth("allgather", f"openmpi:{name}") for name in ("recursive_doubling", "bruck")
    )
    assert doubling == bruck
    assert usual_growth("allgather", "recursive_doubling").startups == (0, 1)


def test_ranks_that_are_too_many_are_folded_into_the_others() -> None:
    found = usual_growth("allreduce", "rabenseifner")
    even, uneven = (np.exp(found.logarithms(np.array([n]))[1][0]) for n in (16.0, 17.0))
    assert uneven / even == pytest.approx(2, rel=0.05)
    assert len(usual_growth("allreduce", "ring").bytes) == 3, "has nothing to fold"


@pytest.mark.parametrize("setting", ["openmpi:sparbit", "openmpi:none_such", ":"])
def test_of_names_that_say_nothing_the_usual_is_kept(setting: str) -> None:
    assert usual_growth("allgather", setting) == GROWTH["allgather"].usual


def test_a_word_of_a_name_is_followed_half_of_the_way() -> None:
    usual, known = GROWTH["allgather"].usual, usual_growth("allgather", "ring")
    hint = usual_growth("allgather", "RING-VENDOR")
    assert hint.startups == pytest.approx(np.mean([usual.startups, known.startups], axis=0))
    assert hint.doubt > known.doubt
    assert hint.bytes == known.bytes


def test_what_a_library_chooses_is_doubted_more_than_an_algorithm_that_is_not_known() -> None:
    choice, unknown = usual_growth("bcast", "native"), usual_growth("bcast", "vendors_own")
    assert (choice.startups, choice.bytes) == (unknown.startups, unknown.bytes)
    assert choice.doubt > unknown.doubt
    assert choice.bytes_doubt > unknown.bytes_doubt


def rows(operation: str, algorithm: str, counts: tuple[int, ...]) -> pd.DataFrame:
    """Times of an algorithm's schedule: 5 us and 1 ns/B a message."""
    net, entry = hockney_network(5e-6, 1e-9), algorithms(operation).get(algorithm)
    sizes = (0,) if operation == "barrier" else SIZES
    found = [(n, m, float(entry.uniform_seconds(net, n, m))) for n in counts for m in sizes]
    return pd.DataFrame(found, columns=["n", "m", "seconds"])


@pytest.mark.parametrize(
    ("operation", "algorithm"),
    [
        ("bcast", "binomial"), ("bcast", "scatter_doubling_allgather"), ("reduce", "binomial"),
        ("allgather", "ring"), ("allgather", "bruck"), ("gather", "flat"), ("scatter", "binomial"),
        ("allreduce", "rabenseifner"), ("allreduce", "recursive_doubling"),
        ("reduce_scatter", "recursive_halving"), ("barrier", "dissemination"),
    ],
)  # fmt: skip
def test_a_known_algorithm_is_carried_from_8_as_its_schedule_says(
    operation: str, algorithm: str
) -> None:
    form = FORMS.get("growth").of(operation, algorithm)
    fit = form.fit(rows(operation, algorithm, (8,)), NOTHING)
    entry = algorithms(operation).get(algorithm)
    far = rows(operation, algorithm, tuple(n for n in (12, 48, 64) if entry.restriction(n) is None))
    found = form.seconds(fit.parameters, NOTHING, far["n"], far["m"])
    half = form.half_width(fit.parameters, far["n"].to_numpy(), far["m"].to_numpy())
    errors = np.log(found / far["seconds"].to_numpy())
    assert np.abs(errors).max() < 0.28
    assert np.median(np.abs(errors)) < 0.06
    assert (np.abs(errors) <= half).all()


@pytest.mark.parametrize("operation", ["bcast", "allgather", "gather"])
def test_intervals_hold_what_they_claim_of_machines_as_the_prior_says(operation: str) -> None:
    rng, inside = np.random.default_rng(8), []
    base = rows(operation, algorithms(operation).names()[0], (8,))
    usual = GROWTH[operation].usual
    layout, form = Layout(points_of(base)), FORMS.get("growth").of(operation, "native")
    n, m = (one.ravel() for one in np.meshgrid([8.0, 16.0, 64.0], base["m"], indexing="ij"))
    for _ in range(60):
        seconds, seen = drawn(layout, usual, n, m, rng), n == 8
        points = pd.DataFrame({"n": n, "m": m, "seconds": seconds})
        fit = form.fit(points[seen], NOTHING)
        times = form.seconds(fit.parameters, NOTHING, n[~seen], m[~seen])
        half = form.half_width(fit.parameters, n[~seen], m[~seen])
        inside.append(np.mean(np.abs(np.log(seconds[~seen] / times)) <= half))
    assert 0.85 <= np.mean(inside) <= 0.98


def test_one_size_leaves_open_whether_its_time_is_of_start_ups_or_of_bytes() -> None:
    """Its interval holds both kinds of growth, where two sizes tell which it is."""
    form = FORMS.get("growth").of("alltoall", "native")
    truth = rows("alltoall", "rotated", (16,))
    n, m = np.array([64.0]), np.array([float(SIZES[-1])])
    one, two = (form.fit(truth.iloc[-count:], NOTHING) for count in (1, 2))
    halves = [form.half_width(fit.parameters, n, m)[0] for fit in (one, two)]
    assert halves[0] > 1.2 * halves[1]
    center = float(form.seconds(one.parameters, NOTHING, n, m)[0])
    for exponent in (0.36, 1.14):
        grown = truth["seconds"].iloc[-1] * (63 / 15) ** exponent
        assert abs(np.log(grown / center)) < halves[0]


def test_a_file_of_before_doubts_were_kept_predicts_as_it_did() -> None:
    form = FORMS.get("growth").of("alltoall", "native")
    fit = form.fit(rows("alltoall", "rotated", (8,)), NOTHING)
    old = {key: value for key, value in fit.parameters.items() if key[-6:] != "_doubt"}
    n, m = np.array([64.0, 64.0]), np.array([64.0, 1e6])
    assert form.seconds(old, NOTHING, n, m) == pytest.approx(
        form.seconds(fit.parameters, NOTHING, n, m)
    )
    assert form.half_width(old, n, m) == pytest.approx(form.half_width(fit.parameters, n, m))


def test_forms_of_the_literature_are_for_exchanges_alone() -> None:
    for form in FORMS.all():
        assert set(EXCHANGES) <= set(form.operations)
        if form.role == "signature" and form.name != "growth":
            assert form.operations == EXCHANGES
    serving = {name: [f.name for f in FORMS.all() if name in f.operations] for name in OPERATIONS}
    assert serving["bcast"] == ["growth", "power_per_size"]
    assert "latency_per_size" in serving["gather"]
