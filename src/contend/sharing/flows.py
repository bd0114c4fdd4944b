"""Flows: which host sends how many bytes to which, and from when on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from contend.errors import InvalidInputError

REQUIRED = ("src", "dst", "bytes")


@dataclass(frozen=True, eq=False)
class Rows:
    """A list of flows for each flow: `values` cut at `offsets` (n_flows + 1,)."""

    offsets: np.ndarray
    values: np.ndarray


@dataclass(frozen=True, eq=False)
class Flows:
    """Arrays of shape (n_flows,): hosts by number, bytes, seconds; `route` names links, if any.

    A flow starts when those that `required` names for it have ended, and not before `start`. Its
    first byte goes behind the last ones of the flows that `behind` names.
    `names` are those of the hosts, in the order of their numbers; none where they have only those.
    """

    hosts: int
    src: np.ndarray
    dst: np.ndarray
    bytes: np.ndarray
    start: np.ndarray
    latency: np.ndarray
    route: Sequence[Sequence[int]] | None = None
    names: tuple[str, ...] = ()
    required: Rows | None = None
    behind: Rows | None = None

    def __len__(self) -> int:
        return len(self.src)

    def name(self, host: int) -> str:
        """Name of a host, or its number as text."""
        return self.names[host] if self.names else str(host)


def flows_of(
    table: Flows | pd.DataFrame | Mapping[str, ArrayLike],
    hosts: int | Sequence[str] | None = None,
) -> Flows:
    """Flows of a table with the columns src, dst, bytes and perhaps start, latency, route.

    Hosts are numbers from 0, or names, which `hosts` lists; without it those that occur are meant.

    >>> flows_of({"src": ["a", "b"], "dst": ["b", "c"], "bytes": [8, 8]}).dst.tolist()
    [1, 2]
    """
    if isinstance(table, Flows):
        return table
    columns: dict[str, Any] = {str(name): table[name] for name in table}
    missing = [name for name in REQUIRED if name not in columns]
    if missing:
        raise InvalidInputError(
            f"the flows have no column {missing[0]!r}", f"give {', '.join(REQUIRED)}"
        )
    src, dst, count, names = _ends(columns["src"], columns["dst"], hosts)
    zeros = np.zeros(len(src))
    return Flows(
        count,
        src,
        dst,
        _numbers(columns["bytes"], "bytes"),
        _numbers(columns.get("start", zeros), "start"),
        _numbers(columns.get("latency", np.empty(0)), "latency"),
        columns.get("route"),
        names,
    )


def _ends(
    src: ArrayLike, dst: ArrayLike, hosts: int | Sequence[str] | None
) -> tuple[np.ndarray, np.ndarray, int, tuple[str, ...]]:
    ends = [np.asarray(src), np.asarray(dst)]
    for values, role in zip(ends, ("src", "dst"), strict=True):
        if values.ndim != 1:
            raise InvalidInputError(f"{role} is not a list", "give one host per flow")
    is_named = any(values.size and values.dtype.kind in "OUS" for values in ends)
    if is_named or isinstance(hosts, Sequence):
        names = list(hosts) if isinstance(hosts, Sequence) else _names(ends)
        src, dst = _by_name(ends[0], names, "src"), _by_name(ends[1], names, "dst")
        return src, dst, len(names), tuple(names)
    ends = [_by_number(values, role) for values, role in zip(ends, ("src", "dst"), strict=True)]
    count = hosts if hosts is not None else max(int(end.max(initial=0)) for end in ends) + 1
    return ends[0], ends[1], count, ()


def _names(ends: list[np.ndarray]) -> list[str]:
    return list(dict.fromkeys(str(name) for pair in zip(*ends, strict=False) for name in pair))


def _by_name(values: np.ndarray, names: list[str], role: str) -> np.ndarray:
    numbers = pd.Index(names).get_indexer(pd.Index([str(value) for value in values]))
    if (numbers < 0).any():
        flow = int(np.flatnonzero(numbers < 0)[0])
        raise InvalidInputError(
            f"flow {flow}: {role} is {str(values[flow])!r}, which is no host",
            f"the hosts are {', '.join(names[:8])}{', ...' if len(names) > 8 else ''}",
        )
    return np.ascontiguousarray(numbers, dtype=np.int32)


def _by_number(values: np.ndarray, role: str) -> np.ndarray:
    if values.size and values.dtype.kind not in "iu":
        raise InvalidInputError(f"{role} is not a list of hosts", "give numbers from 0, or names")
    for number in (values.min(initial=0), values.max(initial=0)):
        if not 0 <= number < 2**30:
            raise InvalidInputError(f"{role} holds host {number}", "give hosts from 0 to 2^30 - 1")
    return np.ascontiguousarray(values, dtype=np.int32)


def _numbers(values: ArrayLike, name: str) -> np.ndarray:
    try:
        numbers = np.ascontiguousarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise InvalidInputError(f"{name} is not a list of numbers", "give one per flow") from None
    if numbers.ndim != 1:
        raise InvalidInputError(f"{name} is not a list of numbers", "give one per flow")
    return numbers
