"""Processes that run cases, and end with the one that leads."""

import os
import select
import signal
import subprocess
import sys
from concurrent.futures import BrokenExecutor, wait

import pytest

from contend.programs.sweeps.workers import Workers
from support.processes import started

pytestmark = [pytest.mark.timeout(120)]

LEADER = """
import os, signal
from contend.programs.sweeps.workers import Workers
with Workers(2) as executor:
    pids = {executor.submit(os.getpid).result() for _ in range(4)}
    busy = [executor.submit(signal.pause) for _ in range(2)]
    print(*pids, flush=True)
    busy[0].result()
"""


def wait_for_end(pid: int) -> None:
    """Until the process is gone, or the test's time is over."""
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    select.select([descriptor], [], [])
    os.close(descriptor)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_no_worker_outlives_its_leader(number: signal.Signals) -> None:
    """Though it never ends what it does."""
    with started([sys.executable, "-c", LEADER], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                 text=True) as leader:  # fmt: skip
        pids = leader.stdout.readline().split()
        assert pids
        leader.send_signal(number)
        for pid in pids:
            wait_for_end(int(pid))
        assert leader.wait() != 0


def test_where_a_worker_dies_its_call_alone_fails() -> None:
    with Workers(2) as executor:
        others = [executor.submit(pow, 2, number) for number in range(20)]
        dead = executor.submit(signal.raise_signal, signal.SIGKILL)
        others += [executor.submit(pow, 2, number) for number in range(20, 40)]
        wait(others)
        with pytest.raises(BrokenExecutor, match="was ended by SIGKILL"):
            dead.result()
        assert [one.result() for one in others] == [2**number for number in range(40)]


def test_what_a_call_raises_is_its_result() -> None:
    with Workers(1) as executor:
        with pytest.raises(ZeroDivisionError):
            executor.submit(divmod, 1, 0).result()
        assert executor.submit(divmod, 7, 2).result() == (3, 1)


def test_an_error_ends_workers_at_once() -> None:
    with pytest.raises(KeyError), Workers(1) as executor:
        pid = executor.submit(os.getpid).result()
        executor.submit(signal.pause)
        raise KeyError
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
