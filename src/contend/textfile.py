"""Text files of others: read whole, and no wider than tables can be.

Each column costs pandas as much as thousands of rows.
"""

from pathlib import Path

from contend.errors import FileFormatError

MOST_COLUMNS = 10_000


def require_few_columns(text: str, delimiter: str = ",") -> str:
    """The text; an error where a line of it has more than `MOST_COLUMNS` columns.

    >>> require_few_columns("src,dst,bytes")
    'src,dst,bytes'
    """
    if text.count(delimiter) >= MOST_COLUMNS:  # else no line can
        for number, line in enumerate(text.split("\n"), start=1):
            if (columns := line.count(delimiter) + 1) > MOST_COLUMNS:
                raise FileFormatError(
                    f"line {number} has {columns} columns, where {MOST_COLUMNS} are the most",
                    "name a file with a row per measurement or message",
                )
    return text


def read_text(path: Path) -> str:
    """Text of a file, UTF-8 with or without a mark; FileFormatError where there is none."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (FileNotFoundError, NotADirectoryError):
        raise FileFormatError(f"there is no file {path}", "name a file that exists") from None
    except UnicodeDecodeError:
        raise FileFormatError(f"{path} is no text", "write it as text in UTF-8") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise FileFormatError(f"cannot read {path}: {reason}", "name a readable file") from None
    if "\0" in text:
        raise FileFormatError(f"{path} is no text", "write it as text in UTF-8")
    return text
