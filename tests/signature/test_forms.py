"""What holds for every form, and a form that is added as one file."""

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import contend.models.signature.forms
from contend.base.document import Quantity
from contend.base.errors import InvalidInputError
from contend.base.statistics.nonnegative import loss
from contend.models.fitting.estimator import FitOptions
from contend.models.fitting.fit import fit_network
from contend.models.fitting.messages import fit_point_to_point
from contend.models.network import Network
from contend.models.prediction import validate
from contend.models.prediction.predict import predict
from contend.models.signature import FORMS, FittedForm, Form, PointToPoint
from contend.samples import Sample
from contend.schedules.pointtopoint.hockney import given
from support.synthesis import SIZES, alltoall, plogp, save

COUNTS = (8, 24)
BYTES = np.array(SIZES, dtype=float)


def contended(n: int, m: int) -> float:
    """An all-to-all with gamma 3, and 40 us for each other process from 4 KiB on."""
    return (n - 1) * (1e-5 + 3e-9 * m + 4e-5 * (m >= 4096))


def everything() -> PointToPoint:
    """Both point-to-point models of a network of 10 us and 1 ns/B."""
    overheads = (lambda m: 2e-6 + 6e-10 * m), (lambda m: 3e-6 + 7e-10 * m)
    tables = fit_point_to_point(plogp(4e-6, lambda m: 6e-6 + 1e-9 * m, overheads))
    return PointToPoint(given(1e-5, 1e-9), tables.plogp)


KNOWN = everything()


def exchange(counts: tuple[int, ...], noise: float = 0.0) -> pd.DataFrame:
    rng = np.random.default_rng(1)
    points = [(n, m, contended(n, m)) for n in counts for m in SIZES]
    table = pd.DataFrame(points, columns=["n", "m", "seconds"])
    table["seconds"] *= np.exp(noise * rng.standard_normal(len(table)))
    return table


def training(form: Form, noise: float = 0.03) -> pd.DataFrame:
    """Rows of as many n as the form takes."""
    return exchange(COUNTS[-form.process_counts :], noise)


def fit(form: Form, noise: float = 0.03) -> FittedForm:
    return form.fit(training(form, noise), KNOWN)


every_form = pytest.mark.parametrize("form", FORMS.all(), ids=lambda form: form.name)


@every_form
def test_data_that_the_form_generates_are_recovered(form: Form) -> None:
    """Exactly from parameters; as closely as it takes points for noise where it has none."""
    near = 1e-6 if form.is_parametric else 0.05
    truth = fit(form)
    rows = training(form)
    rows["seconds"] = form.seconds(truth.parameters, KNOWN, rows["n"], rows["m"])
    found = form.fit(rows, KNOWN)
    again = form.seconds(found.parameters, KNOWN, rows["n"], rows["m"])
    assert again == pytest.approx(rows["seconds"].to_numpy(), rel=near)
    assert found.relative_residual == pytest.approx(0, abs=near)
    elsewhere = [form.seconds(f.parameters, KNOWN, 100, BYTES * 1.3) for f in (truth, found)]
    assert elsewhere[0] == pytest.approx(elsewhere[1], rel=near)


@every_form
def test_times_broadcast_and_are_positive(form: Form) -> None:
    parameters = fit(form).parameters
    counts, sizes = np.array([[2], [9], [24], [500]]), np.array([1, 64, 5000, 4096, 10**8])
    times = form.seconds(parameters, KNOWN, counts, sizes)
    assert times.shape == (4, 5)
    assert (times > 0).all()
    assert np.isfinite(times).all()
    assert np.shape(form.seconds(parameters, KNOWN, 9, 5000)) == ()
    for row, n in enumerate((2, 9, 24, 500)):
        assert form.seconds(parameters, KNOWN, n, sizes) == pytest.approx(times[row])
        assert form.seconds(parameters, KNOWN, n, 5000) == pytest.approx(times[row, 2])


