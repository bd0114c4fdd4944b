"""What is planted in measured graphs is learnt from them: parameters, models, errors, doubts."""

import json
from pathlib import Path

import numpy as np
import pytest

from contend.base.document import from_object
from contend.base.errors import InvalidInputError
from contend.base.statistics.launches import OVER_LAUNCHES, WITHIN_LAUNCH
from contend.models.network import Network
from contend.samples.lab import LabConditions
from contend.simulate.graphs import comparison
from contend.simulate.graphs.fit import fit_sharing
from contend.simulate.graphs.measurements import MeasuredGraph, bandwidth_alone, measured_graphs
from contend.simulate.graphs.parameters import ModelFit, Observations, fit, with_bounds
from contend.simulate.graphs.record import FittedSharing
from contend.simulate.graphs.repeats import bounds_by
from support.graphs import BANDWIDTH, SIZE, SMALL, Edges, launched, planted, random_graphs

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
    samples = launched(graphs, "penalty3", true, rng(3), launches=4, spread=0.02)
    found = bounded(samples, "penalty3")
    for name, value in true.items():
        low, high = found.bounds[name]
        assert found.parameters[name] == pytest.approx(value, rel=0.03)
        assert low <= value <= high
        assert high - low < 0.15 * value


def bounded(samples, model: str) -> ModelFit:
    seen = observations(samples)
    return with_bounds(seen, fit(seen, model, rng()), bandwidth_alone(samples), bounds_by(samples))


