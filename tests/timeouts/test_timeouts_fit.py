"""Networks with time-outs from samples to predictions: forms, file, validation, both modes."""

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import contend
from contend.models.fitting.estimator import FitOptions
from contend.models.fitting.fit import fit_network
from contend.models.network import Network
from contend.models.prediction import predict as predicted
from contend.models.prediction.validate import record
from contend.report.text import signature_sentence
from contend.report.timeouts import accuracy, onset
from contend.samples import Sample
from contend.samples.origin import Unsaved
from contend.schedules.pointtopoint import hockney
from support.timeouts import ALPHA, BETA, COUNTS, SIZES, Lossy, exchange, harmless, smooth

NOWHERE = Unsaved("planted", b"")
NET = Lossy(noise=0.01)


def fit(samples: Sequence[Sample], **options: object) -> Network:
    known = hockney.given(ALPHA, BETA)
    return fit_network(samples, NOWHERE, FitOptions(known_hockney=known, **options))  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def samples() -> list[Sample]:
    return NET.samples(np.random.default_rng(11))


@pytest.fixture(scope="module")
def network(samples: list[Sample]) -> Network:
    return record(fit(samples, n_fit=8), samples)


def test_delta_does_not_absorb_the_time_outs(network: Network) -> None:
    parameters = network.find("alltoall").forms["hockney_2007"].parameters
    assert float(parameters["delta"]) == 0.0
    assert float(parameters["gamma"]) == pytest.approx(1.0, abs=0.05)


def test_every_form_is_judged_by_times_without_time_outs(network: Network) -> None:
    operation = network.find("alltoall")
    assert operation.measured is not None
    rows = operation.measured.table()
    truth = [exchange(n, m) for n, m in zip(rows["n"], rows["m"], strict=True)]
    assert np.abs(np.log(rows["seconds"] / truth)).median() < 0.02
    assert operation.validation["hockney_2007"].errors[0].median < 0.05


def test_both_modes_and_their_share_are_predicted_at_unseen_n(network: Network) -> None:
    errors = network.find("alltoall").timeout_errors
    assert errors is not None and errors.n_seen == (6, 10, 12)
    assert errors.share_mean < 0.15 and errors.inside >= 0.85
    assert errors.clean_median is not None and errors.clean_median < 0.05
    assert errors.late_median is not None and errors.late_median < 0.05


@pytest.mark.parametrize(("n", "m"), [(4, 2048), (16, 65536), (8, 16384)])
def test_mean_and_median_are_those_of_the_mixture(network: Network, n: int, m: int) -> None:
    row = predicted.predict(network, network.find("alltoall"), n, m).iloc[0]
    share, again, truth = row["share"], NET.again, exchange(n, m)
    assert row["share_low"] - 1e-9 <= NET.share(n, m) <= row["share_high"] + 1e-9
    assert row["seconds"] == pytest.approx(truth, rel=0.10)
    assert row["with_timeout"] == pytest.approx(truth + NET.cost, rel=0.10)
    assert row["mean"] == pytest.approx(truth + share * NET.cost * (1 + again), rel=0.10)
    assert row["median"] == row["with_timeout" if share >= 0.5 else "seconds"]


def test_the_file_keeps_time_outs_and_reads_back(network: Network, tmp_path: Path) -> None:
    path = tmp_path / "network.json"
    network.save(path)
    again = Network.load(path)
    assert again == network
    pd.testing.assert_frame_equal(
        predicted.predict(again, again.find("alltoall"), 8, SIZES),
        predicted.predict(network, network.find("alltoall"), 8, SIZES),
    )


def test_files_without_time_outs_are_read_and_predict_as_before(
    network: Network, tmp_path: Path
) -> None:
    path = tmp_path / "network.json"
    network.save(path)
    old = json.loads(path.read_text())
    for operation in old["operations"]:
        del operation["timeouts"], operation["timeout_errors"]
    path.write_text(json.dumps(old))
    loaded = Network.load(path)
    assert loaded.find("alltoall").timeouts is None
    rows = predicted.predict(loaded, loaded.find("alltoall"), 8, SIZES)
    assert tuple(rows.columns) == predicted.COLUMNS
    assert onset(loaded.find("alltoall")) == []


