"""Machines with a planted fault have it named; a machine without one has nothing said of it."""

import re
from collections.abc import Callable, Sequence

import numpy as np
import pytest

from contend.models.explanation.case import Case, cases
from contend.models.explanation.finding import Finding, suspected
from contend.models.explanation.kinds.poor_algorithm import broken
from contend.models.explanation.message import Message, known_message
from contend.samples import Sample
from contend.schedules.pointtopoint import hockney
from support.synthesis import alltoall, pingpong, sample
from support.timeouts import Lossy

ALPHA, BETA = 4e-6, 1e-9
ALONE = Message(hockney.given(ALPHA, BETA), None, "planted")
SIZES = tuple(2**power for power in range(4, 21))
Times = Callable[[int, int], float]


def direct(n: int, m: int) -> float:
    """n-1 messages one after the other, without contention."""
    return (n - 1) * (ALPHA + BETA * m)


def measured(
    times: Times, counts: Sequence[int] = (16,), seed: int = 1, **fields: object
) -> list[Sample]:
    """Means of one launch, with noise of 2 %."""
    rng = np.random.default_rng(seed)
    return alltoall(counts, times, SIZES, rng, 0.02, statistic="mean", **fields)


def explained(samples: Sequence[Sample], message: Message = ALONE) -> tuple[Case, list[Finding]]:
    """The case at the largest n."""
    (case,) = cases(samples, message)
    return case, suspected(case)


def named(samples: Sequence[Sample], message: Message = ALONE) -> set[str]:
    return {one.kind for one in explained(samples, message)[1]}


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("counts", [(16,), (8, 16, 24, 32, 48, 64)])
@pytest.mark.parametrize("message", [ALONE, Message()])
def test_of_a_straight_machine_nothing_is_suspected(
    seed: int, counts: tuple[int, ...], message: Message
) -> None:
    assert named(measured(direct, counts, seed, processes_per_node=1), message) == set()


def poor(n: int, m: int) -> float:
    """A region that takes two and a half times as long as its neighbours."""
    return direct(n, m) * (2.5 if 2048 <= m <= 8192 else 1.0)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("message", [ALONE, Message()])
def test_a_region_with_a_poor_algorithm_is_named_with_its_sizes(
    seed: int, message: Message
) -> None:
    found = explained(measured(poor, seed=seed), message)[1]
    assert {one.kind for one in found} == {"poor algorithm"}
    assert 2048 <= found[0].sizes[0] <= found[-1].sizes[1] <= 8192
    best = 2.5 * direct(16, 2048) / (2 * direct(16, 1024))  # instead of the parts
    assert max(one.factor or 0 for one in found) == pytest.approx(best, rel=0.06)
    assert "measure library" in " ".join(each.command for each in found[0].tries)
    assert "--library LIBRARY " in found[0].tries[-1].command


def test_factors_of_rules_are_those_of_the_best_other_way() -> None:
    times = {64: 1.0, 128: 4.0, 256: 3.0}
    samples = [sample(m, 4, (t,)) for m, t in times.items()]
    (case,) = cases(samples, Message())
    factor, better = broken(case)
    assert factor.tolist() == [1.0 / 3.0, 2.0, 3.0 / 4.0]
    assert better == [
        "the longer 256 B", "2 times 64 B one after the other", "4 times 64 B one after the other",
    ]  # fmt: skip


def test_an_operation_slower_than_what_does_the_same_is_named() -> None:
    times = {"scatter": 1e-4, "allgather": 2e-4, "bcast": 9e-4}
    samples = [
        sample(m, 8, (t,), experiment=operation) for operation, t in times.items() for m in SIZES
    ]
    (case,) = [one for one in cases(samples, Message()) if one.operation == "bcast"]
    (one,) = suspected(case)
    assert (one.kind, one.factor) == ("poor algorithm", pytest.approx(3.0, rel=0.1))
    assert "a scatter and an all-gather" in one.sentence


def test_a_default_slower_than_another_algorithm_of_the_library_is_named_with_it() -> None:
    samples = [
        sample(m, 8, (t,), experiment="bcast", algorithm=algorithm)
        for algorithm, t in (("native", 2e-4), ("openmpi:chain", 1e-4), ("openmpi:binomial", 3e-4))
        for m in (1024, 2048)
    ]
    found = {one.algorithm: suspected(one) for one in cases(samples, Message())}
    assert found["openmpi:chain"] == found["openmpi:binomial"] == []
    (one,) = found["native"]
    assert one.factor == pytest.approx(2.0)
    assert "2.0 times as long as by openmpi:chain" in one.sentence


def lossy(n: int, m: int) -> float:
    """From 64 KiB on one of twenty repetitions waits 200 ms."""
    return direct(n, m) + (0.01 if m >= 65536 else 0.0)


@pytest.mark.parametrize("seed", range(5))
def test_a_step_of_milliseconds_in_means_may_be_time_outs(seed: int) -> None:
    one, *others = explained(measured(lossy, seed=seed), Message())[1]
    assert one.kind == "time-outs"
    assert one.sizes[0] == 65536
    share = re.search(r"200 ms in (\S+) %", one.sentence)
    assert share is not None
    assert float(share[1]) == pytest.approx(5.0, rel=0.1)
    assert not {other.kind for other in others} & {"poor algorithm", "level jump"}


