"""A lab that is not ready yet: its lifeline, its time limit, and the network it refuses."""

import contextlib
import shutil
import subprocess
import sys

import psutil
import pytest

from contend.base.errors import LaunchError
from contend.measure.lab import session
from contend.measure.lab.programs import PLACE, PROGRAMS
from support.processes import completed, started

STOPPED = "#!/bin/sh\nkill -STOP $$\n"
OWNER = """
import pathlib, sys
from contend.measure.lab import session
from contend.measure.lab.specification import Lab
session.PROGRAMS = pathlib.Path(sys.argv[2])
with session.start(Lab.model_validate_json(sys.argv[1])):
    pass
"""


@contextlib.contextmanager
def supervisor(seconds, *builder):
    """The supervisor with a builder of its own, and its first process."""
    command = [PROGRAMS / "contend-lab", str(seconds), PLACE, "node1", "--", *builder]
    pipe = subprocess.PIPE
    with started(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as process:
        yield process, psutil.Process(int(process.stdout.readline().split()[1]))


@pytest.fixture
def stopped_switch(tmp_path):
    """Folder of the lab's programs, with a switch that stops before it is ready."""
    folder = tmp_path / "bin"
    shutil.copytree(PROGRAMS, folder)
    (folder / "contend-switch").unlink()
    (folder / "contend-switch").write_text(STOPPED)
    (folder / "contend-switch").chmod(0o755)
    return folder


def wait_until_stopped(owner):
    while owner.status() != psutil.STATUS_ZOMBIE:
        with contextlib.suppress(psutil.NoSuchProcess):  # builders come and go meanwhile
            for process in owner.children(recursive=True):
                if process.status() == psutil.STATUS_STOPPED:
                    return [owner, *owner.children(recursive=True)]
    raise AssertionError("the owner has ended by itself")


def gone(processes, seconds=30):
    """Whether all have ended; what has no parent left to ask for it counts as ended."""
    _, alive = psutil.wait_procs(processes, seconds)
    return all(one.status() == psutil.STATUS_ZOMBIE for one in alive)


def test_the_lifeline_ends_a_lab_whose_builder_still_works(allowed):
    with supervisor(1000, "sleep", "1000") as (process, init):
        everyone = [init, *init.children(recursive=True)]
        process.stdin.close()
        assert process.wait(30) == 0
    assert gone(everyone)


def test_a_builder_that_hangs_is_ended_with_its_lab(allowed):
    with supervisor(1, "sleep", "1000") as (process, init):
        assert process.wait(60) == 1
        said = process.stderr.read()
    assert "was not ready after 1 s" in said
    assert gone([init])


def test_a_switch_that_stops_before_it_is_ready_ends_the_lab(three, stopped_switch, monkeypatch):
    monkeypatch.setattr(session, "PROGRAMS", stopped_switch)
    monkeypatch.setattr(session, "READY_SECONDS", 5)
    with pytest.raises(LaunchError, match=r"was not ready after 5 s"), session.start(three):
        pass
    left = psutil.Process().children(recursive=True)
    assert [one for one in left if one.name() in ("contend-lab", "contend-switch")] == []


def test_nothing_is_left_when_the_owner_of_a_stopped_switch_is_killed(three, stopped_switch):
    command = [sys.executable, "-c", OWNER, three.model_dump_json(), stopped_switch]
    with subprocess.Popen(command) as owner:
        try:
            everyone = wait_until_stopped(psutil.Process(owner.pid))
        finally:
            owner.kill()
    assert gone(everyone)


def test_the_switch_refuses_the_network_of_the_machine(allowed, tmp_path):
    """In a new user namespace, where packet sockets could be had, but in the network as it is."""
    text = "host a lo 02:00:00:00:00:01\nhost b lo2 02:00:00:00:00:02\nroute a b\nroute b a\n"
    (tmp_path / "network").write_text(text)
    command = [PROGRAMS / "contend-switch", tmp_path / "network", tmp_path / "counters"]
    for before in ([], ["unshare", "-Ur"]):
        done = completed([*before, *command], timeout=60)
        assert done.returncode == 1
        assert "the machine's own network" in done.stderr
