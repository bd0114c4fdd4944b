"""The parameters of links that are known come back from what is measured over them."""

import numpy as np
import pytest

from contend.base.errors import InvalidInputError
from contend.models.links.experiments import LEAST_BURST
from contend.models.links.fit import fit_links
from contend.models.links.text import link_rows
from contend.samples.lab import LabConditions
from support.links import Truth, measured, ranks_of


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "links.jsonl"
    path.write_text("")
    return path


@pytest.mark.parametrize("sizes", [(8, 8), (5, 12), (2, 4, 4)])
def test_what_was_planted_is_found(sizes, source):
    truth = Truth(latency=2e-3, bandwidth=6e6)
    (found,) = fit_links(measured(truth, ranks_of(sizes)), source)
    assert [group.hosts for group in found.groups] == list(sizes)
    pairs = len(sizes) * (len(sizes) - 1)
    assert len(found.ways) == pairs
    near, far = truth.near + truth.overhead, truth.latency + truth.overhead
    assert float(found.latency) == pytest.approx(far, rel=1e-3)
    assert float(found.bandwidth) == pytest.approx(truth.bandwidth, rel=0.03)
    assert float(found.inside_latency) == pytest.approx(near, rel=0.03)
    assert float(found.inside_bandwidth) == pytest.approx(truth.rate, rel=1e-3)
    assert float(found.timeout) == pytest.approx(truth.timeout, rel=0.03)
    assert float(found.inside.gap_at(1024)) == pytest.approx(truth.overhead + 1024 / truth.rate)
    assert float(found.between.latency_at(8)) == pytest.approx(truth.latency)
    assert all(way.is_saturated for way in found.ways)


@pytest.mark.parametrize("buffer", [16384.0, 32768.0, 131072.0])
def test_the_buffer_lies_between_the_two_bursts_beside_it(buffer, source):
    (found,) = fit_links(measured(Truth(buffer=buffer)), source)
    for way in found.ways:
        kept = 1 - float(way.bandwidth) / (8 * float(found.inside_bandwidth))
        assert way.clean_bytes * kept <= 1.05 * buffer
        assert way.lossy_bytes * kept >= 0.95 * buffer
        assert buffer / 1.5 < float(way.buffer) < 1.5 * buffer


def test_a_link_that_loses_nothing_has_no_buffer(source):
    (found,) = fit_links(measured(Truth(buffer=np.inf)), source)
    assert found.buffer is None
    assert found.timeout is None
    assert found.clean_bytes == found.volumes_seen[1] == 2**20


def test_a_link_that_the_senders_do_not_fill_is_told(source):
    (found,) = fit_links(measured(Truth(bandwidth=1e9, buffer=np.inf)), source)
    assert not any(way.is_saturated for way in found.ways)
    assert "not_saturated" in {warning.kind for warning in found.warnings}


def test_groups_of_one_host_have_no_inside(source):
    (found,) = fit_links(measured(Truth(bandwidth=3e6), ranks_of((1, 1))), source)
    assert found.inside is found.inside_latency is found.inside_bandwidth is None


def test_one_launch_has_no_bounds_and_says_so(source):
    (found,) = fit_links(measured(launches=1), source)
    assert found.bandwidth.low is None
    assert {warning.kind for warning in found.warnings} == {"one_launch"}


def test_bounds_hold_the_truth_as_often_as_they_say(source):
    truth, held, widths = Truth(), [], []
    for seed in range(12):
        samples = measured(
            truth, ranks_of((2, 2)), 4, spread=0.05, noise=0.005, seed=seed, repetitions=5,
            most=2**17,
        )  # fmt: skip
        (found,) = fit_links(samples, source)
        near, far = truth.near + truth.overhead, truth.latency + truth.overhead
        for quantity, true in (
            (found.ways[0].latency, far), (found.ways[0].bandwidth, truth.bandwidth),
            (found.inside_latency, near), (found.inside_bandwidth, truth.rate),
        ):  # fmt: skip
            held.append(quantity.low <= true <= quantity.high)
            widths.append(quantity.high / quantity.low)
    assert np.mean(held) >= 0.85  # 45.6 of 48 are due, and 41 or more in 98 % of all cases
    assert np.median(widths) < 1.3  # of launches that differ by 5 %


