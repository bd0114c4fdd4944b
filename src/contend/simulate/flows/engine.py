"""The end time of every flow that shares a network, by the core's engine.

Source: Martinasso, Méhaut, Euro-Par 2011, section 3: a step lasts from one start or end of a flow
to the next, and in a step every rate is constant: bandwidth / penalty.
Restrictions: penalty models hold for one switch; with a topology of several they bound each flow,
and flows share the links between switches by max-min fairness below these bounds. A flow enters the
network `latency` after its start. Events closer than 1e-12 of the time since the first start are
one event, and more of them with a tolerance.
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from contend import _core
from contend.base.errors import InvalidInputError
from contend.simulate.flows import models
from contend.simulate.flows.flow_routes import carried_by, usual_bandwidth
from contend.simulate.flows.flows import Flows, Rows, flows_of
from contend.simulate.topologies.kinds.switch import OneSwitch
from contend.simulate.topologies.topology import Topology, listed

if TYPE_CHECKING:
    import networkx as nx

Penalties = Callable[[np.ndarray], Sequence[float]]
Table: TypeAlias = "Flows | pd.DataFrame | Mapping[str, ArrayLike] | nx.DiGraph"


@dataclass(frozen=True, eq=False)
class Solution:
    """End of each flow in seconds, (n_flows,), and what the core recorded on the way.

    `alone` are the rates of the flows if each were alone, or the one that all have.
    """

    flows: Flows
    end: np.ndarray
    events: int
    recorded: dict[str, np.ndarray]
    alone: np.ndarray

    @cached_property
    def stretches(self) -> pd.DataFrame:
        """A row per flow and time in which its rate is constant; only if they were asked for."""
        reference = self.alone[self.recorded["flow"]] if self.alone.ndim else self.alone
        return pd.DataFrame({**self.recorded, "penalty": reference / self.recorded["rate"]})

    @property
    def seconds(self) -> np.ndarray:
        taken: np.ndarray = self.end - self.flows.start
        return taken

    def table(self) -> pd.DataFrame:
        """A row per flow: src, dst (names, if the hosts have any), bytes, start, end, seconds."""
        flows = self.flows
        ends = {"src": flows.src, "dst": flows.dst}
        if flows.names:
            names = np.array(flows.names, dtype=object)
            ends = {role: names[numbers] for role, numbers in ends.items()}
        times = {"start": flows.start, "end": self.end, "seconds": self.seconds}
        return pd.DataFrame({**ends, "bytes": flows.bytes, **times})

    def write_on(self, graph: "nx.DiGraph") -> None:
        """Give each edge of the graph that was solved its `end` and `seconds`."""
        if len(graph.edges) != len(self.end):
            raise InvalidInputError(
                f"the graph has {len(graph.edges)} edges, the solution {len(self.end)} flows",
                "give the graph that was solved",
            )
        for (*_, data), end, seconds in zip(
            graph.edges(data=True), self.end.tolist(), self.seconds.tolist(), strict=True
        ):
            data.update(end=end, seconds=seconds)

    def steps(self) -> pd.DataFrame:
        """A row per step and flow in it: step, begin, until, flow, rate, penalty.

        Its size is that of the stretches times the steps within each.
        """
        times = np.unique(self.stretches[["begin", "until"]])
        first, last = (np.searchsorted(times, self.stretches[end]) for end in ("begin", "until"))
        count = last - first
        row = np.repeat(np.arange(len(count)), count)
        step = np.arange(len(row)) - np.repeat(np.cumsum(count) - count, count) + first[row]
        table = self.stretches.iloc[row][["flow", "rate", "penalty"]].reset_index(drop=True)
        table.insert(0, "step", step)
        table.insert(1, "begin", times[step])
        table.insert(2, "until", times[np.minimum(step + 1, len(times) - 1)])
        return table.sort_values(["step", "flow"], ignore_index=True)


def solve(
    flows: "Table",
    model: str = models.DEFAULT,
    *,
    bandwidth: float | None = None,
    parameters: Mapping[str, float] | None = None,
    topology: Topology | None = None,
    hosts: int | Sequence[str] | None = None,
    penalties: Penalties | None = None,
    is_recorded: bool = False,
    tolerance: float = 0.0,
) -> Solution:
    """End time of each flow under a sharing model.

    Arguments are those of `contend.solve`, in bytes and seconds; without a topology hosts are on
    one switch, whose links have the bandwidth. For the model `measured` `penalties` takes the
    numbers of the flows in the network, in ascending order, and returns a penalty of at least 1 for
    each. Above a `tolerance` of 0 starts and ends are merged: a flow may leave with this part of
    its bytes left, and come early by this part of the time that it would take alone, both within
    this part of the time since the first start. On one link, where all flows start together, an end
    is off by at most `tolerance` of the time since then.

    >>> flows = {"src": [0, 0], "dst": [1, 2], "bytes": [100, 200]}
    >>> solve(flows, bandwidth=100.0).end.tolist()
    [2.0, 3.0]
    """
    sharing = models.get(model)
    problem = _problem(flows, sharing, bandwidth, topology, hosts)
    solution = _core.solve(
        model, **problem.arrays, parameters=_values(sharing, parameters), penalties=penalties,
        is_recorded=is_recorded, tolerance=float(tolerance),
    )  # fmt: skip
    return problem.solved(solution)


def solve_many(
    flows: "Table | Sequence[Table]",
    model: str = models.DEFAULT,
    *,
    bandwidth: float | Sequence[float] | None = None,
    parameters: Mapping[str, float] | Sequence[Mapping[str, float]] | None = None,
    topology: Topology | None = None,
    hosts: int | Sequence[str] | None = None,
    threads: int | None = None,
    is_recorded: bool = False,
) -> list[Solution]:
    """Solutions of many problems, each as `solve` finds it, by several threads.

    Those of `flows`, `bandwidth` and `parameters` that are lists have an entry per problem, the
    others hold for all. Flows that hold for all are checked and routed once.

    At most `threads` are taken, else as many as this process may use processors; solutions do not
    depend on them. An error has the number, counted from 0, of the first problem at fault.

    >>> flows = {"src": [0, 0], "dst": [1, 2], "bytes": [100, 200]}
    >>> [found.end.tolist() for found in solve_many(flows, bandwidth=[100.0, 50.0])]
    [[2.0, 3.0], [4.0, 6.0]]
    """
    sharing = models.get(model)
    if model == models.MEASURED:
        raise InvalidInputError(
            f"{model} takes penalties from a function in Python, and many sets at once cannot",
            "call solve for each problem",
        )
    if threads is not None and threads < 1:
        raise InvalidInputError(f"{threads} threads", "give at least 1")
    given = {"flows": flows, "bandwidth": bandwidth, "parameters": parameters}
    problems = list[_Problem]()
    values = list[np.ndarray]()
    before: tuple[object, object] | None = None
    for number, entries in enumerate(_entries(given)):
        try:
            if (
                before is None
                or before[0] is not entries["flows"]
                or before[1] != entries["bandwidth"]
            ):
                problem = _problem(entries["flows"], sharing, entries["bandwidth"], topology, hosts)
            before = entries["flows"], entries["bandwidth"]
            values.append(_values(sharing, entries["parameters"]))
        except InvalidInputError as error:
            raise InvalidInputError(f"problem {number}: {error.message}", error.remedy) from None
        problems.append(problem)
    solutions = _core.solve_many(
        model,
        [
            {**problem.arrays, "parameters": row}
            for problem, row in zip(problems, values, strict=True)
        ],
        threads=threads or usable_processors(),
        is_recorded=is_recorded,
    )
    return [problem.solved(solution) for problem, solution in zip(problems, solutions, strict=True)]


def usable_processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _entries(given: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """What is given for each problem: an entry of each list, and what holds for all."""
    lists = {
        name: value for name, value in given.items() if isinstance(value, list | tuple | np.ndarray)
    }
    lengths = {name: len(value) for name, value in lists.items()}
    if len(set(lengths.values())) > 1:
        raise InvalidInputError(
            "the lists have different lengths: "
            + ", ".join(f"{length} {name}" for name, length in lengths.items()),
            "give each as many entries as there are problems, or one value for all",
        )
    for number in range(next(iter(lengths.values()), 1)):
        yield {**given, **{name: value[number] for name, value in lists.items()}}


@dataclass(frozen=True, eq=False)
class _Problem:
    flows: Flows
    alone: np.ndarray
    arrays: dict[str, Any]

    def solved(self, solution: _core.Solution) -> Solution:
        recorded = {name: getattr(solution, name) for name in ("flow", "begin", "until", "rate")}
        return Solution(self.flows, solution.end, solution.events, recorded, self.alone)


def _problem(
    flows: "Table",
    model: models.SharingModel,
    bandwidth: float | None,
    topology: Topology | None,
    hosts: int | Sequence[str] | None,
) -> _Problem:
    network = topology
    if network is not None and hosts is None:
        hosts = network.names() or network.hosts
    messages = flows_of(flows, hosts)
    if network is None:
        network = OneSwitch(messages.hosts)
    rate = usual_bandwidth(network, model) if bandwidth is None else float(bandwidth)
    carried = carried_by(network, messages)
    if model.has_routes or not carried.routes.offsets.size:
        passed = carried
    else:
        passed = carried.between_switches(rate)
    passed = passed.with_own_links()
    required_offsets, required = _rows(messages.requires)
    behind_offsets, behind = _rows(messages.behind)
    arrays = {
        "hosts": messages.hosts,
        "start": messages.start,
        "src": messages.src,
        "dst": messages.dst,
        "bytes": messages.bytes,
        "latency": carried.latency,
        "bandwidth": rate,
        "capacity": passed.capacity,
        "offsets": passed.routes.offsets,
        "links": passed.routes.links,
        "required_offsets": required_offsets,
        "required": required,
        "behind_offsets": behind_offsets,
        "behind": behind,
    }
    return _Problem(messages, carried.alone(rate), arrays)


def _values(model: models.SharingModel, parameters: Mapping[str, float] | None) -> np.ndarray:
    return np.array(models.parameters(model, parameters), dtype=np.float64)


def _rows(rows: Rows | Sequence[Sequence[int]] | None) -> tuple[np.ndarray, np.ndarray]:
    """What flows wait for, empty where none does."""
    if rows is None:
        return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int32)
    if isinstance(rows, Rows):
        offsets = np.ascontiguousarray(rows.offsets, dtype=np.int64)
        return offsets, np.ascontiguousarray(rows.values, dtype=np.int32)
    dependences = listed(rows, "flow")
    return dependences.offsets, dependences.links
