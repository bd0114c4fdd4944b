"""contend alltoall run: the same results and exit codes, and without it in any doubt."""

from __future__ import annotations

import json
import os
import platform
import shlex
import signal
import struct
import subprocess
import sys
import time
from pathlib import Path

import pytest

from contend.base.errors import InvalidInputError
from contend.measure.build import preloaded_library
from contend.measure.command import LaunchOptions, settings
from contend.measure.lab.elf import is_static
from contend.measure.launcher import LaunchCommand, parse_launch, preload_before, with_variables
from support.processes import in_process, started

pytestmark = [pytest.mark.mpi, pytest.mark.timeout(120)]

HERE = Path(__file__).parent
GROUPS = """[[levels]]
name = "cluster"
groups = [{ name = "a", hosts = ["a*"] }, { name = "b", hosts = ["b*"] }]
"""


@pytest.fixture
def run(monkeypatch, capfd):
    """contend alltoall run in this process."""
    return lambda *words: in_process(monkeypatch, capfd, "alltoall", "run", *words)


@pytest.fixture
def late(mpi, compiled, monkeypatch):
    """Launcher and program with four ranks of an MPI."""
    for name, value in settings(mpi, 4, LaunchOptions()).items():
        monkeypatch.setenv(name, value)
    flags = ("-std=c11", "-O1", "-D_GNU_SOURCE", "-ldl")
    program = compiled(mpi.mpicc, HERE / "late.c", *flags)
    return [*mpi.launcher, "-n", "4", str(program)]


@pytest.fixture
def groups(tmp_path):
    """A groups file of the hosts that the program makes up."""
    path = tmp_path / "clusters.toml"
    path.write_text(GROUPS)
    return path


def test_the_library_of_the_programs_own_mpi_serves_it(run, late, groups, mpi):
    done = run("--json", "--groups", groups, "--algorithm", "lg_balanced", "--", *late, 6, 5000)
    calls, _, said = done.out.partition("\n")
    assert json.loads(calls)["calls"]["lg_balanced"] == 6
    told = json.loads(said)
    assert (told["mpi"], told["doubt"], told["exit_code"]) == (mpi.title, None, 0)
    assert sum(row["calls"] for row in told["summary"]["rows"]) == 6 * 4


def test_explain_says_why_and_shows_a_table(run, late, tmp_path):
    plan, summary = tmp_path / "plan", tmp_path / "summary.json"
    plan.write_text("contend-exchange 1\nchoose node 0 paced window=2\n")
    done = run("--explain", "--summary", summary, "--plan", plan, *late, 8, 100_000)
    assert done.code == 0
    assert "contend: MPI_Alltoall of 4 ranks, blocks of 64 KiB to 128 KiB" in done.err
    assert "finding out took" in done.err
    assert "MPI_Alltoall" in done.err.partition("per rank")[2]
    assert json.loads(summary.read_text())["ranks"] == 4


NO_LINK = "contend: no slow link between the 2 hosts is known"


def test_without_groups_one_line_says_that_no_slow_link_is_known(run, late):
    done = run("--", *late, 2, 100)
    assert done.code == 0
    assert done.err.count(NO_LINK) == done.err.count("contend:") == 1
    assert "contend measure hosts" in done.err
    assert "--groups FILE" in done.err


def test_with_groups_or_a_plan_or_an_algorithm_nothing_is_said_of_slow_links(
    run, late, groups, tmp_path
):
    plan = tmp_path / "plan"
    plan.write_text("contend-exchange 1\nchoose node 0 paced\n")
    for options in (["--groups", groups], ["--plan", plan], ["--algorithm", "paced"]):
        assert "no slow link" not in run(*options, "--", *late, 2, 100).err


SITE = "contend-exchange 1\nlevel cluster\ngroup a host a*\ngroup b host b*\n"


def served(done):
    """Calls by algorithm, and what was said on standard error."""
    calls, _, said = done.out.partition("\n")
    assert json.loads(said)["doubt"] is None
    return json.loads(calls)["calls"], done.err