def test_means_of_a_network_that_is_faster_than_tcp_are_not_asked_for_time_outs() -> None:
    assert "time-outs" not in named(measured(lossy), ALONE)


def test_repetitions_that_wait_are_told_with_what_a_wait_costs_and_how_many() -> None:
    samples = Lossy(half=8192.0).samples(np.random.default_rng(3), experiment="alltoall")
    case, (one, *_) = explained(samples, Message())
    assert one.kind == "time-outs"
    assert "200 ms longer" in one.sentence or "201 ms longer" in one.sentence
    assert case.has_repetitions
    assert "time-outs" not in named(Lossy(half=1e12).samples(np.random.default_rng(3)))


def crowded(n: int, m: int) -> float:
    """Nodes of 24 whose card is as fast as one process."""
    remote = max(n - 24, 0)
    return max(remote * (ALPHA + BETA * m), 24 * remote * BETA * m) + 23 * (1e-6 + BETA * m / 5)


@pytest.mark.parametrize("card", [None, BETA])
def test_processes_that_share_a_card_are_named_with_its_rate(card: float | None) -> None:
    message = Message(ALONE.hockney, card, "planted")
    case, found = explained(measured(crowded, (48,), processes_per_node=24), message)
    (one,) = [one for one in found if one.kind == "shared network card"]
    assert one.sizes[1] == SIZES[-1]
    assert "24 processes of a node" in one.sentence
    assert case.card_rate[-1] * BETA == pytest.approx(1.0, rel=0.1)
    assert "--ppn 12" in one.tries[0].command


def test_a_card_that_is_not_full_is_not_blamed() -> None:
    def idle(n: int, m: int) -> float:
        return (n - 1) * (ALPHA + 30 * BETA * m)

    message = Message(ALONE.hockney, BETA / 4, "planted")
    assert "shared network card" not in named(measured(idle, (48,), processes_per_node=4), message)


def test_a_byte_that_costs_more_than_alone_is_contention() -> None:
    def contended(n: int, m: int) -> float:
        return (n - 1) * (ALPHA + 2.4 * BETA * m)

    (one,) = explained(measured(contended))[1]
    assert one.kind == "contention"
    assert one.factor == pytest.approx(2.4, rel=0.1)
    assert named(measured(contended), Message()) == set()


def test_saturation_over_n_is_named_beyond_the_n_it_sets_in_at() -> None:
    def saturating(n: int, m: int) -> float:
        return (n - 1) * (ALPHA + BETA * m * max(1.0, n / 24))

    samples = measured(saturating, (8, 16, 24, 32, 48, 64), processes_per_node=1)
    assert "saturation" in named(samples)
    (case,) = cases(samples, ALONE, n=16)
    assert suspected(case) == []


def test_powers_of_two_are_named_where_they_are_the_slower_ones() -> None:
    def even(n: int, m: int) -> float:
        return direct(n, m) * (1.6 if n & (n - 1) == 0 else 1.0)

    samples = measured(even, (8, 12, 16, 24, 32, 48), processes_per_node=1)
    for n, is_slower in ((32, True), (48, False)):
        (case,) = cases(samples, ALONE, n=n)
        assert ("powers of two" in {one.kind for one in suspected(case)}) == is_slower


def test_an_n_that_stands_out_is_named_with_its_remedy_and_is_no_contention() -> None:
    def outlier(n: int, m: int) -> float:
        return direct(n, m) * (1.6 if n == 24 else 1.0)

    samples = measured(outlier, (8, 12, 16, 24, 32, 48), processes_per_node=1)
    (case,) = cases(samples, ALONE, n=24)
    (found,) = suspected(case)
    assert (found.kind, found.factor) == ("outlier n", pytest.approx(1.6, rel=0.1))
    assert "-n 24" in found.tries[0].command
    (case,) = cases(samples, ALONE, n=32)
    assert suspected(case) == []


def test_an_odd_size_is_named_alone() -> None:
    def odd(n: int, m: int) -> float:
        return direct(n, m) * (1.6 if m == 4096 else 1.0)

    found = explained(measured(odd, (8, 16, 32), processes_per_node=1))[1]
    assert {one.sizes for one in found} == {(4096, 4096)}


def test_a_step_up_that_no_rule_breaks_is_told_as_a_step() -> None:
    def jump(n: int, m: int) -> float:
        return (n - 1) * (ALPHA * (2.0 if m >= 1024 else 1.0) + BETA * m)

    found = explained(measured(jump, (8, 16, 32), processes_per_node=1))[1]
    assert [one.kind for one in found] == ["level jump"]
    assert found[0].sizes[0] == 1024


def test_ping_pongs_beside_tell_the_bound() -> None:
    samples = [*measured(direct), *pingpong(ALPHA, BETA)]
    message = known_message(samples, None)
    assert message.hockney is not None
    case, found = explained(samples, message)
    assert found == []
    assert np.asarray(case.rows["lost"]) == pytest.approx(np.ones(len(SIZES)), rel=0.08)
