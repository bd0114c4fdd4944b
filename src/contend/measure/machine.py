"""Facts about the host that launches, for the plan and for the doctor."""

import os
import shutil
import time
from pathlib import Path

import psutil

_BATCH_SYSTEMS = {"Slurm": "sbatch", "PBS": "qsub", "LSF": "bsub", "Flux": "flux", "OAR": "oarsub"}

_BATCH_JOB = ("SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "OAR_JOBID", "FLUX_URI", "PE_HOSTFILE")


def cores() -> int:
    return len(psutil.Process().cpu_affinity() or [0])


def congestion_control() -> str | None:
    try:
        return Path("/proc/sys/net/ipv4/tcp_congestion_control").read_text().strip()
    except OSError:
        return None


def clock_resolution() -> float:
    return time.clock_getres(time.CLOCK_MONOTONIC)


def batch_system() -> str | None:
    for name, command in _BATCH_SYSTEMS.items():
        if shutil.which(command):
            return name
    return None


def in_batch_job() -> bool:
    return any(name in os.environ for name in _BATCH_JOB)
