"""Flows of a file: CSV with a header, or JSON, a list of objects or an object of lists.

Columns are src, dst and bytes, and perhaps start and latency; a file may write source, destination
and size instead. Sizes and times are numbers (bytes, seconds) or texts such as 20MiB and 1.5ms.
"""

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd

from contend.errors import ContendError, FileFormatError
from contend.units import parse_bytes, parse_seconds

ALIASES = {"source": "src", "destination": "dst", "size": "bytes"}
_PARSERS: dict[str, Callable[[str], float]] = {
    "bytes": parse_bytes,
    "start": parse_seconds,
    "latency": parse_seconds,
}
_EXAMPLE = "its first line is src,dst,bytes, then a line per flow"


def read_flows(path: str | Path) -> pd.DataFrame:
    """Columns src, dst (names), bytes, and start and latency (seconds) where the file has them.

    Raises
    ------
    FileFormatError
        For a file that cannot be read, lacks a column, or has a value that is none.
    """
    path = Path(path)
    table = _json(path) if path.suffix == ".json" else _csv(path)
    table = table.rename(columns=lambda name: ALIASES.get(str(name).strip(), str(name).strip()))
    missing = [name for name in ("src", "dst", "bytes") if name not in table]
    if missing or table.empty:
        what = f"no column {missing[0]!r}" if missing else "no flow"
        raise FileFormatError(f"{path} has {what}", _EXAMPLE)
    known = [name for name in table if name in {"src", "dst", *_PARSERS}]
    if unknown := [name for name in table if name not in known]:
        raise FileFormatError(
            f"{path} has a column {unknown[0]!r}",
            "leave out all but src, dst, bytes, start, latency",
        )
    flows = table.assign(**{name: _column(path, table, name) for name in known})
    for number, (src, dst) in enumerate(zip(flows["src"], flows["dst"], strict=True), start=1):
        if src == dst:
            raise FileFormatError(
                f"{path}: flow {number} goes from {src!r} to itself",
                "it shares no network: leave it out",
            )
    return flows


def _csv(path: Path) -> pd.DataFrame:
    try:
        return pd.read_csv(path, dtype=str, keep_default_na=False, skipinitialspace=True)
    except (OSError, ValueError) as error:
        raise FileFormatError(f"cannot read {path}: {error}", _EXAMPLE) from None


def _json(path: Path) -> pd.DataFrame:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        return pd.DataFrame(content)
    except (OSError, ValueError, TypeError, AttributeError) as error:
        remedy = 'write [{"src": "a", "dst": "b", "bytes": 1024}, ...]'
        raise FileFormatError(f"cannot read {path}: {error}", remedy) from None


def _column(path: Path, table: pd.DataFrame, name: str) -> list[Any]:
    parse = _PARSERS.get(name)
    found = []
    for number, value in enumerate(table[name], start=1):
        try:
            found.append(_value(value, parse))
        except (ContendError, TypeError, ValueError):
            raise FileFormatError(
                f"{path}: {name} of flow {number} is {value!r}",
                "give a number from 0 or a text such as 20MiB, and for times 1.5ms"
                if parse
                else "give the name or number of a host",
            ) from None
    return found


def _value(value: Any, parse: Callable[[str], float] | None) -> Any:
    """A host as text; a size or time as a number."""
    if parse is None:
        text = str(value).strip()
        if not text or not isinstance(value, str | int):
            raise ValueError("no host")
        return text
    if isinstance(value, bool):
        raise TypeError("no number")
    try:
        number = float(value)
    except ValueError:
        number = parse(value)
    if not (math.isfinite(number) and number >= 0):
        raise ValueError("no amount")
    return number
