from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from contend.base.errors import InvalidInputError
from contend.models.fitting.estimator import FitOptions
from contend.models.fitting.fit import fit_network
from contend.models.network import Network
from contend.models.prediction.validate import ALL, compare, measured, record, strangers, summarise
from contend.samples import LabConditions, Sample
from contend.schedules.pointtopoint import hockney
from support.synthesis import PROVENANCE, SIZES, alltoall, sample, save

KNOWN = hockney.given(1e-5, 1e-9)
COUNTS = (4, 8, 16, 32)
CHOSEN = SIZES[::2]


def contended(n: int, m: int) -> float:
    """An all-to-all with gamma 3, and 40 us for each other process from 4 KiB on."""
    return (n - 1) * (1e-5 + 3e-9 * m + 4e-5 * (m >= 4096))


def slower(n: int, m: int) -> float:
    """As fitted at n = 16; longer elsewhere, twice as much from 4 KiB on."""
    return contended(n, m) * (1 + 0.1 * (1 + (m >= 4096)) * (n != 16))


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return save([sample()], tmp_path / "samples.jsonl")


def fitted(samples: list[Sample], source: Path, **options: object) -> Network:
    given = {"n_fit": 16, "known_hockney": KNOWN} | options
    return fit_network(samples, source, FitOptions(**given))  # type: ignore[arg-type]


def comparison(samples: list[Sample], source: Path, **options: object) -> pd.DataFrame:
    network = fitted(samples, source, **options)
    return compare(network, network.operations[0], samples)


def test_the_error_is_predicted_over_measured_less_1(source: Path) -> None:
    rows = comparison(alltoall(COUNTS, slower), source)
    signature = rows[rows["form"] == "hockney_2007"]
    assert len(signature) == len(COUNTS) * len(SIZES)
    for row in signature.itertuples():
        assert row.measured == pytest.approx(slower(row.n, row.m))
        assert row.predicted == pytest.approx(contended(row.n, row.m))
        assert row.error == pytest.approx(contended(row.n, row.m) / slower(row.n, row.m) - 1)
        assert row.regime == ("m >= M" if row.m >= 4096 else "m < M")


def test_a_point_is_seen_when_its_n_and_its_size_were_fitted(source: Path) -> None:
    rows = comparison(alltoall(COUNTS, contended), source, sizes=CHOSEN)
    seen = rows[~rows["is_unseen"]]
    signature = seen[seen["form"] == "hockney_2007"]
    assert set(zip(signature["n"], signature["m"], strict=True)) == {(16, m) for m in CHOSEN}
    two = seen[seen["form"] == "affine_per_n"]
    assert set(zip(two["n"], two["m"], strict=True)) == {(n, m) for n in (4, 16) for m in CHOSEN}


def test_errors_are_summarised_over_unseen_points_by_regime(source: Path) -> None:
    rows = comparison(alltoall(COUNTS, slower), source)
    table = summarise(rows).set_index(["form", "regime"]).loc["hockney_2007"]
    below, above = sum(m < 4096 for m in SIZES), sum(m >= 4096 for m in SIZES)
    assert list(table.index) == [ALL, "m < M", "m >= M"]
    assert table["points"].tolist() == [3 * (below + above), 3 * below, 3 * above]
    for regime, error in (("m < M", 0.1 / 1.1), ("m >= M", 0.2 / 1.2)):
        for column in ("median", "percentile_90", "worst"):
            assert table.loc[regime, column] == pytest.approx(error)
    assert table["factor_90"].to_numpy() == pytest.approx([1.2, 1.1, 1.2])


def test_statistics_are_those_of_the_absolute_errors() -> None:
    errors = np.array([-0.5, -0.2, -0.1, 0.0, 0.1, 0.2, 0.3, 0.4, 1.0, 3.0])
    rows = pd.DataFrame({"error": errors, "n": 4, "m": range(10)}).assign(
        form="f", regime="all sizes", is_unseen=True
    )
    (row,) = summarise(rows).to_dict("records")
    assert row["regime"] == ALL
    assert row["points"] == 10
    assert row["median"] == pytest.approx(np.median(np.abs(errors)))
    assert row["percentile_90"] == row["worst"] == 3.0  # the tenth of ten: 11 * 0.9 ranks
    assert row["factor_90"] == row["factor_worst"] == 4.0


def test_the_network_records_the_errors_and_what_they_were_seen_at(source: Path) -> None:
    samples = alltoall(COUNTS, slower)
    network = record(fitted(samples, source, sizes=CHOSEN), samples)
    (operation,) = network.operations
    assert operation.validation.keys() == operation.forms.keys()
    found = operation.validation["hockney_2007"]
    assert (found.n_seen, found.m_seen) == (COUNTS, SIZES)
    assert found.errors[0].regime == ALL
    assert found.errors[0].points == 4 * len(SIZES) - len(CHOSEN)
    summary = summarise(compare(network, operation, samples)).set_index(["form", "regime"])
    for errors in found.errors:
        row = summary.loc[("hockney_2007", errors.regime)]
        assert errors.model_dump(exclude={"regime"}) == pytest.approx(row.to_dict())
    assert record(network, samples) == network


