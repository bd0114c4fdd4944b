"""Series under several conditions are fitted, predicted and judged each by itself."""

from pathlib import Path

import numpy as np
import pytest
from benchmarks.against_all import against_all
from hypothesis import given, settings
from hypothesis import strategies as st

from contend.models.changes.samples import sample_changes
from contend.models.explanation.case import cases
from contend.models.explanation.message import known_message
from contend.models.fitting.estimator import FitOptions
from contend.models.fitting.estimators.schedules import Schedules
from contend.models.fitting.fit import fit_network
from contend.models.fitting.over_launches import Repeats
from contend.models.network import Network
from contend.models.prediction import validate
from contend.models.prediction.predict import predict
from contend.models.signature import PointToPoint
from contend.samples import Sample
from contend.samples.origin import Unsaved
from contend.samples.setting import conditions_text, nearest, setting_of, split_conditions
from contend.tune.choose.compare import compare as compare_schedules
from contend.tune.choose.decide import decide
from support.synthesis import alltoall, pingpong, plogp, sample

CUDA, MANAGED = {"memory": "cuda"}, {"memory": "managed"}
SIZES = (64, 512, 4096, 32768)
ALPHA, BETA = 1e-5, 1e-9
SOURCE = Unsaved("Python", b"")


def under(conditions: dict[str, str] | None, samples: list[Sample]) -> list[Sample]:
    return [one.model_copy(update={"conditions": conditions}) for one in samples]


def machine(times: float = 1.0, **fields: object) -> list[Sample]:
    """A ping-pong, trains and an all-to-all of gamma 2, all so many times as long."""
    exchange = alltoall((4, 8), lambda n, m: (n - 1) * times * (ALPHA + 2 * BETA * m), SIZES)
    overhead = 2e-6 * times
    trains = plogp(
        4e-6 * times, lambda m: times * (6e-6 + BETA * m),
        (lambda m: overhead, lambda m: overhead), (0, *SIZES),
    )  # fmt: skip
    return [*pingpong(times * ALPHA, times * BETA, SIZES), *trains, *exchange]


def fit(samples: list[Sample], **options: object) -> Network:
    return fit_network(samples, SOURCE, FitOptions(**options))  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def both() -> Network:
    return fit([*machine(), *under(CUDA, machine(7.0))])


def test_each_exchange_is_held_against_messages_of_its_own_memory(both: Network) -> None:
    assert [level.name for level in both.levels] == ["all", "all@memory=cuda"]
    assert [one.algorithm for one in both.operations] == ["native", "native@memory=cuda"]
    for operation, times in zip(both.operations, (1.0, 7.0), strict=True):
        known = both.messages(operation.algorithm)
        assert known.hockney is not None and known.plogp is not None
        assert float(known.hockney.alpha) == pytest.approx(times * ALPHA, rel=1e-6)
        assert float(known.plogp.latency) == pytest.approx(times * 4e-6, rel=1e-6)
        fitted = operation.forms["hockney_2007"].parameters
        assert float(fitted["beta"]) == pytest.approx(times * BETA, rel=1e-6)
        assert float(fitted["gamma"]) == pytest.approx(2.0, rel=1e-6)
        row = predict(both, operation, [8], [4096]).iloc[0]
        assert row["lower_bound"] == pytest.approx(7 * times * (ALPHA + 4096 * BETA), rel=1e-6)
    assert both.point_to_point == both.messages("native")
    assert not [one for one in both.warnings if one.kind == "other_conditions"]


def test_what_is_left_open_is_the_default(both: Network) -> None:
    assert both.find("alltoall").algorithm == "native"
    assert both.find("alltoall", "native").algorithm == "native"
    assert both.find("alltoall", "native@memory=cuda").algorithm == "native@memory=cuda"
    assert both.under_others(both.find("alltoall")) == ["native@memory=cuda"]
    assert {rule.operation for rule in decide(both).rules} == {"alltoall"}