def test_the_sites_plan_is_obeyed_without_an_option(run, late, tmp_path, monkeypatch):
    place = tmp_path / "site.plan"
    place.write_text(SITE + "choose cluster 0 lg_balanced\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CONTEND_SITE", "site.plan")
    monkeypatch.setenv("CONTEND_EXCHANGE_CHECK", "0")
    calls, said = served(run("--json", "--", *late, 6, 5000))
    assert calls["lg_balanced"] == 6
    assert "contend:" not in said
    other = tmp_path / "other.plan"
    other.write_text(SITE + "choose cluster 0 paced window=1\n")
    calls, _ = served(run("--json", "--plan", other, "--", *late, 6, 5000))
    assert (calls["paced"], calls["lg_balanced"]) == (6, 0)
    monkeypatch.setenv("CONTEND_SITE", "0")
    calls, _ = served(run("--json", "--", *late, 6, 5000))
    assert calls["lg_balanced"] == 0


def test_the_plan_of_the_user_counts_on_hosts_that_it_names(run, late, tmp_path, monkeypatch):
    place = tmp_path / "contend" / "site.plan"
    place.parent.mkdir()
    monkeypatch.delenv("CONTEND_SITE")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("CONTEND_EXCHANGE_CHECK", "0")
    place.write_text(SITE + "choose cluster 0 lg_balanced\n")
    calls, said = served(run("--json", "--", *late, 6, 5000))
    assert calls["lg_balanced"] == 6
    assert NO_LINK not in said
    elsewhere = SITE.replace("a*", "north*").replace("b*", "south*")
    place.write_text(elsewhere + "choose cluster 0 lg_balanced\n")
    calls, _ = served(run("--json", "--", *late, 6, 5000))
    assert calls["lg_balanced"] == 0
    place.write_text(SITE + "choose nothing\n")
    calls, said = served(run("--json", "--", *late, 6, 5000))
    assert calls["lg_balanced"] == 0
    assert "site.plan line 5" in said
    place.write_text(elsewhere)
    monkeypatch.delenv("CONTEND_EXCHANGE_CHECK")
    done = run("--", *late, 2, 100)
    assert done.err.count(NO_LINK) == done.err.count("contend:") == 1


def test_a_killed_rank_ends_as_without_the_library(run, late):
    words = [*late, "8", "1000", "die"]
    without = subprocess.run(words, capture_output=True, timeout=60, check=False).returncode
    expected = without if without >= 0 else 128 - without
    assert expected != 0
    assert run("--algorithm", "paced", "--", *words).code == expected


def test_a_script_is_served_by_the_launchers_mpi(run, mpi, late):
    shown = "import os; print(os.environ.get('LD_PRELOAD'))"
    done = run("--", *late[:-3], "-n", "1", sys.executable, "-c", shown)
    assert done.code == 0
    assert "libcontend.so" in done.out
    assert mpi.family.lower().replace(" ", "") in done.out


def test_a_summary_that_is_the_programs_output_leaves_that_alone(tmp_path):
    log = tmp_path / "log"
    words = [
        sys.executable,
        "-m",
        "contend",
        "alltoall",
        "run",
        "--summary",
        str(log),
        "--",
        "echo",
        "kept",
    ]
    with log.open("w") as output:
        done = subprocess.run(words, stdout=output, stderr=subprocess.PIPE, text=True, check=True)
    assert log.read_text() == "kept\n"
    assert "where the program's output goes" in done.stderr


def test_a_summary_goes_through_a_link_and_where_the_environment_names_it(
    run, late, tmp_path, monkeypatch
):
    link, summary = tmp_path / "link", tmp_path / "summary.json"
    link.symlink_to(summary)
    summary.write_text("of another run")
    monkeypatch.setenv("CONTEND_EXCHANGE_SUMMARY", str(link))
    done = run("--explain", "--", *late, 2, 100)
    assert done.code == 0, done.err
    assert link.is_symlink()
    assert json.loads(summary.read_text())["ranks"] == 4


def static_program():
    """The smallest program for Linux on x86-64: it exits with 7."""
    code = bytes.fromhex("bf07000000b83c0000000f05")  # mov edi, 7; mov eax, 60; syscall
    base, size = 0x400000, 64 + 56
    ident = b"\x7fELF\x02\x01\x01".ljust(16, b"\0")
    header = struct.pack("<HHIQQQIHHHHHH", 2, 62, 1, base + size, 64, 0, 0, 64, 56, 1, 0, 0, 0)
    length = size + len(code)
    segment = struct.pack("<IIQQQQQQ", 1, 5, 0, base, base, length, length, 4096)
    return ident + header + segment + code


