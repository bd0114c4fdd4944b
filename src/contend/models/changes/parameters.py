"""What a network file holds that can be compared with another's: each value with its bounds."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import nan
from typing import NamedTuple

import numpy as np

from contend.base.document import Quantity
from contend.base.statistics.launches import OVER_LAUNCHES
from contend.base.units import format_bytes
from contend.models.network import Network, Operation
from contend.models.signature import FORMS
from contend.schedules.pointtopoint import PLogP

USUAL_LAUNCHES = 3  # where a file does not say over how many its bounds are
_LESS_IS_WORSE = ("bandwidth", "bandwidth inside")
_NEITHER_IS_WORSE = ("M", "buffer")  # another network, but no slower one


class Bounded(NamedTuple):
    """A value and its bounds, which are NaN where they are not known."""

    value: float
    low: float
    high: float


class Name(NamedTuple):
    """Identify a parameter: its owner, its name, and `m` in a table over sizes."""

    part: str
    name: str
    m: int | None = None

    @property
    def text(self) -> str:
        return self.name if self.m is None else f"{self.name}({format_bytes(self.m)})"


@dataclass(frozen=True)
class Parameter:
    """A value in its unit; bounds that are not of launches are none of what another run says."""

    bounded: Bounded
    unit: str
    launches: int
    worse: int  # 1 where more of it is worse, -1 where less is, 0 where neither


def parameters_of(network: Network) -> dict[Name, Parameter]:
    """All of a network by name, those above 0 or not."""
    launches = min(
        (
            fit.launches
            for operation in network.operations
            for fit in operation.forms.values()
            if fit.launches > 1
        ),
        default=USUAL_LAUNCHES,
    )
    parameters = {}
    for name, quantity, count in _quantities(network, launches):
        for key, value in _values(name, quantity):
            is_neutral = name.name in _NEITHER_IS_WORSE or name.part.startswith("sharing")
            worse = -1 if name.name in _LESS_IS_WORSE else 0 if is_neutral else 1
            parameters[key] = Parameter(value, quantity.unit, count, worse)
    return parameters


def _values(name: Name, quantity: Quantity) -> Iterator[tuple[Name, Bounded]]:
    """A number, or each number of a table, whose size its name has in the place of its index."""
    is_known = quantity.bounds == OVER_LAUNCHES and quantity.low is not None
    ends = (quantity.low, quantity.high) if is_known else (nan, nan)
    low, high = (np.broadcast_to(np.asarray(end, np.float64), quantity.array.shape) for end in ends)
    for value, below, above in zip(quantity.array, low, high, strict=True):
        yield name, Bounded(float(value), float(below), float(above))


def _quantities(network: Network, launches: int) -> Iterator[tuple[Name, Quantity, int]]:
    for level in network.levels:
        if line := level.hockney:
            part = f"message ({level.name})"
            yield Name(part, "alpha"), line.alpha, launches
            yield Name(part, "beta"), line.beta, launches
            if line.step:
                yield Name(part, "step"), line.step, launches
        if level.plogp:
            yield from _of_plogp(f"pLogP ({level.name})", level.plogp, launches)
    for operation in network.operations:
        yield from _of_operation(operation)
    for fit in network.schedules:
        yield from _of_plogp(f"pLogP of algorithms ({fit.title})", fit.plogp, launches)
    if network.sharing:
        for model in network.sharing.models:
            part = f"sharing ({model.name})"
            for name, quantity in model.parameters.items():
                if name not in model.undetermined:
                    yield Name(part, name), quantity, launches
        yield Name("network card", "bandwidth"), network.sharing.by_name().bandwidth, launches
    for links in network.links:
        quantities = {
            "latency": links.latency, "bandwidth": links.bandwidth, "buffer": links.buffer,
            "time-out": links.timeout, "latency inside": links.inside_latency,
            "bandwidth inside": links.inside_bandwidth,
        }  # fmt: skip
        for name, quantity_or_none in quantities.items():
            if quantity_or_none is not None:
                yield Name(links.title, name), quantity_or_none, links.launches


def _of_plogp(part: str, plogp: PLogP, launches: int) -> Iterator[tuple[Name, Quantity, int]]:
    yield Name(part, "L"), plogp.latency, launches
    tables = {"g": plogp.gap, "os": plogp.send_overhead, "or": plogp.receive_overhead}
    for name, table in tables.items():
        if table is not None:
            for number, m in enumerate(plogp.size.array.astype(int).tolist()):
                yield Name(part, name, m), _entry(table, number), launches


def _entry(table: Quantity, number: int) -> Quantity:
    low, high = (
        None if end is None else float(np.atleast_1d(np.asarray(end, np.float64))[number])
        for end in (table.low, table.high)
    )
    value = float(table.array[number])
    return Quantity(value=value, unit=table.unit, low=low, high=high, bounds=table.bounds)


def _of_operation(operation: Operation) -> Iterator[tuple[Name, Quantity, int]]:
    """Yield those of signatures, without alpha, beta and tables: those are measured."""
    for name, fit in sorted(operation.forms.items()):
        if name not in FORMS.names() or FORMS.get(name).role != "signature":
            continue
        form = FORMS.get(name)
        if not form.is_parametric:
            continue
        for key, quantity in fit.parameters.items():
            is_number = not isinstance(quantity.value, tuple)
            if is_number and key not in ("alpha", "beta", *form.abscissae):
                yield Name(f"{operation.title} ({name})", key), quantity, fit.launches
    if operation.timeouts is not None:
        yield Name(operation.title, "cost of a time-out"), operation.timeouts.cost, USUAL_LAUNCHES
