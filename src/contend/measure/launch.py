"""One launch of an MPI program: its lines as they come, its death and its silence as errors."""

import contextlib
import ctypes
import json
import os
import queue
import re
import signal
import subprocess
import tempfile
import threading
import time
from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import psutil

from contend.base.errors import LaunchError, LostLaunchError
from contend.measure.scratch import existing_segments, mapped_segments, record_segments, scratch

PREFIX = "contend "
# What a preloaded exchange library says when it does not do what it was asked for.
COMPLAINT = re.compile(r"contend: (.*); (?:every|calls) .* the MPI library's own")
KEPT_LINES = 15
GRACE_SECONDS = 5.0  # for a launcher to end its ranks, before they are killed
POLL_SECONDS = 0.1  # between two looks for shared memory while ranks start
FOLDER_PREFIX = "contend-launch-"
_PR_SET_PDEATHSIG = 1


def run(
    command: Sequence[str],
    variables: Mapping[str, str],
    start_timeout: float,
    point_timeout: float,
    *,
    is_here: bool = True,
) -> Iterator[dict[str, Any]]:
    """Objects that the program prints, one by one; `variables` are added to the environment.

    Where all ranks are on this machine (`is_here`), temporary files go to a folder of this launch.

    Raises
    ------
    LaunchError
        When the launch cannot start, ends with an error, ends early, returns wrong data, says
        nothing for `start_timeout` seconds at first or for `point_timeout` seconds later, or when
        a preloaded exchange library leaves all calls alone. No process of the launch is left
        behind, whatever happens.
    """
    with (
        tempfile.TemporaryFile("w+", errors="replace") as errors,
        scratch(Path(tempfile.gettempdir()), FOLDER_PREFIX) as folder,
    ):
        temporary = {"TMPDIR": str(folder)} if is_here else {}
        before = existing_segments()
        try:
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                errors="replace",
                env={**os.environ, **temporary, **variables},
                start_new_session=True,
                preexec_fn=end_with_parent(),  # noqa: PLW1509
            )
        except OSError as error:
            raise LaunchError(
                f"cannot start {command[0]}: {error.strerror}", "see 'contend doctor'"
            ) from None
        others: deque[str] = deque(maxlen=KEPT_LINES)
        memory = _SharedMemory(process, folder, before)
        try:
            for data in _lines(process, others, start_timeout, point_timeout, memory):
                _require_no_complaint(errors)
                yield data
        except LaunchError as error:
            errors.seek(0)
            error.message += last_lines([*others, *errors.read().splitlines()])
            raise
        finally:
            memory.record()
            end_launch(process)


def _require_no_complaint(errors: IO[str]) -> None:
    """Raise an error with a preloaded library's complaint: not what was requested is timed.

    The offset of the file is the launcher's too, and is left alone.
    """
    text = os.pread(errors.fileno(), os.fstat(errors.fileno()).st_size, 0).decode(errors="replace")
    if complaint := COMPLAINT.search(text):
        raise LaunchError(
            f"the exchange library did not do as asked: {complaint[1]}",
            "mend the plan, or name an algorithm that suits these groups and this size",
        )


@dataclass
class _SharedMemory:
    """Segments that the ranks have mapped, noted in the folder of the launch, to go with it."""

    process: "subprocess.Popen[str]"
    folder: Path
    before: Collection[Path]  # there already, and so somebody else's
    seen: set[Path] = field(default_factory=set)

    def record(self) -> None:
        segments = mapped_segments(_family(self.process)).difference(self.before)
        if not segments <= self.seen:
            self.seen |= segments
            record_segments(self.folder, self.seen)


def end_with_parent() -> Callable[[], None]:
    """A call that has the kernel end the launcher, and so the ranks, when contend is killed.

    It runs between fork and exec, where a lock that a thread held would never be released;
    everything it needs is therefore looked up here, and it makes one system call.
    """
    prctl = ctypes.CDLL(None).prctl
    return lambda: prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


