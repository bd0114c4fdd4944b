"""The check of the exchange library: the same at all ranks, told, counted, and switched off."""

import json
import re
from pathlib import Path

import pytest

from contend.measure.exchange.summary import read_summary

pytestmark = [pytest.mark.mpi, pytest.mark.timeout(120)]

SHALLOW_LINK = Path(__file__).parent / "shallow_link.plan"
BYTES = 200_000  # no MPI exchanges so much among four ranks in 50 us
PLAN = """contend-exchange 1
level cluster
group a host a*
group b host b*
choose cluster 0 lg_balanced
choose cluster 1000 paced window=2
choose cluster 1000000 throttled_pairwise window=2
"""


@pytest.fixture
def plan(tmp_path):
    """A plan with several choices."""
    path = tmp_path / "plan"
    path.write_text(PLAN)
    return path


@pytest.mark.parametrize("kind", ["equal", "varying", "typed"])
def test_all_ranks_try_and_choose_alike_however_late_they_come(answer, plan, kind):
    said = answer("late", 400, BYTES, kind, ranks=4, plan=plan)
    assert said["same"] == 1
    assert said["calls"]["native"] >= 2
    assert said["calls"]["paced"] + said["calls"]["throttled_pairwise"] >= 1
    assert sum(said["calls"].values()) == 400


def test_without_a_plan_the_library_has_candidates_of_its_own(answer):
    said = answer("late", 400, BYTES, "equal", ranks=4)
    own = ("lg_balanced", "node_aware", "throttled_pairwise")
    assert sum(said["calls"][name] for name in own) >= 1
    assert sum(said["calls"][name] for name in ("native", *own)) == 400


def test_a_program_of_few_calls_is_left_alone(answer):
    assert answer("late", 5, BYTES, "equal", ranks=4)["calls"]["native"] == 5
    assert answer("late", 12, BYTES, "equal", ranks=4)["calls"]["native"] >= 8


def test_a_plan_of_one_choice_is_checked_for_counts_that_vary(answer, tmp_path):
    path = tmp_path / "plan"
    path.write_text("contend-exchange 1\nchoose node 0 paced window=2\n")
    said = answer("late", 1500, BYTES, "varying", ranks=4, plan=path)
    assert said["calls"]["native"] >= 2
    assert said["calls"]["paced"] >= 1


def test_random_calls_under_the_check_give_what_mpi_gives(answer, plan):
    said = answer("fuzz", "random", 7, 120, ranks=5, plan=plan)
    assert said["held"] == 0


def test_random_calls_that_overflow_a_link_give_what_mpi_gives(answer):
    said = answer("fuzz", "met", 3, 1000, "spaced", ranks=4, plan=SHALLOW_LINK)
    assert said["held"] == 0
    assert said["spaced"] >= 1


def test_switched_off_the_plan_is_obeyed(answer, plan):
    assert answer("late", 5, BYTES, ranks=4, plan=plan, check=0)["calls"]["paced"] == 5
    assert answer("late", 5, BYTES, ranks=4, check=0)["calls"]["native"] == 5


@pytest.mark.parametrize(
    ("options", "line"),
    [
        ({"algorithm": "lg_balanced"}, r": lg_balanced \(CONTEND_EXCHANGE_ALGORITHM\)"),
        ({"check": 0}, r": paced window=2 \(the plan\)"),
        ({}, r": (\w+( window=2)? (so far )?\((measured: .* instead|the)|native \(measured)"),
    ],
)
def test_each_size_is_explained_once(preloaded, plan, options, line):
    done = preloaded("late", 16, BYTES, ranks=4, plan=plan, explain=1, **options)
    assert done.returncode == 0, done.stderr
    told = [one for one in done.stderr.splitlines() if "blocks of 131072 B" in one or
            "blocks of 128 KiB to 256 KiB" in one]  # fmt: skip
    first = [one for one in told if "of 4 ranks" in one]
    assert len(first) == 1
    assert re.search(
        "^contend: MPI_Alltoall of 4 ranks, blocks of 128 KiB to 256 KiB" + line, first[0]
    )


def test_one_group_is_explained_in_a_file(preloaded, plan, tmp_path, monkeypatch):
    monkeypatch.setenv("LATE_ONE_HOST", "1")
    done = preloaded("late", 2, 8, ranks=2, explain=tmp_path / "lines")
    assert "contend:" not in done.stderr
    assert (tmp_path / "lines").read_text().endswith("blocks of 8 B to 16 B: native (one group)\n")


