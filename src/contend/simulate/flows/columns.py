"""Columns of flows as files and graphs write them, into hosts and numbers.

Sizes and times are numbers (bytes, seconds) or texts such as 20MiB and 1.5ms.
"""

import math
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import pandas as pd

from contend.base.errors import ContendError, InvalidInputError
from contend.base.units import parse_bytes, parse_seconds

ALIASES = {"source": "src", "destination": "dst", "target": "dst", "size": "bytes"}
REQUIRED = ("src", "dst", "bytes")
_PARSERS: dict[str, Callable[[str], float]] = {
    "bytes": parse_bytes,
    "start": parse_seconds,
    "latency": parse_seconds,
}
COLUMNS = (*REQUIRED, "start", "latency", "route", "requires")


def checked(table: pd.DataFrame) -> pd.DataFrame:
    """The same flows with hosts as text, amounts as numbers of 0 or more, routes as tuples.

    Raise InvalidInputError that names the column or the flow, counted from 1, that is wrong.
    """
    names = [ALIASES.get(str(name).strip().lower(), str(name).strip()) for name in table.columns]
    _check_names(names)
    table = table.set_axis(names, axis="columns")
    if table.empty:
        raise InvalidInputError("it has no flow", "give one message at least")
    flows = pd.DataFrame({name: _column(table[name], name) for name in names})
    is_loop = (flows["src"] == flows["dst"]).to_numpy()
    if is_loop.any():
        number = int(np.argmax(is_loop))
        raise InvalidInputError(
            f"flow {number + 1} goes from {flows['src'].iloc[number]!r} to itself",
            "it shares no network: leave it out",
        )
    return flows


def _check_names(names: list[str]) -> None:
    for name in REQUIRED:
        if name not in names:
            raise InvalidInputError(
                f"there is no column {name!r}", "give source, destination and bytes of each flow"
            )
    for name in names:
        if name not in COLUMNS:
            raise InvalidInputError(
                f"there is a column {name!r}", f"leave out all but {', '.join(COLUMNS[:-1])}"
            )
        if names.count(name) > 1:
            raise InvalidInputError(f"two columns are {name!r}", "leave one out")


def _column(values: pd.Series, name: str) -> Any:
    if name in _PARSERS:
        return _amounts(values, name)
    if name == "requires":
        return values.tolist()
    return _each(values, name, _route if name == "route" else _host)


def _amounts(values: pd.Series, name: str) -> np.ndarray:
    """Finite numbers of 0 or more; all at once where each value is a number."""
    try:
        numbers = values.to_numpy().astype(np.float64)
        if not _has_truth(values) and (np.isfinite(numbers) & (numbers >= 0)).all():
            return np.asarray(numbers)
    except (TypeError, ValueError, OverflowError):
        pass
    return np.array(_each(values, name, lambda value: _amount(value, _PARSERS[name])))


def _has_truth(values: pd.Series) -> bool:
    if values.dtype == bool:
        return True
    return values.dtype == object and any(isinstance(value, bool) for value in values)


def _amount(value: Any, parse: Callable[[str], float]) -> float:
    if isinstance(value, bool):
        raise TypeError("no number")
    try:
        number = float(value)
    except ValueError:
        number = float(parse(value))
    if not (math.isfinite(number) and number >= 0):
        raise ValueError("no amount")
    return number


def _host(value: Any) -> str:
    text = str(value).strip()
    if not text or isinstance(value, bool) or not isinstance(value, str | int | np.integer):
        raise ValueError("no host")
    return text


def _route(value: Any) -> tuple[str, ...]:
    """Names of links, from a text with spaces between or a list."""
    links: Iterable[Any] = value.split() if isinstance(value, str) else value
    route = tuple(_host(link) for link in links)
    if not route:
        raise ValueError("no link")
    return route


_RULES = {
    "src": "give the name or number of a host",
    "dst": "give the name or number of a host",
    "route": "give the names of links, one at least, with spaces between",
}
_AMOUNT_RULE = "give a number from 0 or a text such as 20MiB, and for times 1.5ms"


def _each(values: pd.Series, name: str, parse: Callable[[Any], Any]) -> list[Any]:
    parsed = []
    for number, value in enumerate(values, start=1):
        try:
            parsed.append(parse(value))
        except (ContendError, TypeError, ValueError, OverflowError):
            shown = repr(value)
            raise InvalidInputError(
                f"{name} of flow {number} is {shown if len(shown) <= 60 else shown[:57] + '...'}",
                _RULES.get(name, _AMOUNT_RULE),
            ) from None
    return parsed