@every_form
def test_times_do_not_fall_with_the_size_nor_with_n_where_those_measured_do(form: Form) -> None:
    """But for what a form without parameters takes for possible between points.

    That is 2 % between sizes, and more between n: that 8 is a power of two and 24 is none may be
    what makes a part of the growth.
    """
    least, least_over_n = (-1e-12, 0.0) if form.is_parametric else (-0.02, -0.08)
    parameters = fit(form, noise=0.0).parameters
    sizes = np.unique(np.geomspace(1, 10**7, 300).astype(int))
    times = form.seconds(parameters, KNOWN, np.arange(2, 65)[:, None], sizes)
    assert (np.diff(times, axis=1) >= least * times[:, 1:]).all()
    assert (np.diff(times, axis=0) >= least_over_n * times[1:]).all()


@every_form
def test_neither_the_order_nor_the_labels_of_rows_matter(form: Form) -> None:
    rows = training(form)
    mixed = rows.sample(frac=1, random_state=2).set_index(rows.index[::-1] + 7)
    assert form.fit(mixed, KNOWN).parameters.keys() == fit(form).parameters.keys()
    times = [
        form.seconds(form.fit(part, KNOWN).parameters, KNOWN, rows["n"], rows["m"])
        for part in (rows, mixed)
    ]
    assert times[0] == pytest.approx(times[1])


def scaled(quantity: Quantity, time: float, size: float) -> Quantity:
    """The same quantity in units of 1/time seconds and 1/size bytes."""
    factor = {"s": time, "B": size, "s/B": time / size, "1": 1.0}[quantity.unit]
    values = quantity.array * factor
    value = tuple(values.tolist()) if isinstance(quantity.value, tuple) else values.item()
    return quantity.model_copy(update={"value": value})


@every_form
def test_the_units_of_the_parameters_make_up_a_time(form: Form) -> None:
    """Another unit of time and of size changes a prediction by the unit of time alone."""
    time, size = 7.0, 3.0
    fitted = fit(form)
    assert KNOWN.hockney is not None
    assert KNOWN.plogp is not None
    tables = KNOWN.plogp
    quantities = ("latency", "size", "gap", "send_overhead", "receive_overhead")
    known = PointToPoint(
        given(1e-5 * time, 1e-9 * time / size),
        tables.model_copy(update={q: scaled(getattr(tables, q), time, size) for q in quantities}),
    )
    parameters = {name: scaled(q, time, size) for name, q in fitted.parameters.items()}
    before = form.seconds(fitted.parameters, KNOWN, 50, BYTES)
    assert form.seconds(parameters, known, 50, BYTES * size) == pytest.approx(time * before)


@every_form
def test_a_fit_read_back_from_json_predicts_the_same(form: Form) -> None:
    fitted = fit(form)
    again = FittedForm.model_validate_json(fitted.model_dump_json())
    assert again == fitted
    times = [form.seconds(f.parameters, KNOWN, 50, BYTES * 1.3) for f in (fitted, again)]
    assert (times[0] == times[1]).all()


@every_form
def test_a_fit_says_what_it_saw_and_how_sure_it_is(form: Form) -> None:
    fitted, rows = fit(form), training(form)
    assert fitted.form == form.name
    assert fitted.n_fitted == tuple(sorted(rows["n"].unique()))
    assert fitted.m_fitted == SIZES
    assert 0 <= fitted.degrees_of_freedom < len(rows) + 1
    assert np.shape(fitted.covariance) == (len(fitted.covariance_of),) * 2 or not fitted.covariance
    assert set(fitted.covariance_of) <= fitted.parameters.keys()
    for quantity in fitted.parameters.values():
        if quantity.low is not None:
            assert (np.asarray(quantity.low) <= quantity.array).all()
            assert (quantity.array <= np.asarray(quantity.high)).all()
    for index, name in enumerate(fitted.covariance_of):
        quantity, deviation = fitted.parameters[name], fitted.covariance[index][index] ** 0.5
        assert quantity.high - float(quantity) == pytest.approx(2.3 * deviation, rel=0.2)


@every_form
def test_the_residual_is_that_of_the_predictions(form: Form) -> None:
    fitted, rows = fit(form), training(form)
    predicted = form.seconds(fitted.parameters, KNOWN, rows["n"], rows["m"])
    squares = (np.log(predicted / rows["seconds"]) ** 2).sum()
    dof = max(fitted.degrees_of_freedom, 1)
    assert fitted.relative_residual == pytest.approx((squares / dof) ** 0.5)


