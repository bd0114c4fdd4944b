"""Metrics for Prometheus: parsed by its own library, queried by its own tool, and never falling."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from contend.base.wholefile import replacing, write_whole
from contend.samples.watch.prometheus import LIMITS, exposition
from contend.samples.watch.record import RATIO
from contend.samples.watch.store import Site
from contend.samples.watch.totals import totals_of
from support import watching
from support.commands import ROOT
from support.watching import Row, Watched

DASHBOARD = ROOT / "examples" / "watch" / "dashboard.json"
PROGRAM = Watched((Row(), Row("bcast", m=100_000, algorithm=None), Row(algorithm="bruck")))


def text_of(path: Path) -> str:
    site = Site([path])
    return exposition(totals_of(site), len(site.killed))


def samples_of(text: str) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    """Values by name and labels; an error for a series that is there twice."""
    found = {}
    for family in text_string_to_metric_families(text):
        assert family.documentation and family.type in ("counter", "gauge", "histogram")
        for one in family.samples:
            key = (one.name, tuple(sorted(one.labels.items())))
            assert key not in found
            found[key] = one.value
    return found


@pytest.fixture
def jobs(rng):
    return [watching.job(rng, PROGRAM) for _ in range(3)]


@pytest.fixture
def text(tmp_path, jobs):
    return text_of(watching.write_site(tmp_path / "site.jsonl", jobs))


def test_counters_are_the_sums_of_the_jobs(text, jobs):
    found = samples_of(text)
    assert found["contend_collective_jobs_total", ()] == 3
    assert found["contend_collective_unfinished_jobs", ()] == 0
    for name in ("calls", "bytes", "seconds"):
        series = [
            value
            for (known, _), value in found.items()
            if known == f"contend_collective_{name}_total"
        ]
        assert len(series) == 3
        wanted = sum(row[name] for job in jobs for row in job["calls"])
        assert sum(series) == pytest.approx(wanted)


def test_what_a_counter_is_of_say_its_labels(text):
    labels = {
        labels for name, labels in samples_of(text) if name == "contend_collective_calls_total"
    }
    assert (
        ("algorithm", "pairwise"), ("library", "Open MPI v4.1.4"), ("nodes", "4"),
        ("operation", "alltoall"), ("ppn", "8"), ("ranks", "32"), ("size", "4096"),
    ) in labels  # fmt: skip


def test_buckets_count_the_durations_up_to_their_limit(text, jobs):
    buckets = {
        float(dict(labels)["le"]): value
        for (name, labels), value in samples_of(text).items()
        if name == "contend_collective_duration_seconds_bucket"
        and dict(labels)["operation"] == "alltoall"
    }
    bins = [
        (index, count)
        for job in jobs for row in job["calls"] if row["operation"] == "alltoall"
        for index, count in row["bins"]
    ]  # fmt: skip
    assert len(buckets) == len(LIMITS) + 1
    for limit, value in buckets.items():
        assert value == sum(count for index, count in bins if 1e-9 * RATIO**index <= limit * 1.001)
    assert list(buckets.values()) == sorted(buckets.values())


def test_a_histogram_ends_with_its_count_and_its_sum(text):
    found = samples_of(text)
    labels = (("operation", "bcast"), ("size", "131072"))
    count = found["contend_collective_duration_seconds_count", labels]
    last = (("le", "+Inf"), *labels)
    assert count == found["contend_collective_duration_seconds_bucket", last] == 9600
    assert found["contend_collective_duration_seconds_sum", labels] > 0


def test_every_metric_says_what_it_is_once(text):
    heads = [line for line in text.splitlines() if line.startswith("# TYPE")]
    names = [line.split()[2] for line in heads]
    assert len(names) == len(set(names)) and text.count("# HELP") == len(names)
    assert text.endswith("\n")


@pytest.mark.parametrize("name", ['a "b"', "a\\b", "a\\n", "ä→b", 'x{y="1"} 2'])
def test_labels_hold_any_text(tmp_path, rng, name):
    job = watching.job(rng, Watched((Row(algorithm=name),)))
    found = samples_of(text_of(watching.write_site(tmp_path / "site.jsonl", [job])))
    assert {dict(labels)["algorithm"] for _, labels in found if "algorithm" in dict(labels)} == {
        name
    }


def test_no_counter_falls_while_jobs_are_appended(tmp_path, rng):
    path, before = tmp_path / "site.jsonl", {}
    running = watching.rank_lines(rng, Watched((Row(n=4, ppn=4),)))
    for index in range(12):
        rows = watching.usual_rows(rng, 5, n=8, ppn=4)
        with path.open("a") as file:
            file.write(watching.line_of(watching.job(rng, Watched(rows))))
        if index == 4:
            left = watching.write_killed(path, running)
        if index == 8:  # it has ended, or somebody has cleaned up
            left.unlink()
        after = samples_of(text_of(path))
        for key, value in before.items():
            assert after[key] >= value or key[0] == "contend_collective_unfinished_jobs"
        before = after


def test_a_job_without_a_record_is_counted_apart(tmp_path, jobs, rng, text):
    path = tmp_path / "site.jsonl"
    watching.write_killed(path, watching.rank_lines(rng, Watched((Row(n=4, ppn=4),))))
    before, after = samples_of(text), samples_of(text_of(path))
    assert after.pop(("contend_collective_unfinished_jobs", ())) == 1
    assert before.items() >= after.items()


def test_no_new_file_is_taken_for_a_whole_one(tmp_path):
    # node_exporter's textfile collector reads every file of its folder that ends with .prom
    path = tmp_path / "contend.prom"
    with replacing(path, suffix=".new") as new:
        new.write_text("x 1")
        assert not [*tmp_path.glob("*.prom"), *tmp_path.glob(".*.prom")]
    assert path.read_text() == "x 1"
    write_whole(path, "x 2\n")
    assert [*tmp_path.iterdir()] == [path]


def test_the_dashboard_asks_for_metrics_that_there_are(text):
    names = {name for name, _ in samples_of(text)}
    for query in queries():
        assert any(name in query for name in names)
        for word in query.replace("(", " ").replace("{", " ").replace("[", " ").split():
            assert not word.startswith("contend_") or word.rstrip(")") in names


def queries() -> list[str]:
    panels = json.loads(DASHBOARD.read_text())["panels"]
    return [target["expr"] for panel in panels for target in panel["targets"]]


def promtool_test(folder: Path, series: list[dict[str, str]], tests: list[dict[str, object]]):
    """What `promtool test rules` says of series of a value every six hours."""
    tool = shutil.which("promtool") or pytest.skip("there is no promtool: Debian's prometheus")
    file = folder / "test.yml"
    group = {"interval": "6h", "input_series": series, "promql_expr_test": tests}
    file.write_text(yaml.safe_dump({"evaluation_interval": "6h", "tests": [group]}))
    return subprocess.run(
        [tool, "test", "rules", file], check=False, capture_output=True, text=True, timeout=60,
        env={**os.environ, "NO_COLOR": "1"},
    )  # fmt: skip


def series_of(texts: list[str]) -> list[dict[str, str]]:
    """Input series of a day, in the middle of which the second text takes the first one's place."""
    first, second = map(samples_of, texts)
    return [
        {
            "series": name + "{" + ",".join(f'{key}="{one}"' for key, one in labels) + "}",
            "values": " ".join(map(repr, 2 * [first.get((name, labels), 0.0)] + 3 * [value])),
        }
        for (name, labels), value in second.items()
    ]


