"""Folders that last as long as the process that made them, however that ends.

Each holds a lock for its whole life. A folder whose lock is free belongs to a process that was
killed; whoever makes the next folder of that kind removes it, and with it the segments of shared
memory that are recorded there. Where a file system knows no locks nothing is ever swept, and on
one that several hosts share each sweeps its own, for its locks may be those of one host alone.

Segments are what MPI libraries leave in /dev/shm when their ranks are killed. A library names them
at random, so that a name does not tell whose one is. Those of a launch are what its ranks have
mapped while they live; they are removed when no process maps them any more.
"""

import contextlib
import fcntl
import os
import shutil
import socket
import tempfile
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil

FOLDER = Path("/dev/shm")  # of segments
_NEW = "new-"  # begins the name of a folder that is not locked yet, which nobody sweeps
_LOCK = "owner.lock"
_SEGMENTS = "segments"


@contextmanager
def scratch(parent: Path, prefix: str) -> Iterator[Path]:
    """A new folder in `parent` that is removed at the end; those of the dead are swept first."""
    sweep(parent, prefix)
    made = Path(tempfile.mkdtemp(prefix=_NEW + prefix, dir=parent))
    with (made / _LOCK).open("w") as lock:
        with contextlib.suppress(OSError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        lock.write(socket.gethostname())
        lock.flush()
        folder = made.rename(parent / made.name.removeprefix(_NEW))
        try:
            yield folder
        finally:
            _remove(folder)


def record_segments(folder: Path, paths: set[Path]) -> None:
    """Note shared memory that is to go with the folder, for whoever removes it."""
    text = "".join(f"{path}\n" for path in sorted(paths))
    with contextlib.suppress(OSError):
        (folder / _SEGMENTS).write_text(text)


def sweep(parent: Path, prefix: str) -> None:
    """Remove the folders of this user whose owner is dead."""
    for folder in parent.glob(f"{prefix}*"):
        with contextlib.suppress(OSError):
            if folder.is_symlink() or folder.stat().st_uid != os.geteuid():
                continue
            with (folder / _LOCK).open("r+") as lock:
                if lock.read() != socket.gethostname():
                    continue
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                _remove(folder)


def _remove(folder: Path) -> None:
    with contextlib.suppress(OSError):
        lines = (folder / _SEGMENTS).read_text().splitlines()
        remove_segments({Path(line) for line in lines})
    shutil.rmtree(folder, ignore_errors=True)


def existing_segments() -> set[Path]:
    try:
        return set(FOLDER.iterdir())
    except OSError:
        return set()


def mapped_segments(processes: Iterable[psutil.Process]) -> set[Path]:
    """Segments that any of the processes has mapped, those that are removed already left out."""
    return {path for process in processes for path in _maps(process.pid) if path.exists()}


def remove_segments(paths: Collection[Path]) -> None:
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