@every_form
def test_regimes_have_a_name_for_each_size(form: Form) -> None:
    parameters = fit(form).parameters
    regimes = form.regime(parameters, BYTES)
    assert len(regimes) == BYTES.size
    assert len(form.regime(parameters, 64)) == 1
    expected = {"m < M", "m >= M"} if "M" in parameters else {"all sizes"}
    assert set(regimes) == expected


@pytest.mark.parametrize("counts", [(), COUNTS])
@pytest.mark.parametrize("form", [form for form in FORMS.all() if form.process_counts == 1])
def test_a_form_that_takes_one_n_refuses_none_and_two(form: Form, counts: tuple[int, ...]) -> None:
    known = KNOWN if form.needs_plogp or form.needs_hockney else PointToPoint()
    with pytest.raises(InvalidInputError, match=f"{len(counts)} process counts .* choose one n"):
        form.fit(exchange(counts), known)


@every_form
def test_a_form_says_its_name_what_it_is_and_where_it_is_from(form: Form) -> None:
    assert form.name == type(form).__module__.rpartition(".")[2]
    assert form.title
    assert form.source
    assert form.role in ("signature", "baseline")
    header = sys.modules[type(form).__module__].__doc__ or ""
    for part in ("Source:", "Idea:", "Cost:", "Restrictions:"):
        assert part in header


@every_form
def test_a_form_that_needs_a_message_says_so_and_the_others_do_without(form: Form) -> None:
    rows = training(form)
    if form.needs_plogp:
        with pytest.raises(InvalidInputError, match="measure the experiment plogp"):
            form.fit(rows, PointToPoint())
        return
    if form.needs_hockney:
        with pytest.raises(InvalidInputError, match="measure or import a ping-pong"):
            form.fit(rows, PointToPoint())
        return
    found = form.fit(rows, PointToPoint())
    assert (form.seconds(found.parameters, PointToPoint(), rows["n"], rows["m"]) > 0).all()


def test_gamma_delta_and_m_of_the_signature_are_those_planted() -> None:
    parameters = fit(FORMS.get("hockney_2007"), noise=0.0).parameters
    values = {name: float(quantity) for name, quantity in parameters.items()}
    assert values == pytest.approx(
        {"alpha": 1e-5, "beta": 1e-9, "gamma": 3.0, "delta": 4e-5, "M": 4096}
    )
    units = {name: quantity.unit for name, quantity in parameters.items()}
    assert units == {"alpha": "s", "beta": "s/B", "gamma": "1", "delta": "s", "M": "B"}


def test_without_a_single_message_only_the_product_of_beta_and_gamma_is_fitted() -> None:
    form = FORMS.get("hockney_2007")
    parameters = form.fit(exchange((24,)), PointToPoint()).parameters
    assert float(parameters["gamma"]) == 1.0
    assert float(parameters["beta"]) == pytest.approx(3e-9)
    assert float(parameters["alpha"]) == pytest.approx(1e-5)


def test_the_power_law_goes_through_both_n() -> None:
    form, rows = FORMS.get("power_per_size"), exchange(COUNTS, noise=0.1)
    found = form.seconds(form.fit(rows, KNOWN).parameters, KNOWN, rows["n"], rows["m"])
    assert found == pytest.approx(rows["seconds"].to_numpy())


def test_the_power_law_takes_sizes_that_both_n_have() -> None:
    form, rows = FORMS.get("power_per_size"), exchange(COUNTS)
    found = form.fit(rows[(rows["n"] == 8) | (rows["m"] > 512)], KNOWN)
    assert found.m_fitted == tuple(m for m in SIZES if m > 512)
    with pytest.raises(InvalidInputError, match="measure two n alike"):
        form.fit(rows[(rows["n"] == 8) == (rows["m"] > 512)], KNOWN)


