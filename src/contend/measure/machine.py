"""Facts about the host that launches, for the plan and for the doctor."""

import os
import shutil
import time
from pathlib import Path

import psutil

_BATCH_SYSTEMS = {"Slurm": "sbatch", "PBS": "qsub", "LSF": "bsub", "Flux": "flux", "OAR": "oarsub"}


def cores() -> int:
    """Cores that this process may use."""
    return len(psutil.Process().cpu_affinity() or [0])


def congestion_control() -> str | None:
    """TCP congestion control of this host; None where it cannot be read."""
    try:
        return Path("/proc/sys/net/ipv4/tcp_congestion_control").read_text().strip()
    except OSError:
        return None


def clock_resolution() -> float:
    """Resolution of the monotonic clock in seconds."""
    return time.clock_getres(time.CLOCK_MONOTONIC)


def batch_system() -> str | None:
    """The batch system whose commands are on PATH."""
    for name, command in _BATCH_SYSTEMS.items():
        if shutil.which(command):
            return name
    return None


def user_namespaces() -> str | None:
    """None where an ordinary user may create user and network namespaces, else the reason."""
    pid = os.fork()
    if pid == 0:
        os._exit(_try_namespaces())
    _, status = os.waitpid(pid, 0)
    code = os.waitstatus_to_exitcode(status)
    return None if code == 0 else os.strerror(code)


def _try_namespaces() -> int:
    import ctypes

    new_user, new_net = 0x10000000, 0x40000000
    libc = ctypes.CDLL(None, use_errno=True)
    return 0 if libc.unshare(new_user | new_net) == 0 else ctypes.get_errno() or 1