FILES = {"job.sh": b"#!/bin/sh\nexit 7\n", "mpicc": b"\x7fELF", "static": static_program()}
EXIT = ("sh", "-c", 'echo "ran $LD_PRELOAD"; exit 7')
NO_SUMMARY = "contend: without the exchange library: cannot write {}: "
DOUBTS = {  # words of contend alltoall run, and what is said in one line
    "no MPI": (("--", *EXIT), "--mpicc"),
    **{
        f"a summary in {place}": (("--summary", place, "--", *EXIT), NO_SUMMARY.format(place))
        for place in (".", "nowhere/summary.json", "job.sh/summary.json")
    },
    "a wrapper that cannot be run": (("--mpicc", "./mpicc", "--", *EXIT), "mpicc"),
    "a static program": (("--mpicc", "mpicc", "--", "./static"), "linked statically"),
    "a script that launches": (("--", "./job.sh"), "put contend before the launcher"),
}


@pytest.mark.skipif(platform.machine() != "x86_64", reason="a program is of x86-64")
@pytest.mark.parametrize("doubt", DOUBTS)
def test_in_doubt_the_program_runs_without_the_library_and_one_line_says_why(
    run, tmp_path, monkeypatch, doubt
):
    monkeypatch.chdir(tmp_path)
    for name, content in FILES.items():
        (tmp_path / name).write_bytes(content)
        (tmp_path / name).chmod(0o755)
    words, said = DOUBTS[doubt]
    done = run(*words)
    assert done.code == 7
    assert (done.out == f"ran {os.environ.get('LD_PRELOAD', '')}\n") == (EXIT[0] in words)
    assert done.err.count("\n") == done.err.count("contend:") == 1
    assert said in done.err


def test_a_program_that_is_linked_statically_is_known(tmp_path):
    (tmp_path / "static").write_bytes(FILES["static"])
    programs = (tmp_path / "static", Path(sys.executable).resolve(), Path(__file__))
    assert [is_static(program) for program in programs] == [True, False, False]


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("--algorithm", "fastest", "--", "true"), "fastest"),
        (("--plan", "p", "--groups", "g", "--", "true"), "--groups"),
        (("--", "/nowhere/mpiexec"), "/nowhere/mpiexec"),
    ],
)
def test_wrong_arguments_are_errors(run, words, named):
    done = run(*words)
    assert done.code == 1
    assert "error:" in done.err
    assert named in done.err


@pytest.mark.parametrize(
    ("options", "cache", "said"),
    [
        (("--groups", "none.toml"), None, "none.toml"),
        (("--explain",), "/dev/null", "name a place with $CONTEND_CACHE"),
        (("--explain",), "folder", "name a place with $CONTEND_CACHE"),
    ],
)
def test_ranks_run_without_the_library_where_a_file_is_wrong(
    run, late, tmp_path, monkeypatch, options, cache, said
):
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "programs").symlink_to("/proc")  # where not even root makes folders
    if cache:
        monkeypatch.setenv("CONTEND_CACHE", str(tmp_path / cache))
    done = run(*options, "--", *late, 2, 100)
    assert done.code == 0
    assert json.loads(done.out)["calls"]["native"] == -1
    assert done.err.count("contend:") == 1
    assert said in done.err


def test_a_built_library_serves_from_a_cache_that_cannot_be_written(run, late, monkeypatch, mpi):
    preloaded_library(mpi)
    monkeypatch.setattr("tempfile.mkdtemp", lambda **_: Path("/proc/none").mkdir())
    done = run("--algorithm", "paced", "--", *late, 2, 100)
    assert (done.code, done.err) == (0, "")
    assert json.loads(done.out)["calls"]["paced"] == 2
    done = run("--explain", "--algorithm", "paced", "--", *late, 2, 100)  # which needs a folder
    assert done.err.count("\n") == 1
    assert json.loads(done.out)["calls"]["native"] == -1


def test_signals_reach_the_program(tmp_path):
    ready = tmp_path / "ready"
    script = f"trap 'exit 9' TERM; : > {ready}; for i in $(seq 1000); do sleep 0.05; done"
    words = [sys.executable, "-m", "contend", "alltoall", "run", "--", "sh", "-c", script]
    with started(words, stderr=subprocess.DEVNULL) as process:
        while not ready.exists() and process.poll() is None:
            time.sleep(0.02)
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=60) == 9


