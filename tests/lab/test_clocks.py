"""The preloaded library's clocks and waits: in the time of the network that a lab stands for."""

import json
import socket
import subprocess
import sys

import pytest

from support.processes import completed

# Defines libc, real() and seen(name), both in seconds, and show(value).
DRIVER = """
import ctypes, json, select, signal, sys, threading, time
libc = ctypes.CDLL(None, use_errno=True)

class Time(ctypes.Structure):
    _fields_ = [("whole", ctypes.c_long), ("part", ctypes.c_long)]

def seconds(clock, number=None):
    now = Time()
    arguments = (clock, ctypes.byref(now))
    code = libc.clock_gettime(*arguments) if number is None else libc.syscall(number, *arguments)
    assert code == 0
    return now.whole + now.part * 1e-9

NUMBER = {"x86_64": 228, "aarch64": 113}[__import__("platform").machine()]

def real(clock=time.CLOCK_MONOTONIC):
    return seconds(clock, NUMBER)

def of_day():
    now = Time()
    assert libc.gettimeofday(ctypes.byref(now), None) == 0
    return now.whole + now.part * 1e-6

def of_c11():
    now = Time()
    assert libc.timespec_get(ctypes.byref(now), 1) == 1
    return now.whole + now.part * 1e-9

def of_mpi(name):
    function = getattr(libc, name)
    function.restype = ctypes.c_double
    return function()

def pair(read, clock=time.CLOCK_MONOTONIC):
    "What is seen, and the real time just before and after."
    before = real(clock)
    return [read(), before, real(clock)]

def apart(read, clock=time.CLOCK_MONOTONIC, length=0.05):
    "The least and the most that may be seen between two readings, and what was."
    first = pair(read, clock)
    end = real() + length
    while real() < end:
        pass
    last = pair(read, clock)
    return [last[1] - first[2], last[2] - first[1], last[0] - first[0]]

def show(value):
    print(json.dumps(value))
"""


@pytest.fixture
def told(shim):
    """A function that runs lines after the driver, with clocks as its arguments say."""

    def run(lines, **clock):
        variables = {f"CONTEND_CLOCK_{name.upper()}": str(value) for name, value in clock.items()}
        words = [sys.executable, "-c", DRIVER + lines]
        done = completed(words, env=variables | {"LD_PRELOAD": shim}, timeout=60, check=True)
        return json.loads(done.stdout)

    return run