@pytest.mark.parametrize(
    ("kind", "ranks", "in_sums"),
    [("equal", 4, 4), ("varying", 4, 4), ("typed", 4, 4), ("halves", 4, 4)],
)
def test_the_summary_adds_up(answer, plan, tmp_path, kind, ranks, in_sums):
    path = tmp_path / "summary.json"
    answer("late", 14, BYTES, kind, ranks=ranks, plan=plan, summary=path)
    summary = read_summary(path)
    assert summary is not None
    peers = ranks // 2 if kind == "halves" else ranks
    assert summary.ranks == in_sums
    assert (summary.scope == "sums over all ranks") == (in_sums == ranks)
    assert sum(row.calls for row in summary.rows) == 14 * in_sums
    assert sum(row.bytes for row in summary.rows) == 14 * in_sums * peers * BYTES
    assert all(row.from_bytes == 131_072 and row.seconds > 0 for row in summary.rows)
    assert summary.check.seconds >= 0


@pytest.mark.parametrize(
    ("ranks", "variables", "of"),
    [(4, {}, "sums over all ranks"), (2, {}, "sums over all ranks"),
     (2, {"meet": 0}, "rank 0 alone")],
)  # fmt: skip
def test_what_no_algorithm_is_for_is_counted(preloaded, mpi, tmp_path, ranks, variables, of):
    """Of two ranks none is served, so that they have not met where they do so at an exchange."""
    path = tmp_path / "summary.json"
    served = ranks if ranks == 4 else 0
    done = preloaded(
        "forms", "left", served, ranks=ranks, algorithm="lg_balanced", summary=path, explain=1,
        **variables,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    summary = read_summary(path)
    assert summary is not None
    each = 1 if variables else ranks
    wanted = {
        f"MPI_{before}{name}{suffix}": count * each
        for before, suffix, count in (("I", "", 2), ("Neighbor_", "", 1), ("Ineighbor_", "", 1))
        for name in ("alltoall", "alltoallv", "alltoallw")
    }
    if not mpi.title.startswith("Open MPI 4"):
        wanted |= {f"MPI_{name}_init": each for name in ("Alltoall", "Alltoallv", "Alltoallw")}
    assert summary.scope == of
    assert {one.call: one.calls for one in summary.unserved} == wanted
    assert "MPI_Ialltoallw: 2 calls, which are the library's own" in done.stderr


def test_savings_are_those_that_were_measured_or_not_known(answer, plan, tmp_path):
    path = tmp_path / "summary.json"
    answer("late", 3, BYTES, ranks=4, algorithm="paced", summary=path)
    (row,) = json.loads(path.read_text())["rows"]
    assert row["algorithm"] == "paced"
    assert row["saved_s"] is None


@pytest.mark.parametrize("kind", ["equal", "varying"])
def test_calls_before_any_time_was_told_have_no_savings_that_are_no_number(answer, tmp_path, kind):
    """Where calls overflow a link's buffer, spaced messages serve before the library was timed."""
    plan, path = tmp_path / "plan", tmp_path / "summary.json"
    link = "link cluster latency_s 1e-6 bandwidth 1e9 buffer 64 timeout_s 0\n"
    plan.write_text("".join(PLAN.splitlines(keepends=True)[:4]) + link)
    said = answer("late", 4, BYTES, kind, ranks=4, plan=plan, summary=path)
    assert said["calls"]["spaced"] > 0

    def refuse(word):
        raise AssertionError(word)

    assert json.loads(path.read_text(), parse_constant=refuse)["rows"]


def test_a_program_without_exchanges_has_no_summary(answer, plan, tmp_path):
    answer("late", 0, 8, "none", ranks=2, plan=plan, summary=tmp_path / "summary.json", explain=1)
    assert not (tmp_path / "summary.json").exists()


def test_a_summary_that_cannot_be_written_is_one_line(preloaded, tmp_path):
    done = preloaded("late", 2, 8, ranks=2, summary=tmp_path / "none" / "summary.json")
    assert done.returncode == 0
    assert done.stderr.count("contend:") == 1
    assert "CONTEND_EXCHANGE_SUMMARY" in done.stderr
