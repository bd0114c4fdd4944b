"""contend fit --schedules and what predict, choose, draw and validate make of its file."""

import numpy as np
import pytest

from contend.models.network import Network
from contend.models.prediction.catalogue import shared_ports
from contend.report.figures import decisions
from contend.report.figures.figure import Findings, drawings_of
from contend.samples import Provenance, Sample, SampleStore
from contend.schedules import algorithms
from contend.tune.choose.tuning import tune
from support import networks

SIZES = [64, 1024, 16384, 262144]
SLOW = 3.0  # what was measured of the flat tree takes as many times as long


def samples_of(algorithm, n, factor=1.0, experiment="bcast"):
    entry, net = algorithms(experiment).get(algorithm), networks.plogp()
    for m, seconds in zip(SIZES, entry.seconds(net, n, np.array(SIZES)), strict=True):
        yield Sample(
            experiment=experiment, algorithm=algorithm, n=n, m=m,
            times_s=(float(seconds) * factor,), provenance=Provenance(source="planted"),
        )  # fmt: skip


@pytest.fixture
def samples(tmp_path):
    path = tmp_path / "samples.jsonl"
    with SampleStore(path) as store:
        for n in (8, 32):
            store.extend(list(samples_of("binomial", n)))
            store.extend(list(samples_of("chain", n)))
            store.extend(list(samples_of("flat", n, SLOW)))
            native = [s.model_copy(update={"algorithm": "native"}) for s in samples_of("chain", n)]
            store.extend(native)
    return path


@pytest.fixture
def network(contend, samples, tmp_path):
    path = tmp_path / "network.json"
    assert contend("fit", "--schedules", samples, "--at", 8, "-o", path).code == 0
    return path


def test_points_that_were_not_fitted_are_compared(contend, samples, tmp_path):
    words = ["fit", "--schedules", samples, "--at", 8, "-o", tmp_path / "n.json"]
    rows = contend(*words, "--json").json["points"]
    assert [row["is_unseen"] for row in rows].count(True) == len(rows) / 2 == 12
    # A flat tree at one n tells (n-1) g + L: for short messages the split is open.
    told = [row for row in rows if row["algorithm"] != "flat" or row["m"] > 1024]
    assert max(abs(row["error"]) for row in told) < 0.05
    outcome = contend(*words)
    assert "bcast/binomial" in outcome.out
    assert "all operations" in outcome.out
    assert "next: contend choose" in outcome.err


def test_the_file_is_read_again_and_predicts_each_algorithm_by_its_own(contend, network):
    assert len(Network.load(network).schedules) == 5
    words = ["-n", "8,32", "-m", "16KiB"]
    truth, known = algorithms("bcast").get("flat"), networks.plogp()
    outcome = contend("predict", network, "bcast", "--algorithm", "flat", *words)
    assert "parameters of bcast/flat" in outcome.err
    assert "extrapolates: n" in outcome.out
    rows = contend("predict", network, "bcast", "--algorithm", "flat", *words, "--json").json
    for row in rows:
        due = SLOW * float(truth.seconds(known, row["n"], 16384))
        assert row["seconds"] == pytest.approx(due, rel=0.05)
    assert [row["extrapolates"] for row in rows] == ["", "n"]
    assert "of bcast;" in contend("predict", network, "bcast", "--algorithm", "knomial", *words).err


def test_the_choice_names_whose_parameters_it_stands_on(contend, network):
    words = ["choose", network, "bcast", "-n", 32, "-m", "64"]
    (ranking,) = contend(*words, "--json").json
    whose = {row["algorithm"]: row["parameters"] for row in ranking["ranked"]}
    assert whose["flat"] == "bcast/flat"
    assert whose["knomial"] == "bcast"
    assert "parameters of" in contend(*words).out
    (other,) = contend("choose", network, "scatter", "-n", 32, "-m", "64", "--json").json
    assert {row["parameters"] for row in other["ranked"]} == {"all operations"}
    assert contend("choose", network, "bcast", "--table").code == 0


