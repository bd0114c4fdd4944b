"""The Python interface, used as its page shows it."""

import json
import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import contend
from contend import api
from contend.api.samples import Samples
from contend.base.errors import ContendError
from contend.models.network import Network as Document
from layout import ROOMS
from support import synthesis

N = (4, 8, 16, 32)


@pytest.fixture(scope="module")
def samples(tmp_path_factory):
    """A ping-pong, pLogP and an all-to-all with known parameters, read from a file."""
    path = tmp_path_factory.mktemp("api") / "samples.jsonl"
    rng = np.random.default_rng(1)
    rows = [
        *synthesis.pingpong(1e-5, 1e-9),
        *synthesis.plogp(5e-5, lambda m: 1e-5 + 1e-9 * m, (lambda m: 5e-6, lambda m: 5e-6)),
        *synthesis.alltoall(N, synthesis.exchange_time, rng=rng, noise=0.02),
    ]
    return contend.read_samples(synthesis.save(rows, path))


def test_what_is_public_is_there_and_nothing_is_imported_for_it():
    assert set(contend.__all__) <= set(dir(contend))
    for name in contend.__all__:
        assert getattr(contend, name).__doc__
    modules = {path.stem for path in Path(api.__file__).parent.iterdir()} | {*ROOMS}
    assert not modules & set(contend.__all__)  # a module of the name would hide it
    with pytest.raises(AttributeError, match="no attribute 'fitt'"):
        _ = contend.fitt


def test_the_lines_of_the_page_run_as_they_stand(samples, tmp_path):
    network = contend.fit(samples, at=16)
    found = network.predict("alltoall", n=[64, 128], m="1MiB")
    assert list(found["n"]) == [64, 128] and set(found["m"]) == {2**20}
    assert (found["extrapolates"] == "n m").all()
    assert (found["low"] <= found["seconds"]).all() and (found["seconds"] <= found["high"]).all()
    assert found["why"].str.contains("growth by default").all()
    wider = found["high"] / found["low"]
    errors = network.validate(samples)
    assert set(errors["operation"]) == {"alltoall/native"} and (errors["points"] > 0).all()
    again = network.predict("alltoall", n=[64, 128], m="1MiB")
    assert again["why"].str.contains("best on points that none has seen").all()
    assert (again["high"] / again["low"] < wider * 10).all()
    chosen = network.choose("bcast", n=40, m="1MiB")
    assert chosen["seconds"].is_monotonic_increasing and chosen["ratio"][0] == 1.0
    assert chosen.attrs["refused"].keys() == {(40, 2**20)}
    figure = network.plot()
    figure.savefig(tmp_path / "curves.png")
    assert (tmp_path / "curves.png").stat().st_size > 5000
    flows = {"src": [0, 1], "dst": [9, 9], "bytes": [100, 100]}
    assert contend.solve(flows, model="maxmin", topology="fat-tree:4x8x2:2").end.tolist() == [
        200.0, 200.0,
    ]  # fmt: skip


def test_it_predicts_what_the_command_predicts(samples):
    from contend.models.prediction.predict import predict

    network = contend.fit(samples, at=16)
    own = network.predict(n="8,64", m=[1024, "1MiB"])
    document = network.document
    rows = predict(document, document.find("alltoall"), own["n"], own["m"])
    assert document.find("MPI_Alltoall") == document.find("alltoall")
    pd.testing.assert_frame_equal(own[["seconds", "low", "high"]], rows[["seconds", "low", "high"]])


def test_a_schedule_predicts_what_was_not_measured(samples):
    network = contend.fit(samples)
    found = network.predict(
        "bcast", n=16, m=["1KiB", 2**20], algorithm="segmented_chain", segment="8KiB"
    )
    assert list(found.columns) == list(network.predict(n=8, m=64).columns)
    assert found["why"].str.contains("schedule of bcast/segmented_chain").all()
    assert found["lower_bound"].isna().all()
    assert list(network.predict(n=np.array([8, 16]), m=np.int64(64))["n"]) == [8, 16]
    for n in (2.5, [], "many"):
        with pytest.raises(ContendError):
            network.predict(n=n, m=64)
    with pytest.raises(ContendError, match="ports = 'many'"):
        network.choose("bcast", 8, 64, ports="many")  # type: ignore[arg-type]


