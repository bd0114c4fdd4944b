"""Text files of others: read whole, plain or gzipped, and as tables of words with line numbers.

Every word is kept as it stands in the file: nothing is guessed to be missing, a date or a number.
A line break within quotes is not supported: line numbers after it would be wrong.
"""

import csv
import gzip
import io
import os
import re
import stat
import sys
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, AnyStr, cast

from contend.base.errors import FileFormatError

if TYPE_CHECKING:
    import pandas as pd

LARGEST = 2**29  # characters or bytes; what is made of short lines takes 16 times as much
MOST_COLUMNS = 10_000  # each costs pandas as much as thousands of rows
_PART = 2**20  # characters or bytes that are read at once
_TOO_MANY = re.compile(r"Expected (\d+) fields in line (\d+), saw (\d+)")
_TO_FILE = "write it to a file and name that"
_NO_FILES = {
    stat.S_IFDIR: "a folder",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFSOCK: "a socket",
}


def open_file(path: Path, *, allow_pipe: bool = True) -> io.BufferedReader:
    """Open a regular file, or a pipe without waiting for who writes to it.

    `allow_pipe` is for what is read once: what was read of a pipe cannot be read again.

    Raises
    ------
    FileFormatError
        Where there is none: a folder, a device or a socket is refused, as is what may not be read.
    """
    try:
        mode = path.stat().st_mode
        if stat.S_ISFIFO(mode) and not allow_pipe:
            raise FileFormatError(f"{path} is a pipe, which can be read only once", _TO_FILE)
        kind = _NO_FILES.get(stat.S_IFMT(mode))
        if kind is not None:
            raise FileFormatError(f"cannot read {path}: it is {kind}", "name a regular file")
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    except (FileNotFoundError, NotADirectoryError):
        raise FileFormatError(f"there is no file {path}", "name a file that exists") from None
    except (OSError, ValueError) as error:
        raise _unreadable(path, error) from None
    os.set_blocking(descriptor, True)
    return os.fdopen(descriptor, "rb")


def read_all(file: IO[AnyStr], where: object, most: int | None = None) -> AnyStr:
    """Read an open file to its end, at most `most` characters or bytes; `where` names it in errors.

    Raises
    ------
    FileFormatError
        For more than `most`, which is `LARGEST` unless given.
    """
    parts, size, limit = [], 0, LARGEST if most is None else most
    while part := file.read(_PART):
        parts.append(part)
        size += len(part)
        if size > limit:
            raise FileFormatError(
                f"{where} holds more than {limit} characters or bytes, which are the most",
                "name a smaller file: fewer ranks, messages or samples",
            )
    return part.join(parts)


def read_bytes(path: Path, most: int | None = None) -> bytes:
    """Content of a file, at most `most` bytes of it; errors as of `open_file`, `read_all`."""
    with open_file(path) as file:
        try:
            return _whole(file, path, most)
        except OSError as error:
            raise _unreadable(path, error) from None


def read_unpacked(path: Path) -> bytes:
    """Content of a file, unpacked where it is gzipped; errors as of `read_bytes`."""
    try:
        with open_file(path) as file:
            return _whole(_unpacked(file), path)
    except (OSError, EOFError, zlib.error) as error:
        raise _unreadable(path, error) from None


def read_lines(path: Path, begin: int = 0) -> Iterator[bytes]:
    """Lines of a file from a byte on, each with its end, unpacked where it is gzipped.

    For files that are larger than the memory; errors as of `open_file`, also for a line of more
    than `LARGEST` bytes.
    """
    try:
        with open_file(path, allow_pipe=not begin) as file:
            if begin:
                file.seek(begin)
            unpacked = _unpacked(file)
            for line in iter(lambda: unpacked.readline(LARGEST + 1), b""):
                if len(line) > LARGEST:
                    raise FileFormatError(
                        f"{path} has a line of more than {LARGEST} bytes", "name a file of text"
                    )
                yield line
    except (OSError, EOFError, zlib.error) as error:
        raise _unreadable(path, error) from None


def begins_with(path: Path, magic: bytes) -> bool:
    """Whether a regular file that can be read, unpacked where it is gzipped, begins so."""
    try:
        with open_file(path, allow_pipe=False) as file:
            return _unpacked(file).read(len(magic)) == magic
    except (FileFormatError, OSError, EOFError, zlib.error):
        return False


def csv_rows(lines: Iterable[str], **form: Any) -> Iterator[tuple[int, list[str]]]:
    """Rows of CSV, however long a cell is, each with the number of the line that it begins at."""
    csv.field_size_limit(sys.maxsize)
    table, begin = csv.reader(lines, **form), 1
    try:
        for row in table:
            yield begin, row
            begin = table.line_num + 1
    except csv.Error as error:
        raise FileFormatError(f"line {begin} is no CSV: {error}", "restore the line") from None


