"""What is planted in measured graphs is learnt from them: parameters, models, errors, doubts."""

import json
from pathlib import Path

import numpy as np
import pytest

from contend.document import from_object
from contend.errors import InvalidInputError
from contend.network import Network
from contend.samples.lab import LabConditions
from contend.sharing import comparison
from contend.sharing.fit import fit_sharing
from contend.sharing.graphs import MeasuredGraph, bandwidth_alone, measured_graphs
from contend.sharing.parameters import Observations, fit
from contend.sharing.record import FittedSharing
from planted_graphs import BANDWIDTH, SIZE, SMALL, planted, random_graphs

TRUE = {"beta_e": 1.25, "beta_s": 0.8, "gamma": 1.6}
LATE = LabConditions(
    frames=1000, bytes=1, drops=0, retransmissions=0, timeouts=0, lateness_mean_s=1.0,
    late_share=0.5, unread=0, queue_peak_bytes=0,
)  # fmt: skip


def rng(seed: int = 1) -> np.random.Generator:
    return np.random.default_rng(seed)


def observations(samples, with_bandwidth: bool = True) -> Observations:
    alone = bandwidth_alone(samples)
    assert alone is not None
    return Observations(tuple(measured_graphs(samples)), alone.value if with_bandwidth else None)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "graphs.jsonl"
    path.write_text("planted")
    return path


@pytest.mark.parametrize("true", [TRUE, {"beta_e": 0.9, "beta_s": 1.3, "gamma": 2.5}])
def test_planted_parameters_are_found_within_their_bounds(true: dict[str, float]) -> None:
    graphs = random_graphs(60, rng(2))
    seen = observations(planted(graphs, "penalty3", true, 0.02, 10, rng(3)))
    found = fit(seen, "penalty3", rng(), resamples=60)
    for name, value in true.items():
        low, high = found.bounds[name]
        assert found.parameters[name] == pytest.approx(value, rel=0.01)
        assert low - 0.005 <= value <= high + 0.005
        assert high - low < 0.05 * value


def test_one_graph_that_stalled_does_not_decide() -> None:
    samples = planted(random_graphs(40, rng(2)), "penalty3", TRUE)
    stalled = samples[20].model_copy(
        update={"ends_s": tuple(tuple(5 * e for e in ends) for ends in samples[20].ends_s)}
    )
    found = fit(observations([*samples[:20], stalled, *samples[21:]]), "penalty3", rng())
    assert found.parameters == pytest.approx(TRUE, rel=0.01)


def test_without_a_message_alone_the_bandwidth_is_fitted_too() -> None:
    graphs = {name: edges for name, edges in random_graphs(40, rng(2)).items() if len(edges) > 1}
    samples = planted(graphs, "penalty3", TRUE, alone_s=())
    assert bandwidth_alone(samples) is None
    found = fit(Observations(tuple(measured_graphs(samples)), None), "penalty3", rng())
    assert found.bandwidth == pytest.approx(BANDWIDTH, rel=0.01)
    assert found.parameters == pytest.approx(TRUE, rel=0.01)


def test_a_parameter_that_no_graph_depends_on_keeps_its_value_without_bounds() -> None:
    graphs = {"a": SMALL["fan-out-2"], "b": SMALL["fan-out-3"], "c": SMALL["single"]}
    found = fit(observations(planted(graphs, "penalty3", TRUE)), "penalty3", rng(), resamples=5)
    assert found.parameters == pytest.approx({"beta_e": 0.965, "beta_s": 0.8, "gamma": 1.35})
    assert found.bounds.keys() == {"beta_s"}


def test_the_bandwidth_alone_is_the_median_over_launches() -> None:
    samples = [
        planted({"single": SMALL["single"]}, "maxmin", alone_s=(seconds,), ends_s=((seconds,),))[0]
        for seconds in (0.1, 0.1, 0.2, 0.2, 0.2)
    ]
    found = bandwidth_alone(samples)
    assert found is not None
    assert found.value == SIZE / 0.2
    assert (found.low, found.high) == (SIZE / 0.2, SIZE / 0.1)


def test_the_error_of_a_graph_is_the_average_over_its_messages() -> None:
    graph = MeasuredGraph(
        "g", ((0, 1), (2, 3)), 100, np.array([[1.0, 2.0], [1.0, 4.0], [1.0, 2.0]])
    )
    row = comparison.errors(Observations((graph,), 100.0), "maxmin", np.array([1.1, 1.0])).iloc[0]
    assert (row["average"], row["worst"]) == pytest.approx((0.3, 0.5))


