"""contend watch and contend report of its files."""

import json
import shlex
import sys
from pathlib import Path

import numpy as np
import pytest

from contend.api.watch import FILE
from contend.models.network import Network
from support import processes, synthesis, watching
from support.mpis import FIRST, MPIS
from support.watching import Row, Watched

# A program that leaves what the library would: the records and files that its words name.
PROGRAM = """
import os, pathlib, sys
site = os.environ["CONTEND_WATCH"]
head = '"job":"'
own = open(sys.argv[1]).read().replace(head + "00000000", head + os.environ["CONTEND_WATCH_JOB"])
if sys.argv[2] == "killed":
    folder = pathlib.Path(site + ".jobs")
    folder.mkdir()
    folder.joinpath(os.environ["CONTEND_WATCH_JOB"] + "00000001.jsonl").write_text(own)
else:
    open(site, "a").write(own)
print(os.environ.get("CONTEND_WATCH_NAME"), os.environ.get("CONTEND_WATCH_EVERY"))
print(*(name for name in sorted(os.environ) if name.startswith("CONTEND_TRY")))
sys.exit(int(sys.argv[3]))
"""
JOB = "0000000000000001"


@pytest.fixture
def contend(monkeypatch, capfd):
    def run(*words):
        code, out, err = processes.in_process(monkeypatch, capfd, *words)
        return code, out, " ".join(err.split())

    return run


@pytest.fixture
def program(tmp_path, rng):
    """The words of a program that leaves the record of a job of 32 ranks."""
    script, line = tmp_path / "program.py", tmp_path / "line"
    script.write_text(PROGRAM)
    rows = (Row(calls=50), Row("bcast"), Row("barrier", m=0, algorithm=None), Row("reduce", m=8))
    record = watching.job(rng, Watched(rows), job=JOB)
    line.write_text(watching.line_of(record))
    mpi = MPIS.get(FIRST) or pytest.skip("no MPI library is installed")

    def words(how="ends", code=0):
        """The program under the launcher's name alone: of Open MPI it would not start as root."""
        return ["--mpicc", mpi.mpicc, "--", sys.executable, script, line, how, code]

    return words


def test_a_program_appends_and_that_is_said(contend, program, site):
    before = site.read_bytes()
    code, out, err = contend("watch", "-o", site, *program())
    assert (code, out.strip()) == (0, "None None")
    assert f"{site}: appended 1 job of 32 ranks, 11200 collective calls of ranks" in err
    assert err.count("contend:") == 1
    assert site.read_bytes().startswith(before) and len(site.read_text().splitlines()) == 3


def test_the_exit_code_is_the_programs(contend, program, site):
    assert contend("watch", "-o", site, *program(code=7))[0] == 7


def test_the_name_and_settings_of_the_library_reach_it(contend, program, site, monkeypatch):
    monkeypatch.setenv("CONTEND_WATCH_EVERY", "60")
    _, out, _ = contend("watch", "run", "--name", "my run", "-o", site, *program())
    assert out.strip() == "my run 60"


@pytest.mark.parametrize(
    ("options", "names"),
    [
        ([], ""),
        (["--try"], "CONTEND_TRY"),
        (["--try", "--summary"], "CONTEND_TRY CONTEND_TRY_EXPLAIN"),
        (["--summary"], ""),
    ],
)
def test_algorithms_are_tried_where_that_is_asked_for(contend, program, site, options, names):
    _, out, _ = contend("watch", *options, "-o", site, *program())
    assert out.splitlines()[1] == names


@pytest.mark.parametrize("named", [False, True])
def test_the_file_is_the_environments_or_one_here(contend, program, tmp_path, monkeypatch, named):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CONTEND_WATCH", raising=False)
    if named:
        monkeypatch.setenv("CONTEND_WATCH", "folder/mine.jsonl")
    contend("watch", *program())
    assert (tmp_path / ("folder/mine.jsonl" if named else FILE)).is_file()


def test_a_summary_is_six_lines_at_most(contend, program, site, monkeypatch):
    code, _, err = contend("watch", "--summary", "-o", site, *program())
    assert code == 0 and "in collective calls" in err and "waiting for the last rank" in err
    assert err.count("of 32 ranks, up to") == 3
    assert "alltoall of 32 ranks, up to 4 KiB, pairwise: 50 calls" in err


def test_records_of_others_are_not_taken_for_its_own(contend, program, site, tmp_path):
    line = (tmp_path / "line").read_text().replace(JOB, "f" * 16)
    (tmp_path / "line").write_text(line)
    _, _, err = contend("watch", "-o", site, *program())
    assert "nothing was appended" in err


def test_what_a_killed_program_leaves_is_named(contend, program, site, tmp_path, rng):
    ranks = watching.rank_lines(rng, Watched((Row(n=2, ppn=2),)), job=JOB)
    (tmp_path / "line").write_text("".join(map(watching.line_of, ranks)))
    code, _, err = contend("watch", "-o", site, *program("killed", code=1))
    assert code == 1 and "MPI was not finalized" in err and f"{site}.jobs/" in err
    assert "1 of these has no record" in contend("report", site)[1]


def test_without_a_library_the_program_runs_all_the_same(contend, site):
    words = [sys.executable, "-c", "print('ran'); raise SystemExit(3)"]
    code, out, err = contend("watch", "-o", site, "--", *words)
    assert (code, out) == (3, "ran\n")
    assert "nothing was noted" in err and "linked with no MPI library" in err


