"""What a campaign over links measures when it goes on: what lacks, and with the same groups."""

from contextlib import contextmanager
from functools import cache

import numpy as np
import pytest

from contend.alltoall.clusters.groups import Groups, Level
from contend.base.errors import InvalidInputError
from contend.base.records import RecordStore
from contend.measure.command import LaunchOptions
from contend.measure.links import Extent, LinkCampaign, levels_of
from contend.measure.runner import Runner
from contend.models.links.experiments import burst_sizes, bursts, single_pairs
from contend.samples import Provenance
from contend.samples.lab import LabConditions
from contend.samples.messages import OF_LINKS, MessageSample, read_messages
from support.links import Truth, measured, ranks_of

TRUTH = Truth(buffer=8192.0)  # so that bursts get lost
EXTENT = Extent(launches=2, most=2**16, sizes=(8, 1024))
RANKS = ranks_of((3, 3, 3))
LATE = LabConditions.from_counters({"frames": 10, "late_ns": 10**9})


def by_letter(hosts):
    return Groups((Level.of("cluster", [host[0] for host in hosts]),))


@cache
def planted():
    """Samples by their points."""
    return {one.point: one for one in measured(TRUTH, RANKS, 2, most=EXTENT.most)}


class Rehearsed(LinkCampaign):
    """A campaign whose launches take their points from planted links."""

    launches: list

    @contextmanager
    def _points(self, measurements, sizes, title):
        self.launches.append(sorted((one.title, m) for one in measurements for m in sizes))
        yield self._planted(measurements, sizes, int(title.rpartition(" ")[2]))

    def _planted(self, measurements, sizes, launch):
        provenance = Provenance(source="planted")
        for m in sizes:
            for one in measurements:
                ends = planted().get((one, m, launch))
                times = ends.times if ends else np.full((3, len(one.edges)), 1.0)
                if one.experiment == "pingpong":  # began at 0 and came back after two ways
                    times = np.dstack([0 * times, 2 * times]).reshape(len(times), -1)
                yield one, {"m": m, "part_ends_s": times}, provenance


@pytest.fixture(scope="module")
def campaign(tmp_path_factory):
    """A campaign that goes on with these samples."""
    stores, folder = [], tmp_path_factory.mktemp("links")

    def start(samples=(), grouped=by_letter, report=None):
        stores.append(store := RecordStore(MessageSample, folder / f"links{len(stores)}.jsonl"))
        store.extend(samples)
        runner = Runner(None, LaunchOptions(), report)
        found = Rehearsed(runner, store, len(RANKS.hosts), grouped)
        found.launches, found._hosts = [], RANKS.hosts
        return found

    yield start
    for store in stores:
        store.close()


@pytest.fixture(scope="module")
def whole(campaign):
    """All samples of a campaign that was not stopped."""
    first = campaign()
    assert first.carry_out(EXTENT) == len(first.samples) > 0
    return list(first.samples)


def test_times_are_one_way_or_until_the_end(whole):
    for sample in whole:
        if sample.point in planted():
            np.testing.assert_allclose(sample.times, planted()[sample.point].times)
    assert {one.experiment for one in whole} == {"pingpong", "train", "burst"}


def test_below_the_first_burst_that_loses_others_are_tried_and_none_above(whole):
    ways = {(one.sent, one.launch) for one in whole if one.experiment == "burst"}
    for way, launch in ways:
        sizes = [one.m for one in whole if (one.sent, one.launch) == (way, launch)]
        coarse = burst_sizes(len(way.edges), EXTENT.most)
        finer = set(sizes) - {*coarse}
        assert finer and max(finer) < max(sizes) < max(coarse)


def test_what_is_held_is_not_measured_again(campaign, whole):
    again = campaign(whole)
    assert again.carry_out(EXTENT) == 0
    assert again.launches == []


def test_of_a_disturbed_size_only_what_was_disturbed_is_measured_again(campaign, whole):
    index, bad = next(
        (index, one) for index, one in enumerate(whole) if one.experiment == "train" and one.m == 8
    )
    flagged = [*whole[:index], bad.model_copy(update={"lab": LATE}), *whole[index + 1 :]]
    again = campaign(flagged)
    assert again.carry_out(EXTENT) == 1
    assert again.samples[-1].point == bad.point
    assert read_messages(again._store.path, OF_LINKS)[-1].point == bad.point


@pytest.mark.parametrize("kept", [0, 5, 40, 90])
def test_a_campaign_that_was_stopped_ends_with_the_same_points(campaign, whole, kept):
    seen = []
    again = campaign(whole[:kept], report=seen.append)
    assert again.carry_out(EXTENT) == len(whole) - kept
    assert {one.point for one in again.samples} == {one.point for one in whole}
    assert sum(map(len, again.launches)) >= len(whole) - kept


def test_what_is_planned_is_what_lacks(campaign, whole):
    """Neither finer bursts nor launches that nobody asked for make it less."""
    seen = []
    one = Extent(1, EXTENT.most, (8, 1024, 8192))  # a size more, a launch less
    again = campaign(whole, report=seen.append)
    new = again.carry_out(one)
    (ranks,) = levels_of(RANKS.hosts, by_letter)
    assert new == len(single_pairs(ranks)) > 0
    assert {step.planned for step in seen} == {new}
    assert bursts(ranks)  # which are all there


def test_a_file_of_links_of_different_hosts_is_refused(campaign, whole):
    other = whole[-1].model_copy(update={"hosts": whole[-1].hosts[::-1]})
    with pytest.raises(InvalidInputError, match="messages of other hosts, or in another order"):
        campaign([*whole[:-1], other])


def test_groups_that_changed_are_refused(campaign, whole):
    def moved(hosts):
        return Groups((Level.of("cluster", ["b" if host == "a2" else host[0] for host in hosts]),))

    again = campaign(whole, grouped=moved)
    with pytest.raises(InvalidInputError, match="host 'a2' in group 'a', which is in 'b' now"):
        again.carry_out(EXTENT)
    assert again.launches == []
