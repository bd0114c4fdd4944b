"""Sites' files: what is taken, what is left out and said, and what is refused with its place."""

import copy
import gzip
import json
import warnings
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contend.base.errors import FileFormatError
from contend.samples.watch.store import Site, WatchWarning, appended_jobs, read_jobs
from support import synthesis, watching


def test_jobs_are_read_as_they_were_written(site):
    read = [json.loads(one.model_dump_json()) for one in read_jobs(site)]
    assert read == [json.loads(line) for line in site.read_text().splitlines()]


def test_a_gzipped_file_is_read_too(site):
    packed = site.with_suffix(".gz")
    packed.write_bytes(gzip.compress(site.read_bytes()))
    assert read_jobs(packed) == read_jobs(site)


@pytest.mark.parametrize("cut", [1, 2, 40, 700])
def test_a_torn_last_line_is_skipped_and_said(site, cut):
    first = read_jobs(site)[0]
    site.write_bytes(site.read_bytes()[: -1 - cut])
    with pytest.warns(WatchWarning, match=r"site.jsonl line 2 is incomplete .* skipped"):
        assert read_jobs(site) == [first]


def test_a_whole_last_line_without_its_end_counts(site):
    jobs = read_jobs(site)
    site.write_bytes(site.read_bytes().rstrip())
    assert read_jobs(site) == jobs


@pytest.mark.parametrize("between", ["", "\n"])
def test_what_follows_on_a_torn_line_is_not_lost(site, between, rng):
    jobs, line = read_jobs(site), watching.line_of(watching.job(rng))
    first, second = site.read_text().splitlines()
    site.write_text(f"{first}\n{line[:300]}{between}{second}\n")
    with pytest.warns(WatchWarning, match="line 2 is incomplete"):
        assert read_jobs(site) == jobs


def test_blank_lines_are_none(site):
    jobs = read_jobs(site)
    site.write_text("\n" + site.read_text().replace("\n", "\n  \n"))
    assert read_jobs(site) == jobs


Change = Callable[[watching.Record], object]
WRONG: dict[str, tuple[Change, str]] = {
    "a newer version": (lambda one: one.update(version=2), "version 2 .* reads version 1"),
    "another format": (lambda one: one.update(format="x"), "has the format 'x'"),
    "no format": (lambda one: one.pop("format"), "does not say what it is"),
    "a missing field": (lambda one: one.pop("ranks"), "ranks is missing"),
    "a field more": (lambda one: one.update(user="me"), "user: extra inputs"),
    "a text for a number": (lambda one: one.update(ranks="8"), "ranks: .* integer"),
    "a part of a rank": (lambda one: one.update(ranks=8.5), "ranks: .* integer"),
    "true for a number": (lambda one: one.update(not_kept=True), "not_kept: .* integer"),
    "an id of capitals": (lambda one: one.update(job="0123456789ABCDEF"), "job: .* pattern"),
    "negative calls": (lambda one: _row(one, calls=-1), r"calls.0.calls: .* greater than or equal"),
    "negative seconds": (lambda one: _row(one, seconds=-1.0), "calls.0.seconds"),
    "seconds without end": (lambda one: one.update(seconds=1e300), "seconds: .* less than"),
    "too many calls": (lambda one: _row(one, calls=2**70), "calls.0.calls"),
    "a bin from nowhere": (lambda one: _row(one, bins=[[10**9, 1]]), "calls.0.bins.0.0"),
    "a negative count": (lambda one: _row(one, bins=[[5, -1]]), "calls.0.bins.0.1"),
    "a bin of three": (lambda one: _row(one, bins=[[5, 1, 1]]), "calls.0.bins.0"),
    "a short sample": (lambda one: _row(one, samples=[[1, 2, 0.1]]), "calls.0.samples.0.3"),
    "more durations than calls": (
        lambda one: _row(one, bins=[[90, 10**9]]), r"calls.0 \(alltoall\) has more durations",
    ),
    "calls and bytes swapped": (
        lambda one: _row(one, calls=one["calls"][0]["bytes"], bytes=10**15), "more bytes",
    ),
    "more ranks than the job": (lambda one: one.update(ranks=4), "more ranks in a communicator"),
    "nodes that hold too few": (lambda one: _row(one, ppn=2), "more ranks than its nodes hold"),
    "more nodes than ranks": (lambda one: _row(one, nodes=99), "more nodes than ranks"),
}  # fmt: skip