def test_one_graph_that_stalled_does_not_decide() -> None:
    samples = planted(random_graphs(40, rng(2)), "penalty3", TRUE)
    stalled = samples[20].model_copy(
        update={"times_s": tuple(tuple(5 * e for e in ends) for ends in samples[20].times_s)}
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
    found = bounded(launched(graphs, "penalty3", TRUE, rng(), spread=0.001), "penalty3")
    expected = {"beta_e": 0.965, "beta_s": 0.8, "gamma": 1.35}
    assert found.parameters == pytest.approx(expected, rel=0.01)
    assert found.bounds.keys() == {"beta_s"}
    assert found.undetermined == ("beta_e", "gamma")


def test_parameters_that_only_their_product_matters_of_have_no_bounds() -> None:
    """Every source of several messages meets a crowd, so that gamma is in all of its penalties."""
    graphs: dict[str, Edges] = {"single": SMALL["single"]}
    dense: dict[str, Edges] = {
        f"dense-{k}": tuple((0, d) for d in range(1, k + 1))
        + tuple((s, d) for s in (9, 10) for d in range(1, k + 1))
        for k in (2, 3)
    }
    found = bounded(
        launched(
            graphs | dense,
            "penalty3",
            {"beta_e": 0.1, "beta_s": 0.9, "gamma": 2.0},
            rng(),
            spread=0.01,
        ),
        "penalty3",
    )
    assert {"beta_s", "gamma"} <= set(found.undetermined)
    assert not {"beta_s", "gamma"} & found.bounds.keys()


def test_a_launch_counts_once_however_many_graphs_hold_its_message_alone() -> None:
    single = {"single": SMALL["single"]}
    samples = [
        planted(single, "maxmin", alone_s=(seconds,), times_s=((seconds,),), launch=launch)[0]
        for launch, seconds in enumerate((0.1, 0.2, 0.2))
    ]
    copies = [
        samples[0].model_copy(
            update={"graph": f"copy {i}", "edges": ((0, 1), (0, 2)), "times_s": ((0.2, 0.2),)}
        )
        for i in range(15)
    ]
    found = bandwidth_alone([*samples, *copies])
    assert found is not None
    assert found.value == pytest.approx(SIZE / 0.2 * 2 ** (1 / 3))
    assert found.quantity.bounds == OVER_LAUNCHES
    assert found.quantity == bandwidth_alone(samples).quantity


def test_of_one_launch_the_bounds_are_within_it_and_say_so() -> None:
    single = {"single": SMALL["single"]}
    seconds = tuple(0.1 * np.exp(0.01 * rng().standard_normal(9)))
    found = bandwidth_alone(planted(single, "maxmin", alone_s=seconds, times_s=((0.1,),) * 9))
    assert found is not None
    assert found.quantity.bounds == WITHIN_LAUNCH
    few = bandwidth_alone(planted(single, "maxmin", alone_s=seconds[:3], times_s=((0.1,),) * 3))
    assert few is not None
    assert (few.quantity.low, few.quantity.bounds) == (None, None)


def test_the_error_of_a_graph_is_the_average_over_its_messages() -> None:
    graph = MeasuredGraph(
        "g", ((0, 1), (2, 3)), 100, np.array([[1.0, 2.0], [1.0, 4.0], [1.0, 2.0]]), np.zeros(3)
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
    samples = launched(random_graphs(30, rng(2)), model, parameters, rng(4), spread=0.005)
    found = fit_sharing(samples, source, rng())
    assert found.fallback == model
    assert found.by_name(model).errors.average < 0.02
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
        found.by_name("oracle")


def disturbed(samples, spread: float):
    """Each message slower or faster by a factor of its own, the same in all launches."""

    def own(sample) -> np.ndarray:
        chance = np.random.default_rng(abs(hash(sample.edges)) % 2**32)
        return chance.lognormal(0, spread, len(sample.edges))

    return [s.model_copy(update={"times_s": tuple(map(tuple, s.times * own(s)))}) for s in samples]


def kinds(samples, source: Path, **options: bool) -> set[str]:
    return {warning.kind for warning in fit_sharing(samples, source, rng(), **options).warnings}


def test_each_doubt_is_raised_by_what_causes_it(source: Path) -> None:
    graphs = random_graphs(6, rng(2), most_edges=4)
    good = launched(graphs, "maxmin", None, rng(4), spread=0.005, repetitions=12)
    assert kinds(good, source) == set()
    assert kinds(good[:6], source) >= {"few_graphs", "parameter_not_seen", "one_launch"}
    flagged = [sample.model_copy(update={"lab": LATE}) for sample in good[:5]]
    assert kinds([*good[5:], *flagged], source) == {"flagged_left_out"}
    assert "flagged_left_out" not in kinds([*good[5:], *flagged], source, include_flagged=True)
    late = good[3].model_copy(update={"late_starts": 3})
    assert kinds([*good, late], source) == {"late_starts"}
    apart = good[3].model_copy(update={"start_skew_s": 0.5 * float(good[3].times.max())})
    assert kinds([*good, apart], source) == {"clocks_apart"}
    slow = planted({"single": SMALL["single"]}, "maxmin", m=1024, alone_s=(0.01,))
    assert kinds([*good, *slow], source) >= {"bandwidths_disagree"}
    assert kinds(disturbed(good, 0.4), source) >= {"sharing_not_understood"}
    assert kinds(disturbed(good, 2.0), source) >= {"sharing_unusable"}
    nobody = [s.model_copy(update={"alone_s": ()}) for s in good if len(s.edges) > 1]
    assert kinds(nobody, source) == {"bandwidth_not_alone"}


@pytest.mark.parametrize(
    ("samples", "said"),
    [
        (planted({"a": SMALL["fan-in-2"], "b": ((5, 4), (3, 4))}, "maxmin"), "same shape"),
        (planted(SMALL, "maxmin", lab=LATE), "could not keep up in any of the 12 graphs"),
    ],
)
def test_what_teaches_nothing_is_refused(samples, said: str, source: Path) -> None:
    with pytest.raises(InvalidInputError, match=said):
        fit_sharing(samples, source, rng())


def test_graphs_that_share_a_name_are_compared_each() -> None:
    """As random ones of two seeds do, which are all named random-1, random-2 and so on."""
    again = {"fan-out-2": ((5, 6), (5, 7), (8, 7))}
    samples = planted(SMALL, "maxmin") + planted(again, "maxmin")
    rows = comparison.cross_validated(measured_graphs(samples), BANDWIDTH, rng())
    of_model = rows[rows["model"] == "maxmin"]
    assert len(of_model) == len(SMALL) + 1
    assert (of_model["graph"] == "fan-out-2").sum() == 2