def test_the_only_conditions_there_are_need_no_name() -> None:
    plain, cuda = fit(machine()), fit(under(CUDA, machine()))
    found = cuda.find("alltoall")
    assert found == cuda.find("alltoall", "native")
    assert cuda.point_to_point == plain.point_to_point
    assert cuda.parameters("bcast") == plain.parameters("bcast")
    times = [predict(one, one.find("alltoall"), [16], SIZES)["seconds"] for one in (plain, cuda)]
    assert times[0].tolist() == times[1].tolist()
    judged = validate.record(fit(under(CUDA, machine()), n_fit=8), under(CUDA, machine(1.1)))
    assert judged.find("alltoall").validation
    assert [one.default.algorithm for one in _contests(cuda)] == ["native@memory=cuda"]


def _contests(network: Network) -> list:
    from contend.tune.choose.rivals import contests

    return list(contests(network))


def test_an_exchange_beside_messages_of_another_memory_is_warned_of() -> None:
    messages = [one for one in machine() if one.experiment != "alltoall"]
    exchange = under(CUDA, [one for one in machine(3.0) if one.experiment == "alltoall"])
    (said,) = [w for w in fit([*messages, *exchange]).warnings if w.kind == "other_conditions"]
    assert said.where == "alltoall/native@memory=cuda"
    assert "memory=cuda" in said.hint
    of_int = under({"datatype": "MPI_INT"}, exchange)
    network = fit([*messages, *of_int])
    assert not [one for one in network.warnings if one.kind == "other_conditions"]


def test_merging_another_memory_replaces_nothing(both: Network, tmp_path: Path) -> None:
    path = tmp_path / "network.json"
    fit(machine()).merge_into(path)
    merged = fit(under(CUDA, machine(7.0))).merge_into(path)
    assert not merged.replaced
    assert merged.network.operations == both.operations
    assert merged.network.levels == both.levels


def test_gains_are_over_the_default_of_the_same_conditions() -> None:
    def launches(algorithm: str, seconds: float, conditions: dict[str, str] | None) -> list[Sample]:
        times = lambda n, m: seconds * (n - 1) * (1 + m / 1e4)  # noqa: E731
        fields = {"algorithm": algorithm, "processes_per_node": 1, "conditions": conditions}
        return [
            one
            for launch in range(3)
            for one in alltoall((4, 8), times, SIZES, launch=launch, **fields)
        ]

    network = fit([
        *launches("native", 1.0, None), *launches("openmpi:ring", 0.5, None),
        *launches("native", 9.0, CUDA), *launches("openmpi:ring", 3.0, CUDA),
    ])  # fmt: skip
    gains = {one.algorithm: one.gains for one in network.operations}
    assert np.allclose(gains["openmpi:ring"].gain, 2.0)
    assert np.allclose(gains["openmpi:ring@memory=cuda"].gain, 3.0)
    (contest,) = _contests(network)
    assert [one.setting for one in contest.rivals] == ["openmpi:ring"]


def test_algorithms_are_compared_with_those_of_the_same_conditions(both: Network) -> None:
    def run(algorithm: str, seconds: float, conditions: dict[str, str] | None) -> list[Sample]:
        return [sample(m, 4, (seconds * (1 + m),), experiment="bcast", algorithm=algorithm,
                       conditions=conditions) for m in SIZES]  # fmt: skip

    samples = [*run("binomial", 1.0, None), *run("binomial", 5.0, CUDA), *run("flat", 2.0, None)]
    rows = compare_schedules(both.parameters, samples)
    times = {
        (row.algorithm, row.conditions): row.measured for row in rows[rows["m"] == 64].itertuples()
    }
    assert times == {("binomial", ""): 65, ("binomial", "memory=cuda"): 325, ("flat", ""): 130}
    best = against_all(rows, samples)
    assert set(best.loc[best["conditions"] == "memory=cuda", "regret"]) == {1.0}
    fitted = Schedules().fit(samples, SOURCE, FitOptions())
    alone = Schedules().fit([one for one in samples if not one.conditions], SOURCE, FitOptions())
    assert fitted.schedules == alone.schedules
    (said,) = fitted.warnings
    assert "bcast/binomial@memory=cuda" in said.message


