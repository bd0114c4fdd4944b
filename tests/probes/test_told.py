"""What samples tell of the cost of further ones."""

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from contend.measure.duration import LAUNCH_SECONDS, POINT_SECONDS
from contend.measure.probes.cost import REPETITIONS, cost_of, launch_seconds, repetitions
from contend.models.signature.prior import PRIOR
from contend.samples import Provenance, Sample
from support import synthesis

BEGIN = datetime(2026, 1, 1, tzinfo=UTC)


def launches(rest: float, count: int = 9, dilation: float = 1.0) -> list[Sample]:
    """Launches one after the other of two points each, with a break of an hour after the fifth."""
    now, found = BEGIN, []
    for number in range(count):
        provenance = Provenance(
            source="planted",
            date=now.isoformat(timespec="seconds"),
            command=("mpiexec",),
            time_dilation=dilation,
        )
        for m in (64, 128):
            times = (0.5, 0.6, 0.7)
            found.append(
                synthesis.sample(m, 4, times, warmup_s=(1.0,), launch=number, provenance=provenance)
            )
            now += timedelta(seconds=dilation * (sum(times) + 1.0 + 0.6) + POINT_SECONDS)
        now += timedelta(seconds=rest + 3600 * (number == 4))
    return found


@pytest.mark.parametrize("dilation", [1.0, 4.0])
@pytest.mark.parametrize("rest", [2.0, 30.0])
def test_the_time_between_launches_is_told_whatever_breaks_there_were(
    rest: float, dilation: float
) -> None:
    assert launch_seconds(launches(rest, dilation=dilation)) == pytest.approx(rest, abs=1.0)
    cost = cost_of(launches(rest, dilation=dilation))
    assert cost.slower == dilation
    assert "samples tell" in cost.source


def test_samples_of_another_operation_tell_as_much() -> None:
    others = [one.model_copy(update={"experiment": "bcast"}) for one in launches(2.0, dilation=4.0)]
    assert cost_of(others) == cost_of(launches(2.0, dilation=4.0))


def test_too_few_launches_tell_nothing() -> None:
    cost = cost_of(launches(5.0, count=3))
    assert cost.launch_seconds == LAUNCH_SECONDS
    assert cost.source == "as assumed"
    assert cost_of([]).repetitions == REPETITIONS


def test_the_median_of_the_repetitions_is_known_to_two_thirds_of_the_noise() -> None:
    """By simulation: the standard error of a median of so many."""
    rng = np.random.default_rng(4)
    for scatter in (0.1, 0.2):
        count = repetitions([scatter])
        medians = np.median(scatter * rng.standard_normal((4000, count)), axis=1)
        assert 0.53 * PRIOR.noise < medians.std() < 0.71 * PRIOR.noise
    assert repetitions([0.01]) == REPETITIONS


def test_repetitions_that_scatter_are_seen_in_the_samples() -> None:
    rng = np.random.default_rng(5)
    calm, wild = (
        [synthesis.sample(64, 4, synthesis.noisy(1e-3, rng, noise, 30)) for _ in range(5)]
        for noise in (0.02, 0.2)
    )
    assert cost_of(calm).repetitions == REPETITIONS
    assert 12 <= cost_of(wild).repetitions <= 50