def test_disturbed_samples_are_left_out_and_nothing_is_made_of_them_alone(source):
    late = LabConditions.from_counters({"frames": 10, "late_ns": 10**9})
    samples = measured(launches=2)
    wrong = samples[0].model_copy(
        update={"lab": late, "times_s": tuple((9.0,) for _ in samples[0].times_s)}
    )
    (found,) = fit_links([wrong, *samples[1:]], source)
    assert "flagged_left_out" in {warning.kind for warning in found.warnings}
    assert float(found.inside_latency) < 1e-3
    again, *_ = fit_links([wrong, *samples], source)
    assert "flagged_left_out" not in {warning.kind for warning in again.warnings}
    with pytest.raises(InvalidInputError, match="could not keep up in any"):
        fit_links([wrong], source)


def test_what_is_missing_is_named(source):
    samples = measured()
    for experiment in ("pingpong", "train", "burst"):
        left = [one for one in samples if one.experiment != experiment]
        with pytest.raises(InvalidInputError, match=f"no {experiment} between the groups"):
            fit_links(left, source)


def late(samples, is_late):
    """The samples, those flagged in which the emulated network is to have been late."""
    lab = LabConditions.from_counters({"frames": 10, "late_ns": 10**9})
    return [one.model_copy(update={"lab": lab}) if is_late(one) else one for one in samples]


def test_what_is_left_out_is_counted_by_level_and_a_whole_way_is_told(source):
    inner = [one.model_copy(update={"level": "node"}) for one in measured(launches=2)]
    one_way = [one for one in inner if (one.experiment, one.source) == ("burst", "b")]
    samples = [*measured(launches=2), *late(inner, lambda one: one in one_way)]
    outer, node = fit_links(samples, source)
    assert outer.warnings == ()
    assert [way.title for way in node.ways] == ["a > b"]
    points, way = node.warnings
    assert points.message.startswith(f"{len(one_way)} points")
    assert (way.kind, way.where) == ("flagged_left_out", "links (node), b > a")


def test_an_inside_that_is_not_known_is_told(source):
    samples = late(
        measured(ranks=ranks_of((2, 2)), launches=2),
        lambda one: one.is_inside and one.experiment == "train",
    )
    (found,) = fit_links(samples, source)
    assert found.inside is found.inside_bandwidth is None
    assert ("not_fitted", "links (cluster), inside") in {
        (one.kind, one.where) for one in found.warnings
    }


def test_a_level_that_was_disturbed_as_a_whole_does_not_disappear(source):
    inner = [one.model_copy(update={"level": "node"}) for one in measured()]
    samples = [*measured(), *late(inner, lambda one: True)]
    with pytest.raises(InvalidInputError, match=r"any of the .* samples of level 'node'"):
        fit_links(samples, source)
    assert len(fit_links(samples, source, include_flagged=True)) == 2


def test_hosts_that_moved_between_groups_are_refused(source):
    samples = measured()
    moved = ("b", *samples[-1].groups[1:])
    samples[-1] = samples[-1].model_copy(update={"groups": moved})
    with pytest.raises(InvalidInputError, match=r"'cluster' .* 'a0' in group 'a', .* in 'b'"):
        fit_links(samples, source)


def test_a_way_without_its_ping_pongs_is_named(source):
    samples = late(
        measured(ranks=ranks_of((2, 2, 2)), launches=1),
        lambda one: (one.experiment, one.source, one.destination) == ("pingpong", "a", "c"),
    )
    with pytest.raises(InvalidInputError, match=r"links \(cluster\), a > c: no ping-pong of 8 B"):
        fit_links(samples, source)


def test_a_way_with_too_few_bursts_is_named(source):
    with pytest.raises(InvalidInputError, match=r"links \(cluster\), a > b: .* bursts of 3 sizes"):
        fit_links(measured(most=8192), source)
    assert fit_links(measured(most=LEAST_BURST), source)


def test_messages_without_a_gap_have_no_bandwidth_inside(source):
    (usual,) = fit_links(measured(), source)
    samples = [
        one.model_copy(update={"times_s": ((50e-6,) * len(one.edges),) * 3})
        if one.is_inside and one.experiment != "burst"
        else one
        for one in measured()
    ]
    (found,) = fit_links(samples, source)
    assert found.inside_bandwidth is None
    assert float(found.inside_latency) == pytest.approx(50e-6)
    assert found.inside.gap.array.tolist() == [0.0] * 4
    assert float(found.bandwidth) == float(usual.bandwidth)
    inside = [row for row in link_rows([found]) if row["link"] == "inside a group"]
    assert [row["bandwidth"] for row in inside] == ["–"]


def test_other_hosts_are_refused(source):
    with pytest.raises(InvalidInputError, match="different hosts"):
        fit_links([*measured(), *measured(ranks=ranks_of((2, 2)))], source)