@pytest.mark.parametrize("times", [0.01, 0.2, 1.0, 3.0, 100.0])
def test_waves_fit_the_channels_that_are_closest_of_all(times: float) -> None:
    form, rows = FORMS.get("waves"), exchange((8,), noise=0.3)
    rows["seconds"] *= times
    channels = float(form.fit(rows, KNOWN).parameters["channels"])

    def off(waves: float) -> float:
        predicted = waves * (1e-5 + 1e-9 * rows["m"])
        return loss(np.log(predicted / rows["seconds"]).to_numpy())

    every = {b: off(np.ceil(56 / b)) for b in range(1, 57)}
    assert every[channels] == pytest.approx(min(every.values()), rel=1e-12)
    assert channels == min(b for b in every if every[b] == every[channels])


@pytest.mark.parametrize("n", [2000, 100_000, 2**31 - 1])
def test_waves_of_many_processes_are_fitted_in_little_memory(n: int) -> None:
    rows = exchange((n,))
    assert FORMS.get("waves").fit(rows, KNOWN).parameters["channels"].unit == "1"


DUMMY = '''
import numpy as np

from contend.base.document import Quantity
from contend.models.signature.form import Form, fitted, one_process_count


class DoublePerProcess(Form):
    """Time per process at the largest size, whatever the size."""

    name = "dummy"
    title = "dummy"
    source = "nowhere"

    def fit(self, sample, known):
        n, _, seconds = one_process_count(sample)
        return fitted(self, sample, known, {"each": Quantity(value=seconds[-1] / n, unit="s")})

    def seconds(self, parameters, known, n, m):
        count, _ = np.broadcast_arrays(np.asarray(n, float), np.asarray(m, float))
        return count * float(parameters["each"])
'''


@pytest.fixture
def dummy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Form:
    """A form that was added as one file."""
    package = contend.models.signature.forms
    (tmp_path / "dummy.py").write_text(DUMMY)
    FORMS.names()  # what is cached now comes back afterwards
    monkeypatch.delitem(vars(FORMS), "_entries")
    monkeypatch.setattr(package, "__path__", [*package.__path__, str(tmp_path)])
    monkeypatch.setitem(sys.modules, f"{package.__name__}.dummy", None)  # undone afterwards
    monkeypatch.delitem(sys.modules, f"{package.__name__}.dummy")
    monkeypatch.setattr(package, "dummy", None, raising=False)
    return FORMS.get("dummy")


def test_a_form_added_as_one_file_is_fitted_validated_and_predicted(
    dummy: Form, tmp_path: Path
) -> None:
    samples: list[Sample] = alltoall((8, 24), contended)
    source = save(samples, tmp_path / "samples.jsonl")
    network = validate.record(fit_network(samples, source, FitOptions()), samples)
    network.save(tmp_path / "network.json")
    (operation,) = Network.load(tmp_path / "network.json").operations
    assert "dummy" in FORMS.names()
    assert operation.forms["dummy"].n_fitted == (24,)
    assert operation.validation["dummy"].n_seen == (8,)
    each = contended(24, SIZES[-1]) / 24
    rows = predict(network, network.find("alltoall"), [8, 50], 64, "dummy")
    assert rows["seconds"].tolist() == pytest.approx([8 * each, 50 * each])


@pytest.mark.parametrize(
    "oracle",
    [
        test_data_that_the_form_generates_are_recovered,
        test_times_broadcast_and_are_positive,
        test_the_units_of_the_parameters_make_up_a_time,
        test_a_fit_read_back_from_json_predicts_the_same,
        test_a_form_that_needs_a_message_says_so_and_the_others_do_without,
    ],
)
def test_a_form_added_as_one_file_passes_what_holds_for_all(
    dummy: Form, oracle: Callable[[Form], None]
) -> None:
    oracle(dummy)


def test_the_form_is_gone_when_its_file_is() -> None:
    assert "dummy" not in FORMS.names()


@pytest.mark.parametrize("form", ["hockney_2007", "plogp_2005"])
@pytest.mark.parametrize("sizes", [[64], [64, 128, 256], [64, 64, 128, 256]])
def test_fewer_than_four_sizes_are_no_signature(form: str, sizes: list[int]) -> None:
    few = pd.DataFrame({"n": 8, "m": sizes, "seconds": [1e-3 * size for size in sizes]})
    with pytest.raises(InvalidInputError, match=r"message sizes .*; measure at least 4"):
        FORMS.get(form).fit(few, KNOWN)