def test_other_content_of_a_network_is_kept(contend, samples, tmp_path):
    both = networks.write(tmp_path / "both.json", networks.plogp())
    before = Network.load(both).levels
    assert contend("fit", "--schedules", samples, "-o", both).code == 0
    found = Network.load(both)
    assert found.levels == before
    assert found.schedules[0].n_fitted == (8, 32)
    (ranking,) = contend("choose", both, "scatter", "-n", 8, "-m", 64, "--json").json
    assert {row["parameters"] for row in ranking["ranked"]} == {"one message"}


def test_shared_ports_take_the_parameters_of_the_algorithm(contend, network):
    words = ["predict", network, "bcast", "-n", "8", "-m", "64", "--ports", "shared", "--json"]
    known = Network.load(network).parameters("bcast")
    for name in ("flat", "binomial"):
        entry = algorithms("bcast").get(name)
        (row,) = contend(*words, "--algorithm", name).json
        due = float(shared_ports(entry, known.of(entry), 8, 64)[0].seconds)
        assert row["seconds"] == pytest.approx(due)
        assert due != pytest.approx(float(shared_ports(entry, known.others, 8, 64)[0].seconds))
    ranked = contend("choose", network, "bcast", "-n", 8, "-m", "64", "--ports", "shared", "--json")
    times = {row["algorithm"]: row["seconds"] for row in ranked.json[0]["ranked"]}
    assert times["binomial"] == pytest.approx(row["seconds"])


def test_maps_take_the_parameters_of_each_algorithm(contend, network, tmp_path):
    words = ["choose", network, "bcast", "-n", "4,8,32", "-m", "1,64,16KiB,256KiB"]
    cells = contend(*words, "--table", "--json").json
    known, entries = Network.load(network).parameters("bcast"), algorithms("bcast").all()
    assert len(cells) == 12
    for cell in cells:
        n, m = cell["n"], cell["m"]
        served = [one for one in entries if one.restriction(n) is None]
        due = min(float(tune(one, known.of(one), n, [m]).seconds[0]) for one in served)
        assert cell["seconds"] == pytest.approx(due)
        assert cell["is_told_from_second"] is None
    picture = tmp_path / "map.html"
    drawn = contend(*words, "--plot", "-o", picture, "--json").json
    assert drawn["map"] == cells
    assert "the parameters have no bounds" in picture.read_text()


def test_the_report_has_maps_of_fitted_schedules(network):
    drawings = drawings_of(Findings(Network.load(network), []), "decisions")
    assert len(drawings) == len(decisions.SHOWN)


def test_a_schedule_is_drawn_with_the_parameters(contend, network, tmp_path):
    picture = tmp_path / "flat.svg"
    outcome = contend("draw", "bcast", "flat", "-n", 4, "--network", network, "-o", picture)
    assert outcome.code == 0
    assert picture.is_file()


def test_what_has_no_schedule_is_counted_and_left_out(contend, network, samples):
    outcome = contend("validate", "--schedules", network, samples)
    assert "8 samples are of no algorithm of the catalogue" in outcome.err


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["--at", "8,9"], ["no sample has n = 9", "choose from"]),
        (["--at", 9], ["catalogue at n=9", "bcast/binomial at n=8"]),
        (["--second", 4], ["times of algorithms", "--second says nothing"]),
    ],
)
def test_mistakes_are_named(contend, samples, words, named):
    outcome = contend("fit", "--schedules", samples, *words)
    assert outcome.code != 0
    assert all(word in outcome.err for word in named), outcome.err


def test_parameters_are_fitted_at_several_n(contend, samples, tmp_path):
    path = tmp_path / "n.json"
    assert contend("fit", "--schedules", samples, "--at", "8,32", "-o", path).code == 0
    assert {fit.n_fitted for fit in Network.load(path).schedules} <= {(8, 32), (8,), (32,)}
    assert (8, 32) in {fit.n_fitted for fit in Network.load(path).schedules}