def test_changes_are_of_the_same_conditions() -> None:
    old, new = [machine(), under(CUDA, machine(7.0))], [machine(2.0), under(MANAGED, machine(3.0))]
    found = sample_changes([*old[0], *old[1]], [*new[0], *new[1]])
    assert set(np.round(found.rows["ratio"], 6)) == {2.0}
    sides = (found.only_old, found.only_new)
    assert [{point.series.algorithm.partition("@")[2] for point in side} for side in sides] == [
        {"memory=cuda"}, {"memory=managed"},
    ]  # fmt: skip


SETS = (None, CUDA, MANAGED, {"datatype": "MPI_INT"}, {"datatype": "MPI_INT", "memory": "cuda"})


@settings(max_examples=12)
@given(
    st.lists(st.sampled_from(range(len(SETS))), min_size=2, max_size=4, unique=True),
    st.lists(st.sampled_from(range(len(SETS))), min_size=1, max_size=3, unique=True),
    st.integers(1, 2),
)
def test_no_point_is_of_two_conditions(
    exchanges: list[int], sent: list[int], launches: int
) -> None:
    def times(place: int) -> float:
        return 10.0 ** (place - 6)  # no mean of two is a third

    samples = [
        one.model_copy(update={"launch": launch})
        for launch in range(launches)
        for place in exchanges
        for one in under(SETS[place], alltoall((4, 8), lambda n, m: n * m * times(place), SIZES))  # noqa: B023
    ]
    for place in sent:
        samples += under(SETS[place], pingpong(times(place), times(place) / 100, SIZES))
    network = fit(samples)
    seconds = {setting_of("native", None, SETS[place]): times(place) for place in exchanges}
    assert {one.algorithm for one in network.operations} == {*seconds}
    for operation in network.operations:
        own = seconds[operation.algorithm]
        known = operation.measured
        assert known is not None
        assert np.allclose(known.seconds, own * np.array(known.n) * np.array(known.m))
        rows = validate.measured(operation, samples)
        assert np.allclose(rows["seconds"], own * rows["n"] * rows["m"])
    lines = {level.conditions: level.hockney for level in network.levels}
    assert {*lines} == {conditions_text(SETS[place]) for place in sent}
    for place in sent:
        line = lines[conditions_text(SETS[place])]
        assert line is not None and float(line.alpha) == pytest.approx(times(place), rel=1e-6)
    found = cases(samples, known_message(samples, None))
    assert {one.algorithm for one in found} == {*seconds}
    for case in found:
        assert np.allclose(case.seconds, seconds[case.algorithm] * case.n * case.sizes)
        assert case.message.hockney is not None
        alpha = float(case.message.hockney.alpha)
        closest = lines[nearest(split_conditions(case.algorithm)[1], lines)]
        assert closest is not None and alpha == pytest.approx(float(closest.alpha), rel=1e-6)


def test_messages_within_a_node_are_doubted_under_the_conditions_that_they_were_sent_under() -> (
    None
):
    """Host memory between nodes, device memory within one, and an exchange over several."""
    exchange = [
        one.model_copy(update={"processes_per_node": 2})
        for one in machine()
        if one.experiment == "alltoall"
    ]

    def sent(per_node: int) -> list[Sample]:
        return [
            one.model_copy(update={"processes_per_node": per_node})
            for one in pingpong(ALPHA, BETA, SIZES)
        ]

    found = fit([*sent(1), *under(CUDA, sent(2)), *exchange])
    within = [one.where for one in found.warnings if one.kind == "message_within_node"]
    assert within == ["pingpong@memory=cuda"]


def test_launches_are_counted_under_each_of_several_conditions() -> None:
    """Those of a later job go on counting: each has its own first launch all the same."""

    def launched(first: int) -> list[Sample]:
        return [
            one.model_copy(update={"launch": first + launch})
            for launch in range(2)
            for one in pingpong(ALPHA, BETA, SIZES)
        ]

    samples = [*launched(0), *under(CUDA, launched(2))]
    repeats = Repeats(samples, lambda some, step: (PointToPoint(), []))
    assert repeats.launches("pingpong") == (0, 1)
    assert repeats.launches("pingpong", conditions="memory=cuda") == (0, 1)
    assert len(repeats.samples((0,))) == 2 * len(SIZES)
