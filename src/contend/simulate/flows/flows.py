"""Flows: which host sends how many bytes to which, and from when on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from contend.base.errors import InvalidInputError
from contend.simulate.flows.columns import REQUIRED, checked
from contend.simulate.flows.networkx_graph import hosts_of, is_graph, table_of

if TYPE_CHECKING:
    import networkx as nx

_NO_FLOWS: dict[str, Any] = {name: np.empty(0, dtype=int) for name in REQUIRED}


@dataclass(frozen=True, eq=False)
class Rows:
    """A list of flows for each flow: `values` cut at `offsets` (n_flows + 1,)."""

    offsets: np.ndarray
    values: np.ndarray


@dataclass(frozen=True, eq=False)
class Flows:
    """Arrays of shape (n_flows,): hosts by number, bytes, seconds.

    `route` lists links, by number or by their names in the topology; `names` are those of the
    hosts, in the order of their numbers. `requires` lists the flows, counted from 0, whose ends a
    flow waits for; the first byte of a flow goes behind the last ones of those of `behind`.
    """

    hosts: int
    src: np.ndarray
    dst: np.ndarray
    bytes: np.ndarray
    start: np.ndarray
    latency: np.ndarray
    route: Sequence[Sequence[int | str]] | None = None
    requires: Rows | Sequence[Sequence[int]] | None = None
    names: tuple[str, ...] = ()
    behind: Rows | None = None

    def __len__(self) -> int:
        return len(self.src)

    def name(self, host: int) -> str:
        return self.names[host] if self.names else str(host)


_COLUMNS = ", ".join(REQUIRED)


def flows_of(
    table: "Flows | pd.DataFrame | Mapping[str, ArrayLike] | nx.DiGraph",
    hosts: int | Sequence[str] | None = None,
) -> Flows:
    """Flows of a table with the columns src, dst, bytes and those that may follow.

    These are start, latency, route and requires, as in `Flows`.
    A directed graph of networkx is a table with a row per edge, whose attributes are the columns.
    Hosts are numbers from 0, or names, which `hosts` lists; without it those that occur are meant,
    or the nodes of the graph. A number as text stands for the host of that number where no host has
    it as its name.

    >>> flows_of({"src": ["a", "b"], "dst": ["b", "c"], "bytes": [8, 8]}).dst.tolist()
    [1, 2]
    """
    if isinstance(table, Flows):
        return table
    if is_graph(table):
        graph: Any = table
        hosts = hosts_of(graph) if hosts is None else hosts
        table = checked(table_of(graph)) if len(graph.edges) else _NO_FLOWS
    if not isinstance(table, Mapping | pd.DataFrame):
        raise InvalidInputError(
            f"flows are {type(table).__name__}", f"give a table with the columns {_COLUMNS}"
        )
    columns: dict[str, Any] = {str(name): table[name] for name in table}
    missing = [name for name in REQUIRED if name not in columns]
    if missing:
        raise InvalidInputError(f"the flows have no column {missing[0]!r}", f"give {_COLUMNS}")
    src, dst, count, names = _ends(columns["src"], columns["dst"], hosts)
    zeros = np.zeros(len(src))
    return Flows(
        count, src, dst, _numbers(columns["bytes"], "bytes"),
        _numbers(columns.get("start", zeros), "start"),
        _numbers(columns.get("latency", np.empty(0)), "latency"), columns.get("route"),
        columns.get("requires"), names,
    )  # fmt: skip


def _ends(
    src: ArrayLike, dst: ArrayLike, hosts: int | Sequence[str] | None
) -> tuple[np.ndarray, np.ndarray, int, tuple[str, ...]]:
    ends = [np.asarray(src), np.asarray(dst)]
    for values, role in zip(ends, ("src", "dst"), strict=True):
        if values.ndim != 1:
            raise InvalidInputError(f"{role} is not a list", "give one host per flow")
        if pd.isna(values).any():
            raise InvalidInputError(f"{role} lacks a host", "give one host per flow")
    is_named = any(values.size and values.dtype.kind in "OUS" for values in ends)
    if is_named or isinstance(hosts, Sequence):
        names = _names(ends) if hosts is None or isinstance(hosts, int) else list(hosts)
        if isinstance(hosts, int) and all(name.isdecimal() for name in names):
            names = [str(number) for number in range(hosts)]
        src, dst = (
            _by_name(end, names, role) for end, role in zip(ends, ("src", "dst"), strict=True)
        )
        return src, dst, len(names), tuple(names)
    ends = [_by_number(values, role) for values, role in zip(ends, ("src", "dst"), strict=True)]
    count = hosts if hosts is not None else max(int(end.max(initial=0)) for end in ends) + 1
    return ends[0], ends[1], count, ()


def _names(ends: list[np.ndarray]) -> list[str]:
    """In order of first appearance, the source before the destination."""
    each = np.empty(sum(map(len, ends)), dtype=object)
    count = min(map(len, ends))
    for place, end in enumerate(ends):
        each[place : 2 * count : 2] = end[:count]
    each[2 * count :] = np.concatenate([end[count:] for end in ends])
    return [str(name) for name in pd.unique(each)]


def _by_name(values: np.ndarray, names: list[str], role: str) -> np.ndarray:
    codes, distinct = pd.factorize(values)
    texts = [str(name) for name in distinct]
    of_each = pd.Index(names, dtype=object).get_indexer(pd.Index(texts, dtype=object))
    for place in np.flatnonzero(of_each < 0):
        if texts[place].isdecimal() and int(texts[place][:12]) < len(names):
            of_each[place] = int(texts[place])
    numbers = of_each[codes]
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