def test_validation_on_other_samples_than_those_of_the_fit(source: Path) -> None:
    network = fitted(alltoall((16,), contended), source)
    recorded = record(network, alltoall((8, 64), slower))
    assert recorded.operations[0].validation["hockney_2007"].n_seen == (8, 64)
    assert recorded.operations[0].forms == network.operations[0].forms


def test_points_known_before_are_kept_by_validation_on_others(source: Path) -> None:
    """At n = 4 too, which no form was fitted to; where both have a point the new one counts."""
    network = fitted(alltoall((4, 8, 16, 64), contended), source)
    (operation,) = record(network, alltoall((8, 32), slower)).operations
    (before,) = network.operations
    assert before.measured is not None and operation.measured is not None
    known, rows = before.measured.table(), operation.measured.table()
    assert set(rows["n"]) == {4, 8, 16, 32, 64}
    kept = rows[rows["n"].isin((4, 16, 64))].reset_index(drop=True)
    pd.testing.assert_frame_equal(kept, known[known["n"] != 8].reset_index(drop=True))
    again = rows.loc[rows["n"] == 8, "seconds"]
    assert again.tolist() == pytest.approx([slower(8, m) for m in SIZES])


def test_where_every_point_was_used_there_is_nothing_to_validate(source: Path) -> None:
    samples = alltoall((16,), contended)
    with pytest.raises(InvalidInputError, match="every measured point was used in the fit; meas"):
        record(fitted(samples, source), samples)


def test_another_n_alone_is_enough_for_the_signature_and_not_for_forms_that_used_it(
    source: Path,
) -> None:
    samples = alltoall((8, 16), contended)
    validation = record(fitted(samples, source), samples).operations[0].validation
    assert "hockney_2007" in validation
    assert "affine_per_n" not in validation


def test_samples_of_another_operation_or_placement_are_an_error(source: Path) -> None:
    network = fitted(alltoall(COUNTS, contended, processes_per_node=2), source)
    with pytest.raises(InvalidInputError, match=r"no sample of alltoall/native; .* bcast/native"):
        record(network, alltoall(COUNTS, contended, experiment="bcast"))
    with pytest.raises(InvalidInputError, match="no sample of alltoall/native, 2 per node"):
        record(network, alltoall(COUNTS, contended, processes_per_node=4))


def test_each_placement_is_compared_with_its_own_samples(source: Path) -> None:
    samples = [
        *alltoall(COUNTS, contended, processes_per_node=1),
        *alltoall(COUNTS, lambda n, m: 2 * contended(n, m), processes_per_node=2),
    ]
    network = record(fitted(samples, source), samples)
    for operation, factor in zip(network.operations, (1, 2), strict=True):
        rows = measured(operation, samples)
        assert len(rows) == len(COUNTS) * len(SIZES)
        assert rows["seconds"].tolist() == pytest.approx(
            [factor * contended(n, m) for n, m in zip(rows["n"], rows["m"], strict=True)]
        )


def test_no_prediction_is_judged_on_what_an_overburdened_lab_measured(source: Path) -> None:
    network = fitted(alltoall((16,), contended), source)
    good = alltoall((8,), slower)
    lab = LabConditions.from_counters({"frames": 10, "unread": 1})
    bad = [
        one.model_copy(update={"lab": lab})
        for one in alltoall((32,), lambda n, m: 9 * contended(n, m))
    ]
    assert record(network, [*good, *bad]) == record(network, good)
    judged = record(network, [*good, *bad], include_flagged=True).operations[0]
    assert judged.validation["hockney_2007"].n_seen == (8, 32)
    with pytest.raises(InvalidInputError, match="--include-flagged"):
        record(network, bad)


def test_a_comparison_takes_what_an_overburdened_lab_measured_only_for_want_of_better(
    source: Path,
) -> None:
    lab = LabConditions.from_counters({"frames": 10, "unread": 1})
    good = alltoall((16,), contended)
    bad = [one.model_copy(update={"lab": lab}) for one in alltoall((32,), contended)]
    operation = fitted(good, source).operations[0]
    assert set(measured(operation, [*good, *bad])["n"]) == {16}
    assert set(measured(operation, [*good, *bad], include_flagged=True)["n"]) == {16, 32}
    assert set(measured(operation, bad)["n"]) == {32}


def test_samples_with_no_host_of_the_network_are_of_another_machine(source: Path) -> None:
    def on(*hosts: str) -> Sample:
        return sample(provenance=PROVENANCE.model_copy(update={"hosts": hosts}))

    known = fitted(alltoall(COUNTS, contended), source)
    origin = known.origin.model_copy(update={"hosts": ("a", "b")})
    network = known.model_copy(update={"origin": origin})
    assert strangers(network, [on("b", "c", "d")]) == []
    (warning,) = strangers(network, [on("c", "d")])
    assert "host c, d, the network of a, b" in warning