ELAPSED = ["MONOTONIC", "REALTIME", "BOOTTIME", "MONOTONIC_RAW", "TAI"]
NAMES = ["MPI_Wtime", "PMPI_Wtime", "mpi_wtime_", "mpi_wtime__", "mpi_wtime", "MPI_WTIME"]
READERS = {
    **{f"lambda: seconds(time.CLOCK_{name})": 1e-6 for name in ELAPSED if name != "MONOTONIC_RAW"},
    "lambda: seconds(4)": 1e-5,  # the raw clock: its rate may differ by some 100 ppm
    "of_day": 3e-6,
    "of_c11": 1e-6,
    **{f'lambda: of_mpi("{name}")': 1e-6 for name in NAMES},
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("dilation", [1, 4])
def test_every_clock_is_slower_by_the_dilation(told, reader, dilation):
    least, most, seen = told(f"show(apart({reader}))", dilation=dilation)
    rounding = READERS[reader]
    assert least / dilation - rounding <= seen <= most / dilation + rounding


def test_seconds_since_1970_are_those_of_the_other_clocks(told):
    lines = "libc.time.restype = ctypes.c_long; show([libc.time(None), time.time()])"
    whole, exact = told(lines, dilation=1000, origin=2e9)
    assert abs(whole - exact) < 1.1


def test_clocks_of_processor_time_are_real(told):
    lines = """
end = real() + 0.1
while real() < end:
    pass
clocks = [time.CLOCK_PROCESS_CPUTIME_ID, time.CLOCK_THREAD_CPUTIME_ID]
show([[pair(lambda: seconds(one), one) for one in clocks]])
"""
    for seen, before, after in told(lines, dilation=8)[0]:
        assert before <= seen <= after


def test_the_date_goes_on_from_the_origin(told):
    """What is seen is origin + (real - origin) / dilation; the other clocks begin at zero."""
    lines = "show([pair(time.time, time.CLOCK_REALTIME), pair(time.monotonic)])"
    origin = 1.5e9
    date, uptime = told(lines, dilation=4, origin=origin)
    for (seen, before, after), start in ((date, origin), (uptime, 0.0)):
        least, most = (start + (real - start) / 4 for real in (before, after))
        assert least - 1e-6 <= seen <= most + 1e-6


@pytest.mark.parametrize("rate", [1 - 1e-4, 1 + 1e-4, 1.5])
def test_a_host_has_the_rate_and_the_offset_that_are_its_own(told, rate):
    own, lines = socket.gethostname(), "show(pair(time.monotonic))"
    of_all = told(lines, rate=rate, offset=-2.5)
    of_one = told(lines, rate=f"other:3,{own}:{rate}", offset=f"{own}:-2.5,other:7")
    for seen, before, after in (of_all, of_one):
        assert before * rate - 2.5 - 1e-6 <= seen <= after * rate - 2.5 + 1e-6
    seen, before, after = told(lines, rate=f"{own}x:3", offset="other:7")
    assert before <= seen <= after


WAITS = {
    "sleep": "time.sleep(0.02)",
    "nanosleep": "libc.nanosleep(ctypes.byref(Time(0, 20_000_000)), None)",
    "usleep": "libc.usleep(20_000)",
    "event": "threading.Event().wait(0.02)",
    "lock": "lock.acquire(timeout=0.02)",
    "select": "select.select([], [], [], 0.02)",
    "poll": "select.poll().poll(20)",
    "epoll": "select.epoll().poll(0.02)",
    "condition": """
mutex, condition = ctypes.create_string_buffer(128), ctypes.create_string_buffer(128)
libc.pthread_cond_timedwait(condition, mutex, ctypes.byref(deadline(time.CLOCK_REALTIME)))
""",
    "semaphore": """
libc.sem_timedwait(ctypes.create_string_buffer(64), ctypes.byref(deadline(time.CLOCK_REALTIME)))
""",
    "until": """
libc.clock_nanosleep(time.CLOCK_MONOTONIC, 1, ctypes.byref(deadline(time.CLOCK_MONOTONIC)), None)
""",
    "timer": "signal.setitimer(signal.ITIMER_REAL, 0.02); signal.pause()",
}


@pytest.mark.parametrize("wait", WAITS)
def test_waits_last_as_long_in_the_time_that_is_seen(told, wait):
    lines = """
lock = threading.Lock()
lock.acquire()
signal.signal(signal.SIGALRM, lambda *_: None)
def deadline(clock):
    at = seconds(clock) + 0.02
    return Time(int(at), int(at % 1 * 1e9))
begin = real(), time.monotonic()
"""
    shown = "\nshow([real() - begin[0], time.monotonic() - begin[1]])"
    real, seen = told(lines + WAITS[wait] + shown, dilation=10, origin=1.7e9)
    assert seen >= 0.0199
    assert real >= 0.199


def test_what_is_left_of_a_sleep_is_in_the_time_that_is_seen(told):
    lines = """
signal.signal(signal.SIGALRM, lambda *_: None)
signal.setitimer(signal.ITIMER_REAL, 0.05)
left = Time()
code = libc.nanosleep(ctypes.byref(Time(100, 0)), ctypes.byref(left))
show([code, left.whole + left.part * 1e-9])
"""
    code, left = told(lines, dilation=10)
    assert code == -1
    assert 90 < left < 100


def test_waits_for_ever_and_not_at_all_stay_so(told):
    lines = """
import os
reader, writer = os.pipe()
poll = select.poll()
poll.register(reader, select.POLLIN)
none = poll.poll(0)
threading.Timer(0.01, os.write, (writer, b"x")).start()
show([none, len(poll.poll(-1)), len(select.select([reader], [], [], None)[0])])
"""
    assert told(lines, dilation=50) == [[], 1, 1]


def test_a_rate_that_is_none_is_refused(told):
    with pytest.raises(subprocess.CalledProcessError) as error:
        told("show(0)", rate="fast")
    assert "CONTEND_CLOCK_RATE is a number above 0, got 'fast'" in error.value.stderr