def test_where_no_file_can_be_the_program_runs_all_the_same(contend, tmp_path, program):
    code, _, err = contend("watch", "-o", tmp_path, "--", sys.executable, "-c", "print(1)")
    assert code == 0 and "it is a folder" in err


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"schema": "contend.samples", "version": 1}\n', "is a samples file"),
        ('{\n "schema": "contend.network"\n}\n', "exists and is no site's file"),
    ],
)
def test_a_file_of_another_kind_is_not_appended_to(contend, tmp_path, text, words):
    path = tmp_path / "other"
    path.write_text(text)
    code, _, err = contend("watch", "-o", path, "--", sys.executable, "-c", "print(1)")
    assert code == 0 and "nothing was noted" in err and words in err
    assert path.read_text() == text


def test_a_program_that_is_named_as_a_command_is_run_behind_dashes(contend, tmp_path, monkeypatch):
    report = tmp_path / "report"
    report.write_text("#!/bin/sh\necho mine\n")
    report.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    assert contend("watch", "--", "report")[1] == "mine\n"


def test_a_name_of_control_characters_is_not_passed_on(contend, program, site):
    code, _, err = contend("watch", "--name", "a\nb", "-o", site, "--", "true")
    assert code == 0 and "nothing was noted" in err and "letters and blanks" in err


def test_the_report_has_a_line_for_each_kind_of_calls(contend, site):
    code, out, err = contend("report", site)
    assert code == 0 and "2 jobs" in out and "in collective calls" in out
    assert "pairwise" in out and "barrier" in out
    assert f"next: contend fit {site} -o {site.with_suffix('.json')}" in err


def test_the_report_says_what_is_wrong_with_a_file(contend, site, tmp_path):
    with site.open("a") as file:
        file.write(watching.line_of(json.loads(site.read_text().splitlines()[0]))[:99])
    assert "line 3 is incomplete" in contend("report", site)[2]
    for path in (tmp_path, tmp_path / "none.jsonl"):
        code, _, err = contend("report", path)
        assert code == 1 and "error:" in err and "what to do" in err


def test_the_report_is_json_too(contend, site, rng):
    watching.write_killed(site, watching.rank_lines(rng, Watched((Row(n=4, ppn=4),))))
    found = json.loads(contend("report", site, "--json")[1])
    assert (found["jobs"], len(found["without_record"])) == (3, 1)
    kinds = {(one["operation"], one["n"]): one for one in found["calls"]}
    assert kinds["alltoall", 32]["calls"] == 2 * 3200
    assert kinds["alltoall", 32]["best"]["source"] == "seen"
    assert found["collective_seconds"] == pytest.approx(
        sum(one["seconds"] for one in found["calls"])
    )


def test_a_job_that_was_killed_is_in_the_sums_and_said(contend, site, rng):
    watching.write_killed(site, watching.rank_lines(rng, Watched((Row(n=4, ppn=4),))))
    out = contend("report", site)[1]
    assert "3 jobs" in out and "1 of these has no record: killed, or still running" in out


def test_calls_that_are_counted_alone_and_not_kept_are_said(contend, tmp_path, rng):
    job = watching.job(rng, not_kept=5, other_calls={"ibcast": 12})
    out = contend("report", watching.write_site(tmp_path / "s.jsonl", [job]))[1]
    assert "5 calls of ranks are not in it" in out and "ibcast 12" in out


def test_metrics_are_written_whole_or_printed(contend, site, tmp_path):
    path = tmp_path / "contend.prom"
    code, out, _ = contend("report", site, "--prometheus", path)
    assert code == 0 and "2 jobs" in out
    printed = contend("report", site, "--prometheus", "-")[1]
    assert printed == path.read_text() and "contend_collective_jobs_total 2" in printed


@pytest.fixture
def network(tmp_path, contend):
    """A network by which an all-to-all takes a tenth of what it took."""
    seconds = watching.usual_seconds(Row())
    samples = [
        *synthesis.pingpong(1e-7, 1e-11),
        *synthesis.alltoall(
            (8, 16, 32, 64), lambda n, m: seconds / 10 * (n - 1) / 31 * (0.5 + m / 8192),
            rng=np.random.default_rng(3), noise=0.01, processes_per_node=8,
        ),
    ]  # fmt: skip
    path = tmp_path / "network.json"
    synthesis.save(samples, tmp_path / "samples.jsonl")
    code, _, err = contend("fit", tmp_path / "samples.jsonl", "-o", path)
    assert code == 0, err
    assert Network.load(path).operations
    return path


def test_a_network_tells_the_bound_and_the_best(contend, site, network):
    out = contend("report", site, network)[1]
    assert "bound" in out and "predicted" in out
    found = json.loads(contend("report", site, network, "--json")[1])
    row = next(one for one in found["calls"] if one["operation"] == "alltoall")
    seconds = watching.usual_seconds(Row())
    assert row["bound"] == pytest.approx(24 * (1e-7 + 4096e-11), rel=0.05)
    assert row["best"]["source"] == "predicted"
    assert row["best"]["seconds"] == pytest.approx(seconds / 10, rel=0.2)
    assert row["gain"] == pytest.approx(0.9 * row["calls"] * seconds, rel=0.1)


def test_without_a_network_there_is_no_bound(contend, site):
    assert "bound" not in contend("report", site)[1].splitlines()[2]
    found = json.loads(contend("report", site, "--json")[1])
    assert all(one["bound"] is None for one in found["calls"])


def test_what_comes_next_can_be_copied(contend, tmp_path, rng, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = watching.write_site(Path("my site.jsonl"), [watching.job(rng)])
    *_, line = contend("report", path)[2].split("next: ")
    assert shlex.split(line) == ["contend", "fit", str(path), "-o", "my site.json"]