def test_validation_of_the_same_fit_is_kept_when_it_is_fitted_again(
    network: Network, samples: list[Sample], tmp_path: Path
) -> None:
    path = tmp_path / "network.json"
    network.save(path)
    merged = fit(samples, n_fit=8).merge_into(path).network
    assert merged.find("alltoall").timeout_errors == network.find("alltoall").timeout_errors


def test_other_samples_of_the_network_judge_it_too(network: Network) -> None:
    others = NET.samples(np.random.default_rng(12), (10, 12), (4096, 16384))
    errors = record(network, others).find("alltoall").timeout_errors
    assert errors is not None and errors.points == 4
    assert errors.share_mean < 0.2


def test_samples_that_never_wait_judge_it_too(network: Network) -> None:
    others = NET.samples(np.random.default_rng(13), (10, 12), (256, 512, 1024))
    errors = record(network, others).find("alltoall").timeout_errors
    assert errors is not None and errors.points == 6 and errors.late_points == 0
    assert errors.late_median is None and errors.share_worst < 0.1


def test_a_network_without_time_outs_is_fitted_as_ever() -> None:
    samples = harmless(smooth, np.random.default_rng(1))
    network = record(fit(samples, n_fit=8), samples)
    operation = network.find("alltoall")
    assert operation.timeouts is None and operation.timeout_errors is None
    assert tuple(predicted.predict(network, operation, 8, SIZES).columns) == predicted.COLUMNS


def test_an_algorithm_without_time_outs_has_none_beside_one_that_has_some() -> None:
    rng = np.random.default_rng(2)
    gentle = [one.model_copy(update={"algorithm": "ring"}) for one in harmless(smooth, rng)]
    network = fit([*NET.samples(rng), *gentle], n_fit=8)
    assert network.find("alltoall", "native").timeouts is not None
    assert network.find("alltoall", "ring").timeouts is None


def test_points_that_only_waited_are_told_and_left_out() -> None:
    net = Lossy(half=1024.0, noise=0.01)
    samples = net.samples(np.random.default_rng(3), COUNTS, (256, 512, 1024, 2048, 8192, 32768))
    network = fit(samples, n_fit=8)
    told = [one for one in network.warnings if "every repetition waited" in one.message]
    measured = network.find("alltoall").measured
    assert measured is not None and len(told) == 1
    assert len(measured.n) < len({(one.n, one.m) for one in samples})


def test_sentences_say_from_where_on_half_of_them_wait(network: Network) -> None:
    operation = network.find("alltoall")
    first, *_ = onset(operation)
    assert "half of the repetitions or more wait for a retransmission time-out of 20" in first
    assert "at 8 from about 1" in first
    assert "percentage points" in accuracy(operation)[0]


@pytest.mark.parametrize(("name", "form"), [("alltoall", None), ("bcast", "growth")])
def test_time_outs_are_told_where_there_is_no_signature(
    network: Network, name: str, form: str | None
) -> None:
    known = network.find("alltoall")
    forms = {one: fit for one, fit in known.forms.items() if one == form}
    other = known.model_copy(update={"operation": name, "forms": forms})
    assert onset(other)[0] in signature_sentence(other)


def test_python_tells_both_modes(samples: list[Sample]) -> None:
    network = contend.fit(samples, at=8, alpha=ALPHA, beta=BETA)
    rows = network.predict("alltoall", n=[8, 16], m="16KiB,64KiB")
    assert {"share", "share_low", "share_high", "with_timeout", "mean", "median"} <= set(rows)
    assert (rows["seconds"] < rows["with_timeout"]).all()
    assert network.predict("alltoall", n=2, m=1)["share"][0] < 0.01
