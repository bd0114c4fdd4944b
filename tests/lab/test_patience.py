"""The preloaded library that lets ranks wait: fewer calls, and otherwise nothing changed."""

import json
import sys

import pytest

from support.processes import completed

CALLS = ["poll", "ppoll", "select", "epoll_wait", "epoll_pwait", "epoll_pwait2", "__poll_chk"]
CALLS += ["__ppoll_chk"]

# Reads the call's name, defines call(seconds, nfds=1): the result of asking once about `reader`.
DRIVER = """
import ctypes, errno, json, os, select, signal, sys, time

name, libc = sys.argv[1], ctypes.CDLL(None, use_errno=True)
if not hasattr(libc, name):
    print(json.dumps("absent"))
    sys.exit()
reader, writer = os.pipe()
epoll = select.epoll()
epoll.register(reader, select.EPOLLIN)

class PollFd(ctypes.Structure):
    _fields_ = [("fd", ctypes.c_int), ("events", ctypes.c_short), ("revents", ctypes.c_short)]

class Time(ctypes.Structure):
    _fields_ = [("whole", ctypes.c_long), ("part", ctypes.c_long)]

fds = PollFd(reader, select.POLLIN, 0)
sets = (ctypes.c_ulong * 16)()
events = ctypes.create_string_buffer(64)
timeout = Time()
function = getattr(libc, name)

def call(seconds=0.0, nfds=1):
    timeout.whole, timeout.part = int(seconds), round(seconds % 1 * 1e9)
    timespec, milliseconds = ctypes.byref(timeout), int(seconds * 1e3)
    size = ctypes.c_size_t(ctypes.sizeof(fds))
    if name == "poll":
        return function(ctypes.byref(fds), nfds, milliseconds)
    if name == "__poll_chk":
        return function(ctypes.byref(fds), nfds, milliseconds, size)
    if name == "ppoll":
        return function(ctypes.byref(fds), nfds, timespec, None)
    if name == "__ppoll_chk":
        return function(ctypes.byref(fds), nfds, timespec, None, size)
    if name == "select":
        sets[0] = 1 << reader
        timeout.part //= 1000
        return function(reader + 1 if nfds else 0, sets if nfds else None, None, None, timespec)
    descriptor = epoll.fileno() if nfds else -1
    if name == "epoll_wait":
        return function(descriptor, events, 1, milliseconds)
    last = milliseconds if name == "epoll_pwait" else timespec
    return function(descriptor, events, 1, last, None)

def miss(times=50):
    return [call() for _ in range(times)]

def calls_in(seconds, **how):
    end, count = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        call(**how)
        count += 1
    return count

def show(value):
    print(json.dumps(value))
"""


@pytest.fixture(params=CALLS)
def told(request, shim):
    """A function that runs lines after the driver, with the library or without it."""

    def run(lines, is_patient=True, **more):
        variables = {"LD_PRELOAD": shim if is_patient else "", **more}
        command = [sys.executable, "-c", DRIVER + lines, request.param]
        done = completed(command, env=variables, timeout=60, check=True)
        answer = json.loads(done.stdout)
        if answer == "absent":
            pytest.skip(f"this C library has no {request.param}")
        return answer

    return run


def test_a_loop_over_an_idle_pipe_calls_far_less_often(told):
    lines = "show(calls_in(0.2))"
    assert told(lines) < told(lines, is_patient=False) / 10


def test_the_first_misses_do_not_wait(told):
    """What the misses before waiting take is far less than what as many waits take."""
    lines = """
def seconds(times):
    begin = time.monotonic()
    miss(times)
    return time.monotonic() - begin

rounds = []
for _ in range(20):
    os.write(writer, b"x")
    call()
    os.read(reader, 1)
    rounds.append((seconds(4), seconds(4)))
show([min(first for first, _ in rounds), min(second for _, second in rounds)])
"""
    quick, waiting = told(lines)
    assert quick < waiting / 5


def test_events_are_found_however_many_misses_came_before(told):
    lines = """
before = set(miss())
os.write(writer, b"x")
found = [call() for _ in range(3)]
os.read(reader, 1)
show([list(before), found, call(), fds.revents if "poll" in name[:7] else sets[0]])
"""
    assert told(lines) == [[0], [1, 1, 1], 0, 0]


def test_an_event_ends_a_wait_and_the_next_calls_are_quick(told):
    """With something always there, patience costs nothing but the way through the library."""
    lines = 'miss(); os.write(writer, b"x"); show(calls_in(0.1))'
    assert told(lines) > told("show(calls_in(0.1))") * 5


def test_errors_and_errno_pass_through(told):
    lines = """
miss()
ctypes.set_errno(77)
kept = [call(), ctypes.get_errno()]
fds.fd, bad = 10**6, None
if name == "select":
    sets[0] = 0
    bad = [function(-1, sets, None, None, ctypes.byref(timeout)), ctypes.get_errno()]
elif name.startswith("epoll"):
    bad = [call(nfds=0), ctypes.get_errno()]
else:
    bad = [call(), fds.revents]
show([kept, bad, [errno.EINVAL, errno.EBADF, select.POLLNVAL]])
"""
    kept, bad, (invalid, no_descriptor, is_closed) = told(lines)
    assert kept == [0, 77]
    assert bad in ([-1, invalid], [-1, no_descriptor], [1, is_closed])
    assert told(lines, is_patient=False) == [kept, bad, [invalid, no_descriptor, is_closed]]


def test_a_signal_interrupts_a_wait(told):
    lines = """
signal.signal(signal.SIGALRM, lambda *_: None)
signal.setitimer(signal.ITIMER_REAL, 0.0003, 0.0007)
end, seen = time.monotonic() + 20, 0
while seen != -1 and time.monotonic() < end:
    ctypes.set_errno(0)
    seen = call()
signal.setitimer(signal.ITIMER_REAL, 0)
show([seen, ctypes.get_errno() == errno.EINTR])
"""
    assert told(lines) == [-1, True]


def test_other_time_outs_are_not_changed(told):
    lines = """
miss()
begin = time.monotonic()
result = call(0.05)
show([result, time.monotonic() - begin])
"""
    result, seconds = told(lines)
    assert result == 0
    assert seconds >= 0.049


def test_a_call_without_descriptors_does_not_wait(told):
    lines = "miss(); show(calls_in(0.1, nfds=0))"
    assert told(lines) > told("miss(); show(calls_in(0.1))") * 5


def test_a_rank_with_neighbours_waits_for_less_at_first_and_then_for_longer(told):
    """What misses take after an event, and after many; what else a call does stays as it was."""
    lines = """
def seconds(times):
    begin = time.monotonic()
    miss(times)
    return time.monotonic() - begin

rounds = []
for _ in range(10):
    os.write(writer, b"x")
    call()
    os.read(reader, 1)
    miss(4)
    rounds.append((seconds(3), miss(10), seconds(3)))
ctypes.set_errno(77)
kept = [call(), ctypes.get_errno()]
os.write(writer, b"x")
found = [call() for _ in range(3)]
show([min(one[0] for one in rounds), min(one[2] for one in rounds), kept, found])
"""
    many = {"CONTEND_SHARED_WAIT": "5e-5", "MPI_LOCALNRANKS": "2", "PMI_SIZE": "100"}
    early, late, kept, found = told(lines, **many)
    assert early < late / 2
    assert (kept, found) == ([0, 77], [1, 1, 1])
    alone, _, _, _ = told(lines, **{**many, "MPI_LOCALNRANKS": "1"})
    assert early < alone / 2
