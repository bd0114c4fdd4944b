"""Segments of shared memory that MPI libraries leave in /dev/shm when their ranks are killed.

A library names them at random, so that a name does not tell whose one is. Those of a launch are
what its ranks have mapped while they live; they are removed when no process maps them any more.
"""

import contextlib
import os
from collections.abc import Collection, Iterable
from pathlib import Path

import psutil

FOLDER = Path("/dev/shm")


def existing() -> set[Path]:
    """All segments that there are now."""
    try:
        return set(FOLDER.iterdir())
    except OSError:
        return set()


def mapped(processes: Iterable[psutil.Process]) -> set[Path]:
    """Segments that any of the processes has mapped, those that are removed already left out."""
    return {path for process in processes for path in _maps(process.pid) if path.exists()}


def remove(paths: Collection[Path]) -> None:
    """Remove those segments of this user that no process has mapped."""
    wanted = {path for path in paths if path.parent == FOLDER and _is_own(path)}
    if not wanted:
        return
    used = {path for pid in psutil.pids() for path in _maps(pid)}
    for path in wanted - used:
        with contextlib.suppress(OSError):
            path.unlink()


def _is_own(path: Path) -> bool:
    try:
        return path.lstat().st_uid == os.geteuid()
    except OSError:
        return False


def _maps(pid: int) -> set[Path]:
    """Segments that a process has mapped; none of a process that may not be looked into."""
    try:
        lines = Path(f"/proc/{pid}/maps").read_text(errors="replace").splitlines()
    except OSError:
        return set()
    names = (line[line.find(f"{FOLDER}/") :] for line in lines if f"{FOLDER}/" in line)
    return {Path(name) for name in names if not name.endswith(" (deleted)")}
