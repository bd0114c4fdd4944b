"""Samples file: append-only JSON Lines, one record a line, on disk before the next is taken.

A process killed while it writes leaves a torn last line. Reading reports and skips it; opening
the file to append removes it. Any other line that is not a sample is an error with its number.
Files of other documents, a line each, are kept the same way (RecordStore, read_records).
"""

import contextlib
import errno
import fcntl
import json
import os
import warnings
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Any, Generic, TypeVar

from contend.document import AnyDocument, read_document
from contend.errors import FileFormatError, StorageError
from contend.samples.sample import Sample

_NO_LOCKS = (errno.ENOSYS, errno.ENOTSUP, errno.ENOLCK)


class TornLineWarning(UserWarning):
    """The last line of a samples file is incomplete: a writer was killed there."""


def read_samples(path: str | Path) -> list[Sample]:
    """Samples of a file, in file order; a torn last line is warned of and skipped.

    Raises
    ------
    FileFormatError
        For a file that cannot be read, holds no sample, or has a bad line before the last.
    """
    return read_records(Sample, path, "measure first: contend measure --help")


def read_records(kind: type[AnyDocument], path: str | Path, remedy: str) -> list[AnyDocument]:
    """Documents of a file of lines, likewise; `remedy` is for a file without any."""
    lines, torn = _lines(Path(path))
    records = [
        read_document(kind, line, f"{path} line {number}")
        for number, line in enumerate(lines, start=1)
        if line.strip()
    ]
    if _is_torn(torn):
        _warn_of_torn_line(Path(path), len(lines) + 1, "skipped")
    elif torn:
        records.append(read_document(kind, torn.decode(), f"{path} line {len(lines) + 1}"))
    if not records:
        raise FileFormatError(f"{path} holds no sample", remedy)
    return records


def _lines(path: Path) -> tuple[list[str], bytes]:
    """Complete lines of the file, and the bytes after the last line break."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise FileFormatError(
            f"cannot read {path}: {error.strerror}", "name a samples file that exists"
        ) from None
    *complete, torn = content.split(b"\n")
    try:
        return [line.decode() for line in complete], torn
    except UnicodeDecodeError:
        raise FileFormatError(f"{path} is not text", "name a samples file (JSON Lines)") from None


def _is_torn(last: bytes) -> bool:
    """Whether the bytes after the last line break are a part of a line, not a whole one."""
    try:
        json.loads(last.decode())
    except (ValueError, RecursionError):
        return bool(last)
    return False


def _warn_of_torn_line(path: Path, number: int, what: str) -> None:
    warnings.warn(
        f"{path} line {number} is incomplete (a writer was killed) and was {what}",
        TornLineWarning,
        stacklevel=4,
    )


AnyStore = TypeVar("AnyStore", bound="RecordStore[Any]")


class RecordStore(Generic[AnyDocument]):
    """A file of documents of one kind open for appending, by one process at a time."""

    def __init__(self, kind: type[AnyDocument], path: str | Path) -> None:
        self.kind = kind
        self.path = Path(path)
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._file = self.path.open("ab", buffering=0)  # a failed write leaves nothing pending
        except OSError as error:
            raise self._storage_error(error) from None
        try:
            self._lock()
            self._remove_torn_line()
        except BaseException:
            self.close()
            raise

    def _lock(self) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise StorageError(
                f"{self.path} is being written by another contend", "wait for it to end"
            ) from None
        except OSError as error:
            if error.errno not in _NO_LOCKS:  # some parallel file systems know no locks
                raise self._storage_error(error) from None

    def existing(self) -> list[AnyDocument]:
        """Documents that the file already holds; empty for a new one."""
        remedy = "remove what is there, or name another file"
        return read_records(self.kind, self.path, remedy) if self.path.stat().st_size else []

    def append(self, record: AnyDocument) -> None:
        """Write one document and wait until it is on the disk."""
        line = json.dumps(record.to_json(), separators=(",", ":")).encode() + b"\n"
        before = self.path.stat().st_size
        try:
            while line:  # a disk that is nearly full takes a part of it
                line = line[self._file.write(line) :]
            os.fsync(self._file.fileno())
        except OSError as error:
            self._undo(before)
            raise self._storage_error(error) from None

    def extend(self, records: Iterable[AnyDocument]) -> int:
        """Append all; the number of documents written."""
        count = 0
        for record in records:
            self.append(record)
            count += 1
        return count

    def _undo(self, size: int) -> None:
        with contextlib.suppress(OSError):  # the torn line is found when the file is next opened
            os.truncate(self.path, size)

    def _remove_torn_line(self) -> None:
        lines, torn = _lines(self.path)
        if not torn:
            return
        where = f"{self.path} line {len(lines) + 1}"
        for number, line in enumerate(lines, start=1):
            read_document(
                self.kind, line, f"{self.path} line {number}"
            )  # nothing else is cut short
        if not torn.startswith(f'{{"schema":"{self.kind.schema_name}"'.encode()[: len(torn)]):
            raise FileFormatError(
                f"{where} is not one of {self.kind.schema_name!r}",
                "name another file, or a new one",
            )
        if _is_torn(torn):
            _warn_of_torn_line(self.path, len(lines) + 1, "removed")
            os.truncate(self.path, self.path.stat().st_size - len(torn))
        else:  # whole but for its line break, as an editor may leave it
            read_document(self.kind, torn.decode(), where)
            self._file.write(b"\n")

    def _storage_error(self, error: OSError) -> StorageError:
        return StorageError.of(self.path, error, "what was measured so far is kept")

    def close(self) -> None:
        """Release the file; nothing is pending."""
        with contextlib.suppress(OSError):  # append has already reported it
            self._file.close()

    def __enter__(self: AnyStore) -> AnyStore:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


class SampleStore(RecordStore[Sample]):
    """A samples file open for appending, by one process at a time.

    >>> with SampleStore("samples.jsonl") as store:  # doctest: +SKIP
    ...     store.append(sample)
    """

    def __init__(self, path: str | Path) -> None:
        super().__init__(Sample, path)