def _lines(
    process: "subprocess.Popen[str]",
    others: deque[str],
    start_timeout: float,
    point_timeout: float,
    memory: _SharedMemory,
) -> Iterator[dict[str, Any]]:
    """Objects of the lines that are contend's; the last of the others are kept in `others`.

    Shared memory is noted while the ranks start, and with the first line of each kind: later it
    would disturb what is measured.
    """
    lines: queue.Queue[str | None] = queue.Queue()
    threading.Thread(target=_pump, args=(process.stdout, lines), daemon=True).start()
    is_complete, timeout, kinds = False, start_timeout, set[str]()
    while (line := _next(lines, timeout, None if kinds else memory)) is not None:
        if line.startswith(PREFIX):
            timeout = point_timeout
            data = _parse(line)
            if data["kind"] not in kinds:
                memory.record()
                kinds.add(data["kind"])
            is_complete = is_complete or data.get("kind") == "end"
            yield data
        else:
            others.append(line.rstrip())
    status = process.wait()
    if status or not is_complete:
        raise LostLaunchError(
            f"the launch {_ended(status)}",
            "what was measured is kept; mend the cause and run the same command again",
        )


def _next(
    lines: "queue.Queue[str | None]", timeout: float, memory: _SharedMemory | None
) -> str | None:
    """The next line; meanwhile shared memory is looked for where `memory` is given."""
    deadline = time.monotonic() + timeout
    while (remaining := deadline - time.monotonic()) > 0:
        with contextlib.suppress(queue.Empty):
            return lines.get(timeout=min(remaining, POLL_SECONDS) if memory else remaining)
        if memory:
            memory.record()
    raise LostLaunchError(
        f"the launch printed nothing for {timeout:g} s and was ended (a rank hangs?)",
        "raise --repeat timeout= if one point can take that long, else look for a message that is "
        "awaited and never sent; what was measured is kept",
    )


def _pump(stream: IO[str], lines: "queue.Queue[str | None]") -> None:
    try:
        for line in stream:
            lines.put(line)
    finally:
        lines.put(None)


def _parse(line: str) -> dict[str, Any]:
    try:
        data: dict[str, Any] = json.loads(line[len(PREFIX) :])
    except json.JSONDecodeError:
        raise LaunchError(
            f"the launch printed a broken line: {line[:200]!r}",
            "keep other output of the launcher apart from that of the ranks",
        ) from None
    if data["kind"] == "error":
        raise LaunchError(
            f"wrong data on rank {data['rank']}: {data['experiment']}/{data['algorithm']} "
            f"m={data['m']}, {data['detail']}",
            "the MPI library or the network corrupts messages, or the schedule that ran is wrong; "
            "nothing of this point is stored",
        )
    return data


def _ended(status: int) -> str:
    if status < 0:
        return f"was killed by {signal.Signals(-status).name}"
    if status > 128 and status - 128 in set(signal.Signals):
        return f"ended with status {status} ({signal.Signals(status - 128).name})"
    return f"ended with status {status}" if status else "ended before its last point"


def last_lines(lines: Sequence[str]) -> str:
    kept = [line for line in lines if line.strip()][-KEPT_LINES:]
    return ":\n  " + "\n  ".join(kept) if kept else ""


def end_launch(process: "subprocess.Popen[Any]") -> None:
    """End the launcher and all that it started: politely, then for good.

    A launcher's helpers remove their files when they have time to end by themselves.
    """
    family = _family(process)
    if process.poll() is None:
        process.terminate()
    deadline = time.monotonic() + GRACE_SECONDS
    while time.monotonic() < deadline and (process.poll() is None or _alive(family)):
        time.sleep(0.02)
    for member in family | _family(process):
        with contextlib.suppress(psutil.Error):
            member.kill()
    if process.poll() is None:
        process.kill()
    process.wait()
    if process.stdout:
        process.stdout.close()


def _alive(family: set[psutil.Process]) -> bool:
    """Whether one of them has not ended; one that nobody waits for has."""
    for member in family:
        with contextlib.suppress(psutil.Error):
            if member.is_running() and member.status() != psutil.STATUS_ZOMBIE:
                return True
    return False


def _family(process: "subprocess.Popen[Any]") -> set[psutil.Process]:
    family: set[psutil.Process] = set()
    for member in psutil.process_iter():
        with contextlib.suppress(OSError):
            if member.pid != process.pid and os.getsid(member.pid) == process.pid:
                family.add(member)
    if process.returncode is None:  # else the number may be another's by now
        with contextlib.suppress(psutil.Error):
            family.update(psutil.Process(process.pid).children(recursive=True))
    return family
