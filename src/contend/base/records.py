"""Files of documents, one a line (JSON Lines): append-only, on disk before the next is taken.

A process killed while it writes leaves a torn last line. Reading reports and skips it; opening
the file to append removes it. Any other line that is no such document is an error with its number.
"""

import contextlib
import fcntl
import itertools
import json
import os
import warnings
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Any, Generic, TypeVar

from contend.base.document import AnyDocument, read_document
from contend.base.errors import ContendError, FileFormatError, StorageError
from contend.base.kinds import mistaken, schema_of
from contend.base.textfile import read_bytes
from contend.base.wholefile import NO_LOCKS, write_whole


class TornLineWarning(UserWarning):
    """The last line of a samples file is incomplete: a writer was killed there."""


def read_records(kind: type[AnyDocument], path: str | Path, remedy: str) -> list[AnyDocument]:
    """Documents of a file, in its order; a torn last line is warned of and skipped.

    Raises
    ------
    FileFormatError
        For a file that cannot be read, has a bad line before the last, or holds nothing; `remedy`
        is for that.
    """
    return _records(kind, _content(Path(path)), path, remedy)


def _records(
    kind: type[AnyDocument], content: bytes, path: str | Path, remedy: str
) -> list[AnyDocument]:
    lines, torn = _lines(content, Path(path))
    records = _documents(kind, lines, path)
    if _is_torn(torn):
        _warn_of_torn_line(Path(path), len(lines) + 1, "skipped")
    elif torn:
        records.append(read_document(kind, torn.decode(), f"{path} line {len(lines) + 1}"))
    if not records:
        raise FileFormatError(f"{path} holds no sample", remedy)
    return records


def _documents(kind: type[AnyDocument], lines: list[str], path: str | Path) -> list[AnyDocument]:
    """Documents of the lines that are not blank."""
    try:
        return [
            read_document(kind, line, f"{path} line {number}")
            for number, line in enumerate(lines, start=1)
            if line.strip()
        ]
    except FileFormatError as error:
        text = "\n".join(lines)
        is_former = schema_of(text) in kind.former
        mistake = None if is_former else mistaken(str(path), text, kind.schema_name)
        raise mistake or error from None


def _content(path: Path) -> bytes:
    try:
        return read_bytes(path)
    except FileFormatError as error:
        raise FileFormatError(error.message, "name a samples file that exists") from None


def _lines(content: bytes, path: Path) -> tuple[list[str], bytes]:
    """Complete lines of the file, and the bytes after the last line break."""
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


def _warn_of_torn_line(path: Path, number: int, outcome: str) -> None:
    warnings.warn(
        f"{path} line {number} is incomplete (a writer was killed) and was {outcome}",
        TornLineWarning,
        stacklevel=5,
    )


def _free_name(path: Path) -> Path:
    """A name beside `path` that nothing has yet: samples.rescued-1.jsonl."""
    names = (path.with_stem(f"{path.stem}.rescued-{number}") for number in itertools.count(1))
    return next(name for name in names if not name.exists())


AnyStore = TypeVar("AnyStore", bound="RecordStore[Any]")


def line_of(record: AnyDocument) -> bytes:
    """The line of a file that holds a document."""
    return json.dumps(record.to_json(), separators=(",", ":")).encode() + b"\n"


class RecordStore(Generic[AnyDocument]):
    """A file of documents of one kind open for appending, by one process at a time.

    All is read and written through the descriptor that is locked. When another file, or none, is
    found in its place, what it holds is written to a file beside, which the error names. A file
    that was not there before and got nothing is removed.
    """

    def __init__(self, kind: type[AnyDocument], path: str | Path) -> None:
        self.kind = kind
        self.path = Path(path)
        self._is_moved = False
        self._is_new = not self.path.exists()
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._file = self.path.open("a+b", buffering=0)  # a failed write leaves nothing pending
        except OSError as error:
            raise self._storage_error(error) from None
        try:
            self._lock()
            if not self._is_in_place():
                raise StorageError(f"{self.path} was replaced meanwhile", "start again")
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
            if error.errno not in NO_LOCKS:  # some parallel file systems know no locks
                raise self._storage_error(error) from None

    def existing(self) -> list[AnyDocument]:
        """Documents that the file already holds; empty for a new one."""
        remedy = "remove what is there, or name another file"
        content = self._content()
        return _records(self.kind, content, self.path, remedy) if content else []

    def append(self, record: AnyDocument) -> None:
        """Write one document and wait until it is on the disk."""
        self.extend([record])

    def extend(self, records: Iterable[AnyDocument]) -> int:
        """Append all or none and wait until they are on the disk; the number of documents."""
        lines = [line_of(record) for record in records]
        rest, before = memoryview(b"".join(lines)), self._size()
        try:
            while rest:  # a disk that is nearly full takes a part of it
                rest = rest[self._file.write(rest) :]
            os.fsync(self._file.fileno())
        except OSError as error:
            self._undo(before)
            raise self._storage_error(error) from None
        except BaseException:  # Ctrl-C
            self._undo(before)
            raise
        self._require_in_place()
        return len(lines)

    def _size(self) -> int:
        return os.fstat(self._file.fileno()).st_size

    def _content(self) -> bytes:
        try:
            self._file.seek(0)
            return self._file.read()
        except OSError as error:
            raise FileFormatError(
                f"cannot read {self.path}: {error.strerror}", "name another file"
            ) from None

    def _undo(self, size: int) -> None:
        with contextlib.suppress(OSError):  # the torn line is found when the file is next opened
            os.ftruncate(self._file.fileno(), size)

    def _require_in_place(self) -> None:
        """Raise an error, after what was written is safe elsewhere, if the file is not there."""
        if self._is_moved or self._is_in_place():
            return
        self._is_moved = True
        outcome = "removed or replaced while it was written"
        rescue = _free_name(self.path)
        try:
            write_whole(rescue, self._content())
        except ContendError as error:
            raise StorageError(
                f"{self.path} was {outcome}, and what it held is lost: {error.message}",
                "let nobody remove it meanwhile, and measure again",
            ) from None
        raise StorageError(
            f"{self.path} was {outcome}",
            f"what it held is in {rescue}: move it where it shall be, and start again to go on",
        )

    def _is_in_place(self) -> bool:
        try:
            return os.path.samestat(self.path.stat(), os.fstat(self._file.fileno()))
        except OSError:
            return False

    def _remove_torn_line(self) -> None:
        lines, torn = _lines(self._content(), self.path)
        if not torn:
            return
        where = f"{self.path} line {len(lines) + 1}"
        _documents(self.kind, lines, self.path)  # nothing else is cut short
        schemas = (self.kind.schema_name, *self.kind.former)
        heads = tuple(f'{{"schema":"{schema}"'.encode()[: len(torn)] for schema in schemas)
        if not torn.startswith(heads):
            raise FileFormatError(
                f"{where} is not one of {self.kind.schema_name!r}",
                "name another file, or a new one",
            )
        if _is_torn(torn):
            _warn_of_torn_line(self.path, len(lines) + 1, "removed")
            os.ftruncate(self._file.fileno(), self._size() - len(torn))
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
        try:
            if self._size():
                self._require_in_place()
            elif self._is_new and self._is_in_place():
                self.path.unlink()
        except StorageError as moved:
            if error is None:
                raise
            warnings.warn(str(moved), stacklevel=2)  # the error that ends the program stays
        finally:
            self.close()
