"""Tables of a network file: predicted times, and every value that it has learnt."""

import io

import pandas as pd
import pytest

from contend.document import Quantity
from contend.interchange import FORMATS, Wanted
from contend.prediction.predict import predict
from measured_network import Measure


def read(text: str) -> pd.DataFrame:
    return pd.read_csv(io.StringIO(text), engine="python")


def test_predicted_times_are_those_of_predict(measure: Measure) -> None:
    network = measure().network
    rows = read(
        FORMATS.get("predictions").of_network(network, Wanted(n=(16, 64), m=(64, 4096))).text
    )
    known = predict(network, network.find("alltoall"), rows["n"], rows["m_bytes"])
    assert list(zip(rows["n"], rows["m_bytes"], strict=True)) == [
        (16, 64), (16, 4096), (64, 64), (64, 4096)
    ]  # fmt: skip
    for column, name in (("time_s", "seconds"), ("low_s", "low"), ("high_s", "high")):
        assert rows[column].tolist() == known[name].tolist()
    assert rows["extrapolates"].tolist() == known["extrapolates"].tolist()


def test_without_points_it_predicts_those_that_the_fit_saw(measure: Measure) -> None:
    network = measure().network
    n, m = network.find("alltoall").fitted_at
    rows = read(FORMATS.get("predictions").of_network(network, Wanted()).text)
    assert (set(rows["n"]), set(rows["m_bytes"])) == (set(n), set(m))


def test_every_value_of_the_network_has_a_row_with_its_unit(measure: Measure) -> None:
    network = measure().network
    rows = read(FORMATS.get("network").of_network(network, Wanted()).text)
    (level,) = network.levels
    assert level.hockney is not None and level.plogp is not None
    (alpha,) = rows[(rows["model"] == "hockney") & (rows["parameter"] == "alpha")].to_dict(
        "records"
    )
    assert (alpha["value"], alpha["unit"]) == (float(level.hockney.alpha), "s")
    gaps = rows[(rows["model"] == "plogp") & (rows["parameter"] == "gap")]
    assert gaps["size_bytes"].tolist() == level.plogp.size.array.tolist()
    assert gaps["value"].tolist() == level.plogp.gap.array.tolist()
    forms = network.find("alltoall").forms
    count = sum(
        quantity.array.size
        for form in forms.values()
        for name, quantity in form.parameters.items()
        if name != "size"
    )
    assert len(rows[rows["part"] == "operation"]) == count


def test_tables_over_sizes_keep_their_bounds() -> None:
    from contend.interchange.formats.network_values import _of_values

    values = {
        "size": Quantity(value=(1.0, 8.0), unit="B"),
        "gap": Quantity(value=(2.0, 3.0), unit="s", low=(1.0, 2.0), high=(3.0, 4.0)),
    }
    rows = list(_of_values({}, values))
    assert [(row["size_bytes"], row["value"], row["low"], row["high"]) for row in rows] == [
        (1.0, 2.0, 1.0, 3.0), (8.0, 3.0, 2.0, 4.0)
    ]  # fmt: skip


@pytest.mark.parametrize("name", FORMATS.names())
def test_a_format_recognises_what_it_writes(name: str, measure: Measure, tmp_path) -> None:
    from contend.samples import SampleStore

    known, format = measure(), FORMATS.get(name)
    with SampleStore(tmp_path / "samples.jsonl") as store:
        store.extend(known.samples)
    known.network.save(tmp_path / "network.json")
    file = "samples.jsonl" if name in ("csv", "extrap") else "network.json"
    operation = "alltoall" if name == "extrap" else None
    written = format.write(tmp_path / file, Wanted(operation=operation))
    assert format.recognises(written.text)
    assert not any(
        format.recognises((tmp_path / f).read_text()) for f in ("samples.jsonl", "network.json")
    )
    assert not format.recognises("")
