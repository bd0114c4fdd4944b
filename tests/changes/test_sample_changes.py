"""Campaigns compared point by point: what is compared, what is said of the rest, what is found."""

import numpy as np
import pandas as pd
import pytest

from contend.base.errors import InvalidInputError
from contend.models.changes.samples import sample_changes
from contend.samples import LabConditions, Provenance
from contend.samples.reader import READERS
from support.synthesis import LASSEN, sample

SIZES = (64, 1024, 16384, 262144)


def campaign(seed, launches=3, counts=(4, 8, 16), slow=lambda n, m: 1.0, **fields):
    rng, found = np.random.default_rng(seed), []
    for n in counts:
        for launch in range(launches):
            shared = 0.02 * rng.standard_normal()
            for m in SIZES:
                time = (n - 1) * (1e-5 + 1e-9 * m) * slow(n, m)
                times = time * np.exp(shared + 0.02 * rng.standard_normal(5))
                given = {"processes_per_node": 1, "launch": launch} | fields
                found.append(sample(m, n, tuple(times), **given))
    return found


def test_the_ratio_is_that_of_medians_over_launches():
    old = [sample(times_s=times, launch=k) for k, times in enumerate([(1, 2, 9), (2, 4, 5)])]
    new = [sample(times_s=(3.0,), launch=0), sample(times_s=(6.0, 6.0, 7.0), launch=1)]
    (row,) = sample_changes(old, new).rows.to_dict("records")
    assert row["old"] == pytest.approx(np.sqrt(2 * 4))
    assert row["new"] == pytest.approx(np.sqrt(3 * 6))
    assert row["ratio"] == pytest.approx(1.5)
    assert (row["old_launches"], row["new_launches"]) == (2, 2)


def test_repetitions_do_not_make_a_launch_count_more():
    def found(repetitions):
        old = [sample(times_s=(t,) * repetitions, launch=k) for k, t in enumerate((1.0, 1.1, 1.2))]
        new = [sample(times_s=(t,) * 3, launch=k) for k, t in enumerate((1.3, 1.4, 1.5))]
        return sample_changes(old, new).rows

    pd.testing.assert_frame_equal(found(3), found(300))


def test_points_in_one_file_alone_are_listed():
    old, new = campaign(1, counts=(4, 8)), campaign(2, counts=(8, 16))
    found = sample_changes(old, new)
    assert {(one.series.n, one.m) for one in found.only_old} == {(4, m) for m in SIZES}
    assert {(one.series.n, one.m) for one in found.only_new} == {(16, m) for m in SIZES}
    assert set(found.rows["n"]) == {8}


@pytest.mark.parametrize(
    "other",
    [
        {"processes_per_node": 2},
        {"experiment": "bcast"},
        {"algorithm": "rotated"},
        {"statistic": "mean"},
        {"parameters": {"setup": 7}},
    ],
)
def test_what_is_another_point_is_not_compared(other):
    with pytest.raises(InvalidInputError, match="no point is in both") as error:
        sample_changes(campaign(1), campaign(2, **other))
    assert "alltoall/native n=16" in error.value.message


def test_what_a_program_chose_itself_makes_no_other_point():
    trains = [campaign(1, parameters={"train": train}) for train in (16, 64)]
    assert not sample_changes(*trains).only_old


def test_the_same_campaign_again_has_not_changed():
    found = sample_changes(campaign(1), campaign(2), 0.0)
    assert not found.rows["is_worse"].any() and not found.rows["changed"].any()
    assert len(found.rows) == 3 * len(SIZES) + 3


def test_a_slow_down_of_one_regime_is_found_and_comes_first():
    slow = campaign(2, slow=lambda n, m: 1.2 if n == 16 and m >= 16384 else 1.0)
    found = sample_changes(campaign(1), slow, 0.05).rows
    worse = found[found["is_worse"]]
    assert {(16, 16384), (16, 262144)} >= {(row.n, row.m) for row in worse.dropna().itertuples()}
    assert len(worse.dropna()) >= 1
    assert found["is_worse"].to_numpy()[: len(worse)].all()


def test_what_has_become_faster_is_told_and_no_gate_fails():
    found = sample_changes(campaign(1), campaign(2, slow=lambda n, m: 0.7), 0.0).rows
    assert found["changed"].all() and not found["is_worse"].any()


def test_a_small_change_of_all_sizes_is_seen_in_their_mean():
    """Each size by itself is known to a few per cent only."""
    rng = np.random.default_rng(7)

    def quiet_launches(times):
        return [
            sample(m, n, tuple(times * 1e-4 * np.exp(0.02 * rng.standard_normal(1))),
                   launch=launch)
            for n in (4, 8, 16, 32) for launch in range(3) for m in range(1, 17)
        ]  # fmt: skip

    found = sample_changes(quiet_launches(1.0), quiet_launches(1.04)).rows
    means, points = found[found["m"].isna()], found[found["m"].notna()]
    assert means["is_worse"].all()
    assert points["is_worse"].mean() < 0.5
    assert means["ratio"].to_list() == pytest.approx([1.04] * 4, rel=0.02)


def disturbed(one):
    lab = LabConditions.from_counters({"frames": 10, "late_ns": 10**9})
    return one.model_copy(update={"lab": lab})


def test_samples_of_an_overburdened_emulation_are_left_out_and_counted():
    old, new = campaign(1), campaign(2)
    flagged = [disturbed(one) if one.m == 64 else one for one in new]
    found = sample_changes(old, flagged)
    assert found.left_out == (0, 9)
    assert {one.m for one in found.only_old} == {64}
    assert sample_changes(old, flagged, include_flagged=True).left_out == (0, 0)
    assert not sample_changes(old, flagged, include_flagged=True).only_old
    again = [*flagged, *(one for one in new if one.m == 64)]  # measured anew
    assert sample_changes(old, again).left_out == (0, 0)


def test_what_differs_besides_is_said():
    def of(library, kernel, start):
        return campaign(
            1, provenance=Provenance(source="t", mpi_library=library, kernel=kernel), start=start
        )

    found = sample_changes(of("MPICH 4", "6.1", "window"), of("MPICH 5", "6.1", "barrier"))
    assert found.conditions == (
        "MPI library: MPICH 4 -> MPICH 5",
        "common start: window -> barrier",
    )


def test_late_starts_are_a_doubt_that_is_counted():
    found = sample_changes(campaign(1), campaign(2, late_starts=3))
    assert found.doubts[0].get("late_starts") is None
    assert found.doubts[1]["late_starts"] == 9 * len(SIZES)


def test_launches_of_a_real_machine_dealt_to_two_campaigns_are_seldom_told_apart(shared_data):
    """Lassen: 80 points of five numbers of processes, two launches against one."""
    path = shared_data("lassen_alltoall/alltoall.csv")
    samples = list(READERS.get("csv_columns").read(path, LASSEN))
    rng, failed = np.random.default_rng(1), []
    for _ in range(20):
        dealt = {
            (n, launch): place
            for n in sorted({one.n for one in samples})
            for place, launch in enumerate(
                rng.permutation(sorted({one.launch for one in samples if one.n == n}))
            )
        }
        sides = [
            [one for one in samples if (dealt[one.n, one.launch] == 0) == is_new]
            for is_new in (False, True)
        ]
        failed.append(sample_changes(*sides).rows["is_worse"].any())
    assert np.mean(failed) <= 0.1
