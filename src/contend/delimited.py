"""How many columns delimited text may have: each costs pandas as much as thousands of rows."""

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