@pytest.fixture
def days(tmp_path, jobs):
    """The texts of a site before and after its third job."""
    return [text_of(watching.write_site(tmp_path / "site.jsonl", jobs[:count])) for count in (2, 3)]


def test_the_queries_of_the_dashboard_are_answered(tmp_path, days):
    tests = [{"expr": f"count({query}) > bool 0", "eval_time": "1d", "exp_samples": [
        {"labels": "{}", "value": 1}]} for query in queries()]  # fmt: skip
    done = promtool_test(tmp_path, series_of(days), tests)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_tool_sees_what_is_wrong(tmp_path, days):
    query = "count(contend_collective_none_total) > bool 0"
    tests = [{"expr": query, "eval_time": "1d", "exp_samples": [{"labels": "{}", "value": 1}]}]
    assert promtool_test(tmp_path, series_of(days), tests).returncode != 0


def test_the_share_of_the_dashboard_is_that_of_the_last_day(tmp_path, days, jobs):
    (query,) = (one for one in queries() if "rank_seconds_total" in one)
    last = jobs[2]
    share = sum(row["seconds"] for row in last["calls"]) / (last["ranks"] * last["seconds"])
    near = [f"abs({query} - {share!r}) < bool 1e-9", f"abs({query} - {2 * share!r}) < bool 1e-9"]
    tests = [
        {"expr": expression, "eval_time": "1d", "exp_samples": [{"labels": "{}", "value": value}]}
        for expression, value in zip(near, (1, 0), strict=True)
    ]
    done = promtool_test(tmp_path, series_of(days), tests)
    assert done.returncode == 0, done.stdout + done.stderr