def _row(record: watching.Record, **changes: object) -> None:
    record["calls"][0].update(changes)


@pytest.mark.parametrize("what", WRONG)
def test_what_is_no_record_is_an_error_with_file_line_and_rule(site, record, what):
    change, rule = WRONG[what]
    change(record)
    with site.open("a") as file:
        file.write(watching.line_of(record))
    with pytest.raises(FileFormatError, match=f"site.jsonl line 3.*{rule}") as caught:
        read_jobs(site)
    assert caught.value.remedy


@pytest.mark.parametrize("word", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_a_number_that_is_none_is_an_error(site, record, word):
    site.write_text(watching.line_of(record).replace('"seconds":', f'"seconds":{word},"x":', 1))
    with pytest.raises(FileFormatError, match="line 1"):
        read_jobs(site)


@pytest.mark.parametrize(
    ("content", "what"),
    [
        ("1 2 3\n", "not JSON"),
        ("[]\n", "does not say what it is"),
        ("\0\0\0\0\n", "not JSON"),
        ("{}\n", "does not say what it is"),
        ('{"format": "contend-watch", "name": "\udcff"}\n', "JSON"),
        ("", "holds no job"),
        ("\n\n", "holds no job"),
    ],
)
def test_another_content_is_an_error(tmp_path, content, what):
    path = tmp_path / "other.jsonl"
    path.write_bytes(content.encode(errors="surrogateescape"))
    with pytest.raises(FileFormatError, match=what):
        read_jobs(path)


def test_files_of_another_kind_are_named(tmp_path, site):
    samples = tmp_path / "samples.jsonl"
    synthesis.save([synthesis.sample()], samples)
    with pytest.raises(FileFormatError, match=r"samples\.jsonl line 1 is a samples file"):
        read_jobs(samples)
    for path, what in ((tmp_path, "a folder"), (tmp_path / "none.jsonl", "no file")):
        with pytest.raises(FileFormatError, match=what):
            read_jobs(path)


def test_jobs_of_two_files_that_overlap_count_once(site, tmp_path):
    other = tmp_path / "other.jsonl"
    other.write_text("\n" + site.read_text())
    both = Site([site, other])
    assert [*both] == read_jobs(site)
    (remark,) = both.remarks
    assert "2 jobs are there twice" in remark and "other.jsonl line 2" in remark


def test_two_records_of_one_job_that_differ_are_an_error(site, record):
    with site.open("a") as file:
        file.write(watching.line_of(record | {"seconds": 123.0}))
    with pytest.raises(FileFormatError, match=r"line 3 and .* line 1 are of one job.* differ"):
        read_jobs(site)


def test_jobs_that_a_command_appended_are_those_of_its_start(site, rng):
    size = site.stat().st_size
    with site.open("a") as file:
        for job in ("aaaaaaaa00000001", "bbbbbbbb00000001", "aaaaaaaa00000002"):
            file.write(watching.line_of(watching.job(rng, job=job)))
    found = [one.job for one in appended_jobs(site, size, "aaaaaaaa")]
    assert found == ["aaaaaaaa00000001", "aaaaaaaa00000002"]
    assert not appended_jobs(site, site.stat().st_size, "aaaaaaaa")
    assert len(appended_jobs(site, 10**9, "aaaaaaaa")) == 2, "another file is in its place"


VALUES = st.sampled_from([-1, 0, 2**64, 1e400, -1e-9, "a", "", None, True, [], {}, [[1]], 0.5])


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_whatever_is_changed_is_read_or_refused(tmp_path_factory, data):
    record = copy.deepcopy(_RECORD)
    target = data.draw(st.sampled_from([record, *record["calls"]]))
    target[data.draw(st.sampled_from(sorted(target)))] = data.draw(VALUES)
    line = watching.line_of(record)
    line = line[: data.draw(st.integers(0, len(line)))] + data.draw(st.sampled_from(["", line]))
    path = tmp_path_factory.getbasetemp() / "fuzzed.jsonl"
    path.write_text(line)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", WatchWarning)
        try:
            jobs = read_jobs(path)
        except FileFormatError as error:
            assert str(path) in error.message and error.remedy
        else:
            assert all(row.calls >= 0 for job in jobs for row in job.calls)


_RECORD = watching.job(np.random.default_rng(2), watching.Watched((watching.Row(calls=3),)))
