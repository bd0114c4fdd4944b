"""Files that are written whole or not at all.

What is new stands in a file beside the old one until it is complete and on the disk, then takes
its place in one step: whoever reads meanwhile, or finds what a killed program left, sees the old
file or the new one. A link stays and its target is replaced; a file keeps its mode, a new one gets
what the umask allows. What is no regular file (a pipe, /dev/stdout) is written to as it is.
"""

import errno
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from contend.base.errors import StorageError

NO_LOCKS = (errno.ENOSYS, errno.ENOTSUP, errno.ENOLCK)  # of some parallel file systems
LOCK_TIMEOUT = 60.0  # seconds; a merge takes milliseconds
LOCK_POLL = 0.005  # seconds between tries
_TOKEN = 8  # bytes that tell new files apart


def write_whole(path: str | Path, content: str | bytes) -> None:
    """Write a text (UTF-8) or bytes to a file."""
    data = content.encode() if isinstance(content, str) else content
    with replacing(path, suffix=".new") as new:
        new.write_bytes(data)


@contextmanager
def replacing(path: str | Path, suffix: str | None = None) -> Iterator[Path]:
    """Path of an empty file to fill, which replaces `path` if the context ends without an error.

    It ends like `path`, for libraries that choose a format by that, or with `suffix`: not to be
    taken for a whole one by whoever reads all files of a folder that end so.

    Raises
    ------
    StorageError
        For every OSError within; `path` is then as it was.

    >>> with replacing("figure.png") as new:  # doctest: +SKIP
    ...     figure.savefig(new)
    """
    target = Path(os.path.realpath(path))
    try:
        if is_special(target):
            yield target
            return
        new = _beside(target, target.suffix if suffix is None else suffix)
        try:
            yield new
            _keep_mode(new, target)
            _flush(new)
            new.replace(target)
        except BaseException:
            new.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise StorageError.of(path, error) from None


@contextmanager
def locked(target: Path) -> Iterator[None]:
    """A context that one process at a time is in, for each file to be replaced.

    The lock is on an empty hidden file beside the target, since the target itself is another file
    after each replacement. The file stays: to remove it would split those who wait from those who
    come. The lock does not: it ends with the process that holds it, however that ends. On a file
    system that knows no locks there is none.

    Raises
    ------
    StorageError
        When another process is in it for a minute, or no file can be made there.
    """
    from filelock import FileLock, Timeout

    if is_special(target):
        yield
        return
    # Without flock filelock takes the existence of the file for a lock, which outlasts a process.
    beside = target.with_name(f".{target.name}.lock")
    lock = FileLock(beside, timeout=LOCK_TIMEOUT, fallback_to_soft=False)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        lock.acquire(poll_interval=LOCK_POLL)
    except Timeout:
        raise StorageError(
            f"{target} is being written by another contend", "end that one, or wait for it"
        ) from None
    except OSError as error:
        if error.errno not in NO_LOCKS:
            raise StorageError.of(target, error) from None
    try:
        yield
    finally:
        lock.release()


def make_folder(folder: Path) -> None:
    """Make a folder to write to, where it is missing; a StorageError where that cannot be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError.of(folder, error) from None


def require_place(path: Path) -> None:
    """Raise a StorageError where no file of that name can be, for what takes long to make."""
    folder = Path(os.path.realpath(path)).parent
    if path.is_dir():
        raise StorageError(f"cannot write {path}: it is a folder", "name a file in it")
    if not folder.is_dir():
        raise StorageError(f"cannot write {path}: there is no folder {folder}", "make it first")
    if not os.access(path if is_special(path) else folder, os.W_OK):
        raise StorageError(f"cannot write {path}: no permission", "name another place")


def is_special(target: Path) -> bool:
    """Whether this is there, and neither a regular file nor a folder."""
    return target.exists() and not target.is_file() and not target.is_dir()


def _beside(target: Path, suffix: str) -> Path:
    """An empty new file in the same folder, which a listing does not show."""
    name = f".{target.stem[:80]}.{secrets.token_hex(_TOKEN)}{suffix}"
    new = target.with_name(name)
    # Not tempfile: its files are for their owner alone, and only the kernel knows the umask.
    os.close(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666))
    return new


def _keep_mode(new: Path, target: Path) -> None:
    if target.exists():
        new.chmod(stat.S_IMODE(target.stat().st_mode))


def _flush(path: Path) -> None:
    """Wait until the file is on the disk, so that no crash leaves an empty one in its place."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