def test_the_program_is_found_behind_the_launchers_options():
    words = ["srun", "-N", "2", "--ntasks", "4", "-p", "env", "--mpi=pmix", "python3", "env"]
    launch = parse_launch(words)
    assert (launch.launcher, launch.family, launch.program) == (0, "Slurm", 8)
    assert with_variables(launch, {"LD_PRELOAD": "x"}) == (words, {"LD_PRELOAD": "x"})
    assert parse_launch(["env", "A=1", "srun", "-n", "2", "true"]).program == 5


@pytest.mark.parametrize(
    ("family", "given", "expected"),
    [
        ("Open MPI", "mpirun -n 2 ./a", "mpirun -x LD_PRELOAD=l.so -x A=1 -n 2 ./a"),
        (
            "Open MPI",
            "mpirun -x LD_PRELOAD=m.so -n 2 ./a",
            "mpirun -x A=1 -x LD_PRELOAD=l.so:m.so -n 2 ./a",
        ),
        (
            "Open MPI",
            "mpirun -n 2 ./a : -n 1 ./b",
            "mpirun -x LD_PRELOAD=l.so -x A=1 -n 2 ./a : -x LD_PRELOAD=l.so -x A=1 -n 1 ./b",
        ),
        (
            "Open MPI",
            "mpirun -n 2 env -u B LD_PRELOAD=m.so ./a : -x LD_PRELOAD=n.so -n 1 true LD_PRELOAD=o",
            "mpirun -x A=1 -n 2 env -u B LD_PRELOAD=l.so:m.so ./a : "
            "-x A=1 -x LD_PRELOAD=l.so:n.so -n 1 true LD_PRELOAD=o",
        ),
        (
            "Open MPI",
            "mpirun -x LD_PRELOAD -n 2 ./a : -n 1 true",
            "mpirun -x A=1 -x LD_PRELOAD=l.so -n 2 ./a : -x LD_PRELOAD=l.so -x A=1 -n 1 true",
        ),
        (
            "MPICH",
            "mpiexec -n 2 ./a : -n 1 -env LD_PRELOAD m.so true",
            "mpiexec -genv LD_PRELOAD l.so -genv A 1 -n 2 ./a : "
            "-n 1 -env LD_PRELOAD l.so:m.so true",
        ),
        ("MPICH", "mpiexec -n 2 ./a", "mpiexec -genv LD_PRELOAD l.so -genv A 1 -n 2 ./a"),
        (
            "Intel MPI",
            "mpiexec -genv LD_PRELOAD m.so ./a",
            "mpiexec -genv A 1 -genv LD_PRELOAD l.so:m.so ./a",
        ),
    ],
)
def test_the_ranks_get_the_variables_and_the_launcher_does_not(family, given, expected):
    words = given.split()
    program = words.index("env" if "env" in words else "./a")
    launch = LaunchCommand(tuple(words), 0, family, program)
    wanted = {"LD_PRELOAD": "l.so", "A": "1"}
    assert with_variables(launch, wanted) == (expected.split(), {})


def test_programs_of_a_file_are_in_doubt():
    launch = LaunchCommand(("mpirun", "--app", "programs"), 0, "Open MPI", None)
    with pytest.raises(InvalidInputError, match="from a file"):
        with_variables(launch, {"LD_PRELOAD": "l.so"})
    own = LaunchCommand(("mpirun", "./a", "--app", "b"), 0, "Open MPI", 1)
    assert with_variables(own, {"A": "1"})[0] == ["mpirun", "-x", "A=1", "./a", "--app", "b"]


@pytest.mark.parametrize(
    "words", [("--groups", "none.toml"), ("--json",), ("--explain", "--algorithm", "lg")]
)
@pytest.mark.parametrize("streams", [">/dev/full", "2>/dev/full", ">&-", "2>&-", ">&- 2>&-"])
def test_what_nobody_reads_changes_no_exit_code(words, streams):
    run = shlex.join(
        [sys.executable, "-m", "contend", "alltoall", "run", *words, "--", "sh", "-c", "exit 7"]
    )
    done = subprocess.run(["sh", "-c", f"{run} {streams}"], capture_output=True, check=False)
    assert done.returncode == 7


def test_what_is_preloaded_already_stays():
    assert preload_before("/l.so", os.environ.get("NO_SUCH")) == "/l.so"
    assert preload_before("/l.so", "/m.so:/l.so /n.so") == "/l.so:/m.so:/n.so"
