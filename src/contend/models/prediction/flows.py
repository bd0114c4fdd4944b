"""Messages of a file on a fitted network, or on a topology by the bandwidth of its links."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from contend.base.errors import InvalidInputError
from contend.base.result import Cell, Part, Result, Table
from contend.base.statistics.regression import UNUSABLE
from contend.base.units import format_bytes, format_rate, format_seconds, parse_rate
from contend.models.network import Network
from contend.simulate.flows.engine import Solution, solve
from contend.simulate.flows.models import DEFAULT, MEASURED
from contend.simulate.flows.reader import read_flows
from contend.simulate.graphs.record import FittedSharing, KnownModel
from contend.simulate.topologies import topology_of

MOST_ROWS = 40  # of messages as text
ONE_SWITCH = "switch"
_FLOWS: dict[str, Cell] = {
    "flow": "flow",
    "src": "src",
    "dst": "dst",
    "bytes": ("bytes", format_bytes),
    "end": ("end", format_seconds),
    "takes": ("seconds", format_seconds),
}
_STEPS: dict[str, Cell] = {
    "step": lambda row: row["step"] + 1,
    "until": ("until", format_seconds),
    "flow": lambda row: f"{row['flow'] + 1}: {row['src']} to {row['dst']}",
    "rate": ("rate", lambda rate: format_rate(8 * rate)),
    "penalty": ("penalty", "{:.4g}".format),
}


@dataclass(frozen=True)
class SolvedFlows:
    """A solution: a row of `table` per message, with its end and what it takes, in seconds.

    `rate` is bytes per second of a message alone, where it is known; `remark` says what stands in
    for what was not measured.
    """

    solution: Solution
    table: pd.DataFrame
    model: str
    rate: float | None
    remark: str = ""

    def result(self, *, has_steps: bool = False) -> Result:
        """Return the ends, and with `has_steps` the rates and penalties of each step."""
        data = {"model": self.model, "flows": self.table}
        data |= {"steps": self.solution.steps()} if has_steps else {}
        return Result(data, self._parts(has_steps=has_steps))

    def _parts(self, *, has_steps: bool) -> Iterator[Part]:
        ends = self.table
        numbered = ends.assign(flow=range(1, len(ends) + 1))
        yield Table(numbered.head(MOST_ROWS), _FLOWS, f"{self.model}: flows")
        if (more := len(ends) - MOST_ROWS) > 0:
            yield f"{more} more, the last ends at {ends['end'].max():.6g} s; --json shows all"
        if self.remark:
            yield self.remark
        if has_steps:
            steps = self.solution.steps()
            names = {name: ends[name].to_numpy()[steps["flow"]] for name in ("src", "dst")}
            yield Table(steps.assign(**names), _STEPS, "steps")


def solve_file(
    file: str | Path,
    model: str | None = None,
    *,
    network: str | Path | None = None,
    bandwidth: str | None = None,
    topology: str = ONE_SWITCH,
    format: str | None = None,
    tolerance: float = 0.0,
    is_recorded: bool = False,
    most: int | None = None,
) -> SolvedFlows:
    """End time of every message of a file, on a fitted `network` or a topology of a bandwidth.

    `is_recorded` keeps the rates over time; more messages than `most` are refused.

    >>> float(solve_file("flows.csv", bandwidth="1Gbit/s").table["end"].max())
    0.016

    Raises
    ------
    ContendError
        For no network and no bandwidth, for both, and for what is no file of messages.
    """
    table = read_flows(Path(file), format)
    if most is not None and len(table) > most:
        raise InvalidInputError(
            f"a picture of {len(table)} messages",
            f"draw at most {most}; 'contend solve' takes any number",
        )
    if network is not None:
        _require_no_other(bandwidth, topology, tolerance)
        return _by_network(table, model, Path(network), is_recorded)
    if bandwidth is None and topology == ONE_SWITCH:
        raise InvalidInputError("no bandwidth and no network", "give --bandwidth or --network")
    if model == MEASURED:
        raise InvalidInputError(
            "measured penalties of no network", "give --network, made by 'contend fit'"
        )
    rate, name = None if bandwidth is None else parse_rate(bandwidth) / 8, model or DEFAULT
    solution = solve(
        table, name, bandwidth=rate, topology=topology_of(topology, rate),
        is_recorded=is_recorded, tolerance=tolerance,
    )  # fmt: skip
    return SolvedFlows(solution, _ends(table, solution), name, rate)


def sharing_of(path: Path) -> FittedSharing:
    """The sharing models of a network file; an error where it has none."""
    network = Network.load(path)
    if network.sharing is None:
        raise InvalidInputError(
            f"{path} does not say how messages share the network",
            f"measure contention graphs, then: contend fit graphs.jsonl -o {path}",
        )
    return network.sharing


def unusable(model: KnownModel) -> str:
    """The sentence on a model whose errors are too large for anything to follow from it."""
    return (
        f"{model.name} is unusable here: off by {model.errors.average:.0%} on average on graphs "
        f"that it has not seen, more than {UNUSABLE:.0%}"
    )


def _ends(table: pd.DataFrame, solution: Solution) -> pd.DataFrame:
    ends = table.drop(columns="requires", errors="ignore")
    return ends.assign(end=solution.end, seconds=solution.seconds)


def _require_no_other(bandwidth: str | None, topology: str, tolerance: float) -> None:
    if tolerance > 0:
        raise InvalidInputError(
            "a tolerance and a network", "leave out one: a fitted network is solved exactly"
        )
    if topology != ONE_SWITCH:
        raise InvalidInputError(
            "a network that was fitted is one switch", "give --bandwidth in place of --network"
        )
    if bandwidth is not None:
        raise InvalidInputError("a bandwidth and a network", "leave out one: a network has its own")


def _by_network(
    table: pd.DataFrame, model: str | None, path: Path, is_recorded: bool
) -> SolvedFlows:
    """Solve by the sharing models of a file, and say which steps were measured."""
    fitted = sharing_of(path)
    chosen = fitted.by_name(model)
    solution, during = fitted.solve(table, model, is_recorded=is_recorded)
    remarks = []
    if during:
        remarks.append(
            f"{during.measured_steps} of {during.steps} steps have measured penalties, "
            f"the others those of {fitted.fallback}"
        )
    if not chosen.is_usable:
        remarks.append(unusable(chosen))
    ends = _ends(table, solution)
    return SolvedFlows(solution, ends, chosen.name, float(chosen.bandwidth), "; ".join(remarks))