def read_text(
    path: Path,
    characters: int = -1,
    *,
    errors: str = "strict",
    newline: str | None = None,
    keeps_mark: bool = False,
) -> str:
    """Text of a file, UTF-8 with or without a mark, gzipped whatever its name; all, or its begin.

    `errors` and `newline` are those of `open`: "replace" for files that may hold a name in another
    encoding, "" to keep ends of lines as they are. `keeps_mark` is for files that other software
    reads, to which a byte order mark says something: it is the first character then.

    Raises
    ------
    FileFormatError
        Where there is no such file, no text in it, or more than `LARGEST` characters; for the begin
        of a pipe too, whose rest alone could be read after that.
    """
    try:
        with (
            open_file(path, allow_pipe=characters < 0) as file,
            io.TextIOWrapper(
                _unpacked(file),
                "utf-8" if keeps_mark else "utf-8-sig",
                errors=errors,
                newline=newline,
            ) as opened,
        ):
            text = opened.read(characters) if characters >= 0 else _whole(opened, path)
    except UnicodeDecodeError:
        raise FileFormatError(f"{path} is no text", "write it as text in UTF-8") from None
    except (OSError, EOFError, ValueError, zlib.error) as error:
        raise _unreadable(path, error) from None
    if errors == "strict" and "\0" in text:
        raise FileFormatError(f"{path} is no text", "write it as text in UTF-8")
    return text


def _unpacked(file: io.BufferedReader) -> IO[bytes]:
    is_packed = file.peek(2).startswith(b"\x1f\x8b")  # the gzip magic number, RFC 1952
    return cast(IO[bytes], gzip.GzipFile(fileobj=file)) if is_packed else file


def _whole(file: IO[AnyStr], path: Path, most: int | None = None) -> AnyStr:
    content = read_all(file, path, most)
    if not content and path.is_fifo():
        raise FileFormatError(f"nothing comes through the pipe {path}", _TO_FILE)
    return content


def _unreadable(path: Path, error: Exception) -> FileFormatError:
    reason = getattr(error, "strerror", None) or error
    return FileFormatError(f"cannot read {path}: {reason}", "name a readable file")


def words_of(text: str, delimiter: str = ",") -> "pd.DataFrame":
    r"""Words of a text, columns 0, 1, ..., rows by line number; no blank lines.

    >>> words_of("src,dst\n\na, b\n").to_dict("index")
    {1: {0: 'src', 1: 'dst'}, 3: {0: 'a', 1: 'b'}}

    A missing word is empty.

    Raises
    ------
    FileFormatError
        For text without words, with lines of different lengths, or with more than `MOST_COLUMNS`.
    """
    import pandas as pd

    _require_few_columns(text, delimiter)
    try:
        words = pd.read_csv(
            io.StringIO(text),
            sep=delimiter,
            header=None,
            dtype=str,
            keep_default_na=False,
            skip_blank_lines=False,
            skipinitialspace=True,
        ).fillna("")
    except pd.errors.EmptyDataError:
        raise FileFormatError("is empty", "name a file with rows") from None
    except (ValueError, pd.errors.ParserError) as error:
        raise _parser_error(str(error)) from None
    words.index = pd.RangeIndex(1, len(words) + 1)
    filled: pd.DataFrame = words[(words != "").any(axis=1)]
    if filled.empty:
        raise FileFormatError("is empty", "name a file with rows")
    return filled


def columns_of(words: "pd.DataFrame") -> "pd.DataFrame":
    """The rows below the first one, whose words name the columns."""
    return words.iloc[1:].set_axis(words.iloc[0].tolist(), axis="columns")


def read_words(path: Path, *, errors: str = "strict") -> "pd.DataFrame":
    """Words of a file: `words_of` what `read_text` returns, with errors that name the file."""
    text = read_text(path, errors=errors)
    try:
        return words_of(text)
    except FileFormatError as error:
        raise FileFormatError(f"{path} {error.message}", error.remedy) from None


def _require_few_columns(text: str, delimiter: str) -> None:
    if text.count(delimiter) < MOST_COLUMNS:  # then no line has more
        return
    for number, line in enumerate(text.split("\n"), start=1):
        if (columns := line.count(delimiter) + 1) > MOST_COLUMNS:
            raise FileFormatError(
                f"line {number} has {columns} columns, where {MOST_COLUMNS} are the most",
                "name a file with a row per measurement or message",
            )


def _parser_error(text: str) -> FileFormatError:
    remedy = "restore the line or remove it"
    if (match := _TOO_MANY.search(text)) is None:
        return FileFormatError(" ".join(text.split()), remedy)
    expected, line, seen = match.groups()
    return FileFormatError(f"line {line}: {seen} fields where {expected} are due", remedy)
