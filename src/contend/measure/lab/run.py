"""A command run inside an emulated network."""

import os
import signal
import subprocess
from collections.abc import Callable, Sequence

from contend.base.units import format_bytes, format_seconds
from contend.measure.lab.clocks import meaning, watched
from contend.measure.lab.session import start
from contend.measure.lab.specification import read_lab
from contend.samples import LabConditions


def run_in_lab(
    name: str, program: Sequence[str] = (), note: Callable[[str], object] = lambda _: None
) -> int:
    """Run a command inside, by default a shell, and say to `note` what became of its messages.

    `name` is that of a profile or of a TOML file. Returned is the exit code, 128 and more for a
    signal.

    >>> run_in_lab("fast-ethernet", ["true"])
    0
    """
    lab = read_lab(name)
    if not program:
        hosts = [host.name for host in lab.hosts]
        note(f"a shell in {lab.name}: hosts {hosts[0]} to {hosts[-1]}, 'exit' removes it")
    command = list(program) or [os.environ.get("SHELL", "/bin/sh")]
    with start(lab) as running, watched(running, command) as clocks:
        for text in running.notes:
            note(text)
        if about_clocks := meaning(lab):
            note(about_clocks)
            for path in clocks.static:
                note(f"{path} is statically linked: it sees real time, not these clocks")
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # the command decides what it means
        try:
            environment = {**os.environ, **running.variables}
            done = subprocess.run([*running.command(), *command], env=environment, check=False)
        finally:
            signal.signal(signal.SIGINT, before)
        running.require_alive()
        for path in clocks.unseen_by() if about_clocks else ():
            note(
                f"{path} did not see the clocks of {lab.name}: divide the times that it "
                f"prints by {lab.time_dilation:g}, or link it dynamically"
            )
        conditions = LabConditions.from_counters(running.counters(), running.lab.time_dilation)
    note(_summary(conditions))
    return done.returncode if done.returncode >= 0 else 128 - done.returncode


def _summary(conditions: LabConditions) -> str:
    text = (
        f"{conditions.frames} frames ({format_bytes(conditions.bytes)}), {conditions.drops} "
        f"dropped, {conditions.retransmissions} sent again ({conditions.timeouts} after a "
        f"time-out); {format_seconds(conditions.lateness_mean_s)} late on average"
    )
    if conditions.paused_s:
        text += f"; links stood still for {format_seconds(conditions.paused_s)} for want of room"
    return f"{text}; not valid: {conditions.limits_text}" if conditions.is_over_limits else text
