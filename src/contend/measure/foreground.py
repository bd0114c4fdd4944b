"""A command that runs as if nothing stood before it: its terminal, its exit code, its signals."""

import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import FrameType

from contend.base.errors import LaunchError

_BY_TERMINAL = (signal.SIGINT, signal.SIGQUIT)  # reach the command without us at Ctrl-C, Ctrl-\
_PASSED_ON = (*_BY_TERMINAL, signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2,
              signal.SIGALRM)  # fmt: skip


def run_in_foreground(command: Sequence[str], variables: Mapping[str, str]) -> int:
    """Exit code of the command, 128 + the signal where one ended it; `variables` are added.

    Raise LaunchError when it cannot be started.
    """
    process: subprocess.Popen[bytes] | None = None
    early: list[int] = []

    def pass_on(number: int, _: FrameType | None) -> None:
        if number in _BY_TERMINAL and _has_terminal():
            return
        if process is None:
            early.append(number)
        else:
            process.send_signal(number)

    before = {number: signal.signal(number, pass_on) for number in _PASSED_ON}
    try:
        process = subprocess.Popen(command, env={**os.environ, **variables})
        for number in early:
            process.send_signal(number)
        code = process.wait()
    except OSError as error:
        raise LaunchError(
            f"cannot start {command[0]}: {error.strerror}", "name a command that is on PATH"
        ) from None
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    return code if code >= 0 else 128 - code


def _has_terminal() -> bool:
    """Whether a terminal sends its signals to this process, and so to what it started."""
    try:
        with Path("/dev/tty").open("rb", buffering=0) as terminal:
            return os.tcgetpgrp(terminal.fileno()) == os.getpgrp()
    except OSError:
        return False
