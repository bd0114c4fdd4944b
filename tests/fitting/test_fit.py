import hashlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from contend.base.errors import InvalidInputError
from contend.base.statistics.launches import t_factor
from contend.models.fitting.estimator import FitOptions
from contend.models.fitting.fit import fit_network
from contend.models.fitting.messages import fit_point_to_point
from contend.models.network import Network, Operation
from contend.models.signature import FORMS
from contend.samples import LabConditions, Provenance, Sample
from contend.schedules.pointtopoint import hockney
from support.synthesis import SIZES, alltoall, pingpong, plogp, sample, save

ALPHA, BETA = 1e-5, 1e-9
KNOWN = hockney.given(ALPHA, BETA)
COUNTS = (4, 8, 16, 32)


def contended(n: int, m: int) -> float:
    """An all-to-all with gamma 3, and 40 us for each other process from 4 KiB on."""
    return (n - 1) * (ALPHA + 3 * BETA * m + 4e-5 * (m >= 4096))


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A file that samples may be said to come from."""
    return save([sample()], tmp_path / "samples.jsonl")


def fit(samples: list[Sample], source: Path, **options: object) -> Network:
    return fit_network(samples, source, FitOptions(**options))  # type: ignore[arg-type]


def disturbed(samples: list[Sample]) -> list[Sample]:
    """The samples as if taken in a lab that lost frames."""
    lab = LabConditions.from_counters({"frames": 10, "unread": 1})
    return [one.model_copy(update={"lab": lab}) for one in samples]


def only(network: Network) -> Operation:
    (operation,) = network.operations
    return operation


def test_a_planted_signature_is_recovered_from_samples(source: Path) -> None:
    network = fit([*alltoall(COUNTS, contended), *pingpong(ALPHA, BETA)], source, n_fit=16)
    signature = only(network).forms["hockney_2007"]
    values = {name: float(quantity) for name, quantity in signature.parameters.items()}
    assert values == pytest.approx(
        {"alpha": ALPHA, "beta": BETA, "gamma": 3.0, "delta": 4e-5, "M": 4096}, rel=1e-6
    )
    assert (signature.n_fitted, signature.m_fitted) == ((16,), SIZES)
    assert network.point_to_point.hockney is not None
    assert not network.warnings


def test_every_form_that_has_what_it_needs_is_fitted(source: Path) -> None:
    exchange = alltoall(COUNTS, contended)
    overheads = (lambda m: 2e-6, lambda m: 3e-6 + 1e-9 * m)
    with_plogp = fit([*exchange, *plogp(4e-6, lambda m: 6e-6 + BETA * m, overheads)], source)
    without = [form.name for form in FORMS.all() if not form.needs_hockney]
    assert list(only(with_plogp).forms) == without
    messages = [*pingpong(ALPHA, BETA), *plogp(4e-6, lambda m: 6e-6 + BETA * m, overheads)]
    assert list(only(fit([*exchange, *messages], source)).forms) == FORMS.names()
    without = [name for name in without if not FORMS.get(name).needs_plogp]
    assert list(only(fit(exchange, source)).forms) == without
    alone = [
        form.name
        for form in FORMS.all()
        if (form.process_counts == 1 or form.takes_fewer) and form.name in without
    ]
    assert list(only(fit(alltoall((16,), contended), source)).forms) == alone


def test_a_form_that_would_count_contention_twice_is_left_out_and_that_is_said(
    source: Path,
) -> None:
    network = fit(alltoall(COUNTS, contended), source)
    assert "clement" not in only(network).forms
    (said,) = [warning for warning in network.warnings if warning.kind == "not_fitted"]
    assert "clement needs alpha and beta of a message that is alone" in said.message
    known = fit([*alltoall(COUNTS, contended), *pingpong(ALPHA, BETA)], source)
    assert "clement" in only(known).forms
    assert not known.warnings


LAUNCHES = (0.95, 1.0, 1.06)


def in_launches(factors: Sequence[float] = LAUNCHES) -> list[Sample]:
    """Exchange and ping-pong, in launches that take as many times as long."""
    return [
        one.model_copy(update={"launch": number, "times_s": (factor * one.median,) * 8})
        for number, factor in enumerate(factors)
        for one in (*alltoall(COUNTS, contended), *pingpong(ALPHA, BETA))
    ]


def test_bounds_are_over_launches_and_say_so(source: Path) -> None:
    network = fit(in_launches(), source)
    line = network.point_to_point.hockney
    assert line is not None
    student = t_factor(2) * np.std(np.log(LAUNCHES), ddof=1) / np.sqrt(3)
    for quantity in (line.alpha, line.beta):
        assert quantity.bounds == "95 % over launches"
        assert quantity.low == pytest.approx(float(quantity) / np.exp(student), rel=0.03)
        assert quantity.high == pytest.approx(float(quantity) * np.exp(student), rel=0.03)
    for fitted in only(network).forms.values():
        said = {known.bounds for known in fitted.parameters.values() if known.low is not None}
        assert said <= {"95 % over launches"}


def test_what_all_of_a_launch_have_in_common_is_not_in_the_bounds_of_gamma(source: Path) -> None:
    gamma = only(fit(in_launches(), source)).forms["hockney_2007"].parameters["gamma"]
    assert (gamma.value, gamma.low, gamma.high) == pytest.approx((3.0, 3.0, 3.0))


def test_launches_that_are_numbered_by_job_count_at_their_own_n_alone(source: Path) -> None:
    jobs = [
        one.model_copy(update={"launch": 3 * COUNTS.index(one.n) + one.launch})
        for one in in_launches()
        if one.experiment == "alltoall"
    ]
    plain = [one for one in in_launches() if one.experiment == "alltoall"]
    by_job, by_number = (only(fit(samples, source)).forms for samples in (jobs, plain))
    assert by_job["hockney_2007"].launches == 3
    assert by_job == by_number


def test_bounds_of_one_launch_are_called_so(source: Path) -> None:
    network = fit(in_launches([1.0]), source)
    line = network.point_to_point.hockney
    gamma = only(network).forms["hockney_2007"].parameters["gamma"]
    assert line is not None
    assert {line.alpha.bounds, line.beta.bounds, gamma.bounds} == {"95 % within one launch"}


def test_a_single_launch_of_messages_serves_all_launches_of_the_exchange(source: Path) -> None:
    samples = [s for s in in_launches() if s.experiment == "alltoall" or s.launch == 1]
    network = fit(samples, source)
    line = network.point_to_point.hockney
    gamma = only(network).forms["hockney_2007"].parameters["gamma"]
    assert line is not None
    assert line.alpha.bounds == "95 % within one launch"
    assert gamma.bounds == "95 % over launches"
    assert gamma.low < 3.0 < gamma.high


def test_known_parameters_and_sizes_of_a_table_take_no_degree_of_freedom(source: Path) -> None:
    forms = only(fit([*alltoall(COUNTS, contended), *pingpong(ALPHA, BETA)], source)).forms
    left = {name: fitted.degrees_of_freedom for name, fitted in forms.items()}
    sizes = len(SIZES)
    assert left["linear"] == left["clement"] == sizes
    assert left["waves"] == sizes - 1
    assert left["hockney_2007"] == sizes - 3  # gamma, delta and M
    assert left["latency_per_size"] == left["power_per_size"] == 0
    assert left["affine_per_n"] == 2 * sizes - 4


def test_the_fit_is_at_the_largest_n_with_the_most_sizes(source: Path) -> None:
    samples = [*alltoall((4, 8), contended), *alltoall((32,), contended, SIZES[:-1])]
    assert only(fit(samples, source)).forms["hockney_2007"].n_fitted == (8,)


def test_the_signature_at_each_n_is_that_of_a_fit_at_it(source: Path) -> None:
    samples = [  # gamma grows with n
        one.model_copy(update={"times_s": tuple(one.n**0.2 * time for time in one.times_s)})
        for one in in_launches()
    ]
    found = only(fit(samples, source, n_fit=8)).signatures
    assert found and tuple(one.n for one in found) == COUNTS
    assert len({float(one.parameters["gamma"]) for one in found}) == len(COUNTS)
    for one in found:
        alone = only(fit(samples, source, n_fit=one.n)).forms["hockney_2007"].parameters
        assert one.parameters == {name: alone[name] for name in one.parameters}
        assert set(one.parameters) == {"gamma", "delta", "M"} & set(alone)


@pytest.mark.parametrize(
    ("n_fit", "n_second", "expected"),
    [(None, None, (4, 32)), (16, None, (4, 16)), (4, None, (4, 32)), (8, 16, (8, 16))],
)
def test_forms_that_take_two_n_get_the_one_farthest_by_ratio(
    source: Path, n_fit: int | None, n_second: int | None, expected: tuple[int, ...]
) -> None:
    operation = only(fit(alltoall(COUNTS, contended), source, n_fit=n_fit, n_second=n_second))
    assert operation.forms["affine_per_n"].n_fitted == expected
    assert operation.forms["power_per_size"].n_fitted == expected


def test_a_few_points_at_other_n_do_not_keep_the_signature_from_being_fitted(source: Path) -> None:
    few = [*alltoall((32,), contended), *alltoall((2, 4), contended, SIZES[:2])]
    operation = only(fit(few, source))
    assert operation.forms["hockney_2007"].n_fitted == (32,)
    assert "affine_per_n" not in operation.forms
    some = [*few, *alltoall((8,), contended, SIZES[:3])]
    assert only(fit(some, source)).forms["affine_per_n"].n_fitted == (8, 32)


def test_only_the_sizes_asked_for_are_fitted(source: Path) -> None:
    chosen = SIZES[::2]
    operation = only(fit(alltoall(COUNTS, contended), source, sizes=chosen))
    assert {fitted.m_fitted for fitted in operation.forms.values()} == {chosen}


def test_known_parameters_of_a_message_take_the_place_of_a_ping_pong(source: Path) -> None:
    exchange = alltoall(COUNTS, contended)
    given = fit(exchange, source, known_hockney=KNOWN)
    measured = fit([*exchange, *pingpong(ALPHA, BETA)], source)
    gammas = [float(only(n).forms["hockney_2007"].parameters["gamma"]) for n in (given, measured)]
    assert gammas == pytest.approx([3.0, 3.0])
    assert given.levels[0].hockney == KNOWN


def test_the_median_over_launches_is_fitted(source: Path) -> None:
    launches = [
        *alltoall(COUNTS, contended, launch=0),
        *alltoall(COUNTS, lambda n, m: 1.1 * contended(n, m), launch=1),
        *alltoall(COUNTS, lambda n, m: 1.4 * contended(n, m), launch=2),
    ]
    signature = only(fit(launches, source)).forms["hockney_2007"]
    assert float(signature.parameters["beta"]) == pytest.approx(3.3 * BETA, rel=1e-6)


def test_each_algorithm_and_placement_is_an_operation(source: Path) -> None:
    samples = [
        *alltoall(COUNTS, contended, processes_per_node=1),
        *alltoall((4, 8), lambda n, m: 2 * contended(n, m), processes_per_node=4),
        *alltoall((8,), contended, algorithm="ring", processes_per_node=1),
    ]
    network = fit(samples, source)
    assert [operation.title for operation in network.operations] == [
        "alltoall/native, 1 per node",
        "alltoall/native, 4 per node",
        "alltoall/ring, 1 per node",
    ]
    ends = [op.forms["hockney_2007"].n_fitted for op in network.operations]
    assert ends == [(32,), (8,), (8,)]
    twice = network.find("alltoall", "native", 4).forms["hockney_2007"]
    assert float(twice.parameters["beta"]) == pytest.approx(6 * BETA)


def test_one_node_is_not_a_number_of_processes_per_node(source: Path) -> None:
    samples = [
        one.model_copy(update={"processes_per_node": one.n})
        for one in alltoall((2, 4, 8), contended)
    ]
    assert only(fit(samples, source)).processes_per_node is None


def test_an_n_that_was_not_measured_is_an_error_that_lists_those_there_are(source: Path) -> None:
    for asked in ({"n_fit": 12}, {"n_second": 12}):
        with pytest.raises(InvalidInputError, match=r"no sample at n=12; .* among 4, 8, 16, 32"):
            fit(alltoall(COUNTS, contended), source, **asked)


def test_samples_of_another_experiment_are_an_error_that_lists_what_there_is(source: Path) -> None:
    others = alltoall(COUNTS, contended, experiment="bcast")
    with pytest.raises(InvalidInputError, match="no sample of alltoall; the file holds bcast/nat"):
        fit(others, source)


def test_an_operation_that_is_not_known_is_refused(source: Path) -> None:
    others = alltoall(COUNTS, contended, experiment="barter")
    with pytest.raises(InvalidInputError, match=r"no form is for 'barter'.*import"):
        fit(others, source, operation="barter")


def test_an_operation_that_is_no_exchange_has_the_forms_that_are_for_it(source: Path) -> None:
    others = [*alltoall(COUNTS, contended, experiment="gather"), *pingpong(ALPHA, BETA)]
    operation = only(fit(others, source, operation="gather"))
    assert list(operation.forms) == ["affine_per_n", "growth", "latency_per_size", "power_per_size"]
    assert operation.signatures == ()
    assert operation.beaten_bound is None


def test_messages_alone_make_a_network_without_operations(source: Path) -> None:
    network = fit(pingpong(ALPHA, BETA), source)
    assert network.operations == ()
    assert network.point_to_point.hockney is not None
    assert float(network.point_to_point.hockney.beta) == pytest.approx(BETA)


@pytest.mark.parametrize("sizes", [1, 2, 3])
def test_of_fewer_than_four_sizes_the_rest_is_fitted_and_one_warning_says_what_lacks(
    source: Path, sizes: int
) -> None:
    few = [*alltoall(COUNTS, contended, SIZES[:sizes]), *pingpong(ALPHA, BETA)]
    network = fit(few, source)
    line = network.point_to_point.hockney
    assert line is not None
    assert float(line.beta) == pytest.approx(BETA)
    forms = only(network).forms
    assert "growth" in forms
    assert "hockney_2007" not in forms
    (said,) = [one for one in network.warnings if one.kind == "not_fitted"]
    assert said.message.startswith(f"{sizes} message size")
    assert "hockney_2007" in said.message
    assert "four sizes" in said.hint


def test_few_sizes_without_a_ping_pong_are_fitted_by_growth(source: Path) -> None:
    for options in ({}, {"sizes": SIZES[:3]}):
        samples = alltoall(COUNTS, contended, SIZES if options else SIZES[:3])
        operation = only(fit(samples, source, **options))
        assert operation.forms["growth"].m_fitted == SIZES[:3]
        assert "hockney_2007" not in operation.forms


def test_sizes_that_were_not_measured_are_an_error(source: Path) -> None:
    with pytest.raises(InvalidInputError, match="none of the sizes to fit was measured"):
        fit(alltoall(COUNTS, contended), source, sizes=(7, 9))


def test_a_byte_faster_than_alone_is_doubted(source: Path) -> None:
    faster = [
        *alltoall(COUNTS, lambda n, m: (n - 1) * (ALPHA + BETA * m) / (1 + (m > 10_000))),
        *pingpong(ALPHA, BETA),
    ]
    (warning,) = (w for w in fit(faster, source).warnings if w.kind == "faster_than_bound")
    assert "16 of 48 points are faster" in warning.message
    assert "from 16 KiB to 128 KiB" in warning.message


def test_a_gamma_held_at_zero_is_doubted(source: Path) -> None:
    falling = [*alltoall((8,), lambda n, m: (n - 1) * ALPHA / 2), *pingpong(ALPHA, BETA)]
    kinds = [warning.kind for warning in fit(falling, source).warnings]
    assert kinds == ["faster_than_bound", "gamma_at_zero"]


def test_the_origin_is_the_file_and_the_provenance_of_its_samples(source: Path) -> None:
    provenances = [
        Provenance(source=f"planted {part}", mpi_library=f"MPI {part}", hosts=("b", f"a{part}"))
        for part in (2, 1)
    ]
    samples = [one for known in provenances for one in alltoall((8,), contended, provenance=known)]
    origin = fit(samples, source).origin
    assert origin.samples == source.name
    assert origin.samples_sha256 == hashlib.sha256(source.read_bytes()).hexdigest()
    assert origin.sources == ("planted 1", "planted 2")
    assert origin.mpi_libraries == ("MPI 1", "MPI 2")
    assert origin.hosts == ("a1", "a2", "b")


def test_point_to_point_models_are_fitted_where_the_samples_allow_it() -> None:
    overheads = (lambda m: 2e-6, lambda m: 3e-6)
    trains = plogp(4e-6, lambda m: 6e-6 + BETA * m, overheads)
    half = [s for s in trains if s.algorithm in ("send_overhead", "receive_overhead")]
    nothing = fit_point_to_point(alltoall((4,), contended))
    assert (nothing.hockney, nothing.plogp) == (None, None)
    line = fit_point_to_point(pingpong(ALPHA, BETA))
    assert line.hockney is not None
    assert line.plogp is None
    assert fit_point_to_point(half).plogp is None
    one_way = fit_point_to_point([*half, *pingpong(ALPHA, BETA)])
    assert one_way.plogp is not None
    assert one_way.plogp.method == "one_way"
    both = fit_point_to_point([*trains, *pingpong(ALPHA, BETA)])
    assert both.plogp is not None
    assert both.plogp.method == "kielmann"
    assert np.allclose(both.plogp.seconds(SIZES), 1e-5 + BETA * np.array(SIZES))


def test_what_an_overburdened_lab_measured_is_left_out(source: Path) -> None:
    good = [*alltoall((8, 16), contended), *pingpong(ALPHA, BETA)]
    bad = disturbed(alltoall((32,), lambda n, m: 5 * contended(n, m)))
    network = fit([*good, *bad], source)
    assert only(network).forms == only(fit(good, source)).forms
    flagged, missing = network.warnings
    assert flagged.kind == "flagged_left_out"
    assert f"{len(bad)} of {len(good) + len(bad)} samples" in flagged.message
    assert missing.kind == "points_missing"
    assert f"{len(bad)} points were left out" in missing.message
    assert [w.kind for w in network.sample_warnings] == ["lab_late"]


def test_what_an_overburdened_lab_measured_is_fitted_on_request(source: Path) -> None:
    bad = disturbed(alltoall((8, 16), contended))
    network = fit_network(bad, source, FitOptions(known_hockney=KNOWN), include_flagged=True)
    signature = only(network).forms["hockney_2007"]
    assert float(signature.parameters["gamma"]) == pytest.approx(3.0)
    assert not network.warnings


def test_nothing_but_an_overburdened_lab_is_an_error_that_names_the_remedy(source: Path) -> None:
    bad = disturbed(alltoall((8, 16), contended))
    with pytest.raises(InvalidInputError, match=r"of alltoall.*; .* or give --include-flagged"):
        fit(bad, source)


def test_messages_are_fitted_where_the_exchange_is_of_an_overburdened_lab(source: Path) -> None:
    bad = disturbed(alltoall((8, 16), contended))
    network = fit([*bad, *pingpong(ALPHA, BETA)], source)
    assert network.operations == ()
    assert network.point_to_point.hockney is not None
    kinds = [warning.kind for warning in network.warnings]
    assert kinds == ["flagged_left_out", "points_missing"]


def test_a_disturbed_sample_is_replaced_by_that_of_the_same_point_taken_later(source: Path) -> None:
    good = [*alltoall((8, 16), contended), *pingpong(ALPHA, BETA)]
    bad = disturbed(alltoall((8, 16), lambda n, m: 5 * contended(n, m)))
    mended = fit([*bad, *good], source)
    assert mended.operations == fit(good, source).operations
    assert (mended.warnings, mended.sample_warnings) == ((), ())
    options = FitOptions()
    included = fit_network([*bad, *good], source, options, include_flagged=True)
    assert included.operations == mended.operations


def test_messages_through_an_overburdened_lab_are_left_out() -> None:
    good, bad = pingpong(ALPHA, BETA), disturbed(pingpong(7 * ALPHA, BETA))
    assert fit_point_to_point([*good, *bad]) == fit_point_to_point(good)
    included = fit_point_to_point(bad, include_flagged=True).hockney
    assert included is not None
    assert float(included.alpha) == pytest.approx(7 * ALPHA)
    with pytest.raises(InvalidInputError, match="samples of pingpong; measure with fewer hosts"):
        fit_point_to_point(bad)