def test_graphs_of_one_shape_share_a_fold() -> None:
    """Else `measured` would predict one from its twin, which has the same odd penalties."""

    def odd(left: np.ndarray) -> list[float]:
        return [3.7] * len(left) if len(left) == 2 else [1.0] * len(left)

    twins = {f"twin-{number}": ((number, 8), (9, 8)) for number in range(6)}
    others = {"single": SMALL["single"], "out": SMALL["fan-out-2"], "three": SMALL["fan-in-3"]}
    samples = planted(twins, "measured", penalties=odd) + planted(others, "maxmin")
    rows = comparison.cross_validated(measured_graphs(samples), BANDWIDTH, rng(), folds=4)
    of_twins = rows[rows["graph"].str.startswith("twin") & (rows["model"] == "measured")]
    assert len(of_twins) == len(twins)
    assert (of_twins["average"] > 0.4).all()


def test_every_model_predicts_every_graph_once() -> None:
    samples = planted(
        random_graphs(20, rng(2)), "equal_share", noise=0.01, repetitions=5, rng=rng(4)
    )
    rows = comparison.cross_validated(measured_graphs(samples), BANDWIDTH, rng())
    counts = rows.groupby("model").size()
    assert set(counts) == {20 + len(SMALL)}
    assert {"maxmin", "penalty3", "penalty3-initial", "measured"} <= set(counts.index)
    averages = comparison.summary(rows).set_index("model")["average"]
    assert averages.drop("measured").idxmin() == "equal_share"
    assert averages["equal_share"] < 0.02


@pytest.mark.parametrize("model", ["maxmin", "penalty3", "infiniband-residual"])
def test_the_model_of_the_network_is_chosen_and_survives_a_file(
    model: str, source: Path, tmp_path: Path
) -> None:
    parameters = TRUE if model == "penalty3" else None
    samples = planted(random_graphs(30, rng(2)), model, parameters, 0.005, 6, rng(4))
    found = fit_sharing(samples, source, rng())
    assert found.fallback == model
    assert found.known(model).errors.average < 0.02
    assert found.warnings == ()
    network = Network(name="planted", sharing=found, origin=found.origin)
    network.save(tmp_path / "network.json")
    assert Network.load(tmp_path / "network.json") == network
    again = from_object(Network, json.loads(json.dumps(network.to_json())), "here").sharing
    assert isinstance(again, FittedSharing)
    flows = {"src": list("SSCDE"), "dst": list("XYXXY"), "bytes": [SIZE] * 5}
    solution, during = again.solve(flows, "measured")
    assert during is not None
    assert during.steps >= during.measured_steps
    assert solution.end == pytest.approx(again.solve(flows)[0].end, rel=0.05)


def test_an_unknown_model_of_a_network_is_an_error_that_lists_those_known(source: Path) -> None:
    found = fit_sharing(planted(SMALL, "maxmin"), source, rng())
    with pytest.raises(InvalidInputError, match=r"'oracle'.*maxmin"):
        found.known("oracle")


def kinds(samples, source: Path, **options: bool) -> set[str]:
    return {warning.kind for warning in fit_sharing(samples, source, rng(), **options).warnings}


def test_each_doubt_is_raised_by_what_causes_it(source: Path) -> None:
    graphs = random_graphs(30, rng(2))
    good = planted(graphs, "maxmin", noise=0.005, repetitions=12, rng=rng(4))
    assert kinds(good, source) == set()
    assert kinds(good[:6], source) == {"few_graphs", "parameter_not_seen"}
    flagged = [sample.model_copy(update={"lab": LATE}) for sample in good[:5]]
    assert kinds([*good[5:], *flagged], source) == {"flagged_left_out"}
    assert "flagged_left_out" not in kinds([*good[5:], *flagged], source, include_flagged=True)
    late = good[3].model_copy(update={"late_starts": 3})
    assert kinds([*good, late], source) == {"late_starts"}
    apart = good[3].model_copy(update={"start_skew_s": 0.5 * float(good[3].ends.max())})
    assert kinds([*good, apart], source) == {"clocks_apart"}
    slow = planted({"single": SMALL["single"]}, "maxmin", m=1024, alone_s=(0.01,))
    assert kinds([*good, *slow], source) >= {"bandwidths_disagree"}
    chance = np.random.default_rng(9)
    unlike = [
        s.model_copy(
            update={"ends_s": tuple(map(tuple, s.ends * chance.lognormal(0, 1, len(s.edges))))}
        )
        for s in good
    ]
    assert kinds(unlike, source) >= {"sharing_not_understood"}
    nobody = [s.model_copy(update={"alone_s": ()}) for s in good if len(s.edges) > 1]
    assert kinds(nobody, source) == {"bandwidth_not_alone"}


@pytest.mark.parametrize(
    ("samples", "said"),
    [
        (planted({"a": SMALL["fan-in-2"], "b": ((5, 4), (3, 4))}, "maxmin"), "same shape"),
        (planted(SMALL, "maxmin", lab=LATE), "could not keep up in any of the 12 graphs"),
        (planted({"single": SMALL["single"]}, "maxmin", ends_s=((0.0,),)), "ended after 0 s"),
    ],
)
def test_what_teaches_nothing_is_refused(samples, said: str, source: Path) -> None:
    with pytest.raises(InvalidInputError, match=said):
        fit_sharing(samples, source, rng())
