"""A lab that runs: hosts, launches, and that nothing is left whatever ends it."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from contend.base.errors import LaunchError
from contend.measure.lab import session
from contend.measure.lab.programs import PLACE
from contend.measure.lab.session import start
from support.processes import completed

OWNER = """
import sys, time
from contend.measure.lab.session import start
from contend.measure.lab.specification import Lab
with start(Lab.model_validate_json(sys.argv[1])) as lab:
    print(lab.init, flush=True)
    time.sleep(600)
"""


def inside(lab, script, host="head"):
    """Output of a shell script on a host."""
    command = [*lab.command(host), "sh", "-c", script]
    environment = {**os.environ, **lab.variables}
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def family(pid):
    """A process and all below it."""
    one = psutil.Process(pid)
    return [one, *one.children(recursive=True)]


def wait_until_gone(processes, seconds=20):
    _, alive = psutil.wait_procs(processes, seconds)
    assert [one for one in alive if one.status() != psutil.STATUS_ZOMBIE] == []


def traces():
    """What a lab could leave behind outside: mounts, interfaces, files."""
    mounts = [line for line in Path("/proc/mounts").read_text().splitlines() if "contend" in line]
    return (mounts, sorted(Path("/sys/class/net").iterdir()), sorted(PLACE.iterdir()))


def namespaces():
    """Network namespaces of all processes that can be looked into."""
    found = set()
    for pid in psutil.pids():
        try:
            found.add(Path(f"/proc/{pid}/ns/net").readlink())
        except OSError:
            continue
    return found


def test_each_host_has_its_name_its_address_and_nothing_else(three):
    before = traces()
    with start(three) as lab:
        assert inside(lab, "ssh node2 hostname") == ["node2"]
        assert inside(lab, "ssh 10.77.1.3 hostname") == ["node3"]
        assert inside(lab, "ssh node1 cat /proc/net/dev | grep -c :") == ["2"]
        assert inside(lab, "ssh node1 cat /proc/sys/net/ipv4/tcp_congestion_control") == ["reno"]
        assert inside(lab, "ssh node1 grep CapEff /proc/self/status") == ["CapEff:", "0" * 16]
        assert "node3" in inside(lab, "cat /etc/hosts")
        site = inside(lab, "ssh node2 cat $CONTEND_SITE")  # what the exchange library reads
        assert site[:2] == ["contend-exchange", "1"]
        assert "node" in site[site.index("link") :]
        assert lab.counters()["drops"] == 0
        assert traces() == before
    assert traces() == before


def test_an_unknown_host_is_named(three):
    with start(three) as lab:
        command = [*lab.command("head"), "sh", "-c", "ssh node9 hostname"]
        done = subprocess.run(
            command, env={**os.environ, **lab.variables}, capture_output=True, text=True,
            check=False,
        )  # fmt: skip
    assert done.returncode == 1
    assert "no host of this lab is named node9" in done.stderr


def test_the_exit_code_of_a_command_is_passed_on(three):
    with start(three) as lab:
        assert subprocess.run([*lab.command(), "sh", "-c", "exit 7"], check=False).returncode == 7
        killed = subprocess.run([*lab.command(), "sh", "-c", "kill -9 $$"], check=False)
        assert killed.returncode == -signal.SIGKILL


def test_two_labs_run_beside_each_other(three):
    with start(three) as one, start(three) as other:
        assert one.init != other.init
        assert inside(one, "ssh node1 hostname") == inside(other, "ssh node1 hostname")


def test_nothing_is_left_when_the_owner_is_killed(three):
    before = namespaces(), traces()
    command = [sys.executable, "-c", OWNER, three.model_dump_json()]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as owner:
        init = int(owner.stdout.readline())
        everyone = [*family(owner.pid), *family(init)]
        assert len(namespaces()) > len(before[0])
        owner.kill()
    wait_until_gone(everyone)
    assert (namespaces(), traces()) == before


@pytest.mark.parametrize("victim", ["switch", "supervisor"])
def test_nothing_is_left_when_a_part_is_killed_and_the_user_is_told(three, victim):
    before = namespaces(), traces()
    with start(three) as lab:
        everyone = [*family(psutil.Process(lab.init).ppid())]
        (switch,) = [one for one in everyone if one.name() == "contend-switch"]
        (switch if victim == "switch" else everyone[0]).kill()
        wait_until_gone(everyone)
        time.sleep(0.05)
        with pytest.raises(LaunchError, match=r"has ended: .*(signal 9|was ended)"):
            lab.require_alive()
    assert (namespaces(), traces()) == before


def test_a_process_that_a_launch_left_behind_goes_with_the_lab(three):
    with start(three) as lab:
        inside(lab, "ssh node1 'setsid sleep 600 > /dev/null 2>&1 &'")
        deadline = time.monotonic() + 20
        while not (left := [one for one in family(lab.init) if one.name() == "sleep"]):
            assert time.monotonic() < deadline
            time.sleep(0.02)
    wait_until_gone(left)


def test_a_machine_without_user_namespaces_is_told_what_to_do(allowed):
    script = (
        "echo 0 > /proc/sys/user/max_user_namespaces && "
        f"{sys.executable} -m contend lab fast-ethernet -- true"
    )
    command = ["unshare", "--user", "--map-root-user", "sh", "-c", script]
    done = completed(command, timeout=60)
    assert done.returncode == 1
    assert "this machine allows no lab" in done.stderr
    assert "user.max_user_namespaces" in done.stderr


def test_the_remedy_names_how_to_do_without():
    assert "--on here" in session.REMEDY
