"""Tables as CSV (RFC 4180): a line of names, then rows; numbers as short as they are exact."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence


def csv_text(names: Sequence[str], rows: Iterable[Mapping[str, object]]) -> str:
    r"""Text of a table; cells that a row has not are empty.

    >>> csv_text(["n", "time_s"], [{"n": 2, "time_s": 1e-06}])
    'n,time_s\n2,1e-06\n'
    """
    text = io.StringIO()
    writer = csv.DictWriter(text, names, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def begins_with(text: str, names: Sequence[str]) -> bool:
    """Whether the first line of a text is these names, perhaps with more behind them."""
    return text.startswith(",".join(names))