def test_a_table_and_back(samples):
    frame = samples.to_frame()
    assert len(frame) == sum(len(one.times_s) for one in samples)
    back = Samples.from_frame(frame, source="the same")
    assert [one.times_s for one in back] == [one.times_s for one in samples]
    assert [one.point for one in back] == [one.point for one in samples]
    assert {one.provenance.source for one in back} == {"the same"}
    few = Samples.from_frame(
        pd.DataFrame({"experiment": "alltoall", "n": 4, "m": [64, 64], "seconds": [1e-3, 2e-3]})
    )
    assert few[0].times_s == (1e-3, 2e-3) and few[0].algorithm == "native"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"drop": "seconds"}, "no column 'seconds'"),
        ({"speed": 3}, "the column 'speed' has no meaning"),
        ({"n": 1}, "no sample at experiment alltoall, algorithm native, n 1"),
        ({"seconds": math.nan}, "no sample at"),
        ({"is_flagged": True}, "1 rows are flagged"),
    ],
)
def test_a_bad_table_is_an_error(change, said):
    frame = pd.DataFrame({"experiment": ["alltoall"], "n": 4, "m": 64, "seconds": 1e-3})
    frame = frame.drop(columns=change.pop("drop", [])).assign(**change)
    with pytest.raises(ContendError, match=said):
        Samples.from_frame(frame)


def test_samples_are_a_sequence_and_are_kept_once(samples, tmp_path):
    assert "alltoall/native" in repr(samples) and repr(samples[:0]) == "<Samples: 0 of nothing>"
    assert len(samples[:3] + samples[3:]) == len(samples)
    assert "<table" in samples._repr_html_()
    path = tmp_path / "kept.jsonl"
    samples[:5].save(path)
    samples.save(path)
    samples.save(path)
    assert list(contend.read_samples(path)) == list(samples)


def test_a_network_is_kept_beside_what_the_file_holds(samples, tmp_path):
    path = tmp_path / "network.json"
    network = contend.fit(samples, at=16, name="planted")
    network.save(path)
    assert contend.read_network(path).document == Document.load(path) == network.document
    assert repr(network) == "<Network 'planted': alltoall/native>"
    assert len(network.parameters()) and "gamma" in network._repr_html_()
    assert all(isinstance(text, str) for text in network.warnings)
    merged = contend.fit(samples, at=8).save(path)
    assert merged.network.name == "planted"


def test_known_alpha_and_beta_take_the_place_of_a_ping_pong(samples):
    exchanges = Samples(one for one in samples if one.experiment == "alltoall")
    given = contend.fit(exchanges, alpha="10us", beta=1e-9).parameters()
    alpha = given.set_index(["of", "parameter"]).loc[("all: hockney", "alpha"), "value"]
    assert alpha == pytest.approx(1e-5)
    with pytest.raises(ContendError, match="one of alpha and beta"):
        contend.fit(exchanges, alpha=1e-5)


def test_what_is_measured_is_drawn_and_a_file_that_does_not_say_is_an_error(samples, tmp_path):
    network = contend.fit(samples)
    assert network.plot().axes
    network.save(tmp_path / "network.json")
    text = json.loads((tmp_path / "network.json").read_text())
    for operation in text["operations"]:
        del operation["measured"]
    (tmp_path / "old.json").write_text(json.dumps(text))
    with pytest.raises(ContendError, match="no measured point"):
        contend.read_network(tmp_path / "old.json").plot()


def test_a_bandwidth_makes_seconds_of_a_solution():
    flows = {"src": [0, 0], "dst": [1, 2], "bytes": [100, 200]}
    assert contend.solve(flows, bandwidth="100B/s").end.tolist() == [2.0, 3.0]
    assert contend.solve(flows, bandwidth=100.0).end.tolist() == [2.0, 3.0]
    tree = contend.solve(flows, topology="fat-tree:2x2", bandwidth="800bit/s")
    assert tree.end.tolist() == [2.0, 3.0]


def test_what_to_measure_next_is_a_table(samples):
    network = contend.fit(samples[: len(samples) - 12], at=16)  # without the largest n
    found = network.plan("alltoall", n=[64, 128], m="1KiB,64KiB", points=3)
    assert len(found) == 3 and set(found["n"]) <= {4, 8, 16, 32, 64, 128}
    assert (found["after"] < found["before"]).all() and found["spent"].is_monotonic_increasing
    own = network.predict("alltoall", n=[64, 128], m="1KiB,64KiB", form="growth")
    above = np.log(own["high"] / own["seconds"]).median()  # low may be cut at the bound
    assert found["before"][0] == pytest.approx(np.exp(2 * above))
    assert any("narrow it to" in said for said in found.attrs["said"])
    assert network.plan(n=64, budget="4s", samples=samples)["spent"].iloc[-1] <= 4
    assert set(network.plan(n=64, at="4,8", until=1.5)["n"]) <= {4, 8}
    with pytest.raises(ContendError, match="a budget of 0 s"):
        network.plan(n=64, budget=0)
