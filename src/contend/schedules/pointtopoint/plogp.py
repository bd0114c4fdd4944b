"""Parameterised LogP (pLogP).

Source: Kielmann, Bal, Verstoep, "Fast measurement of LogP parameters for message passing
platforms", 2000; used by Steffenel 2005 (all-to-all) and Barchet-Estefanel, Mounie 2005.
Idea: overheads and gap are tables over the message size m, linear between sizes; the latency is L
for an empty message, and L(m) where trains of messages tell it from the gap.
Cost: one message takes L(m) + g(m); the sender is busy os(m), the receiver or(m), and the next
message can follow after g(m).
Measured: with RTT(m) the time of m bytes there and none back, L = RTT(0)/2 - g(0), g(0) from a
saturating train of empty messages. Where trains of k messages of every size were timed, which take
T(k) = RTT(m) + (k-1) g(m), that gives g(m), and L(m) is the rest of RTT(m) - RTT(0)/2, the time of
one message, which is half of RTT(m) at least: what comes back is empty, so never slower. A switch
that stores a frame before it forwards it, or a rendezvous, adds to L(m): messages that follow each
other hide it. Without trains g(m) = RTT(m) - RTT(0) + g(0) and L(m) = L (Kielmann's method), so
that the gap holds what belongs to the latency. Where only one-way times T(m) and the overheads are
known, g of the smallest size is taken as max(os, or) there, which is its lower bound, and L as the
rest: L + g(m) is exact, the split between them is not. Where only collective operations were timed,
L and g come from their closed forms, without overheads (`contend.schedules.fitting.fit`).
Restrictions: with rendezvous, os and or include the transfer, as in Kielmann's tool.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike
from pydantic import Field, model_validator

from contend.base.document import Bounds, Floats, Quantity, Record, require_numbers, require_tables
from contend.base.errors import InvalidInputError
from contend.base.statistics.launches import OVER_LAUNCHES, WITHIN_LAUNCH
from contend.base.units import format_bytes, format_seconds
from contend.samples.warnings import QualityWarning, warning

if TYPE_CHECKING:
    import pandas as pd

_BOUNDED = ("latency", "gap")  # what times of algorithms depend on
Tables: TypeAlias = "Mapping[str, pd.DataFrame]"
_Value: TypeAlias = float | tuple[float, ...]
Method = Literal["trains", "kielmann", "one_way", "schedules"]


class PLogP(Record):
    """Latency, and tables of gap and overheads over `size`, all tuples of the same length."""

    latency: Quantity
    latency_growth: Quantity | None = Field(None, description="L(m) - L over size")
    size: Quantity
    gap: Quantity
    send_overhead: Quantity | None = Field(None, description="absent from times of algorithms")
    receive_overhead: Quantity | None = None
    method: Method
    warnings: tuple[QualityWarning, ...] = ()

    @model_validator(mode="after")
    def _has_tables_over_sizes(self) -> "PLogP":
        require_numbers(latency=self.latency)
        names = ("size", "gap", "latency_growth", "send_overhead", "receive_overhead")
        require_tables("size", {name: getattr(self, name) for name in names})
        for name in ("latency", "gap"):
            if getattr(self, name).array.min() < 0:
                raise ValueError(f"{name} is below 0 s; fit the samples again")
        return self

    def gap_at(self, m: ArrayLike) -> Floats:
        """g(m) in seconds, shape of `m`."""
        return interpolate(m, self.size.array, self.gap.array)

    def send_overhead_at(self, m: ArrayLike) -> Floats:
        """os(m) in seconds, shape of `m`."""
        return interpolate(m, self.size.array, _measured(self.send_overhead, "os").array)

    def receive_overhead_at(self, m: ArrayLike) -> Floats:
        """or(m) in seconds, shape of `m`."""
        return interpolate(m, self.size.array, _measured(self.receive_overhead, "or").array)

    def latency_at(self, m: ArrayLike) -> Floats:
        """L(m) in seconds, shape of `m`; 0 where a bound of L and its growth leave less."""
        latency = np.full(np.shape(m), float(self.latency))
        if self.latency_growth is None:
            return latency
        growth = self.latency_growth.array
        grown = latency + np.interp(np.asarray(m, float), self.size.array, growth)
        return np.asarray(np.maximum(grown, 0.0))

    def seconds(self, m: ArrayLike) -> Floats:
        """Time of one message of `m` bytes, L(m) + g(m), shape of `m`."""
        return self.latency_at(m) + self.gap_at(m)

    def at_bounds(self) -> tuple["PLogP", "PLogP"] | None:
        """The network with all its lower and with all its upper bounds; None without them."""
        lows = {name: getattr(self, name).low for name in _BOUNDED}
        highs = {name: getattr(self, name).high for name in _BOUNDED}
        if None in lows.values() or None in highs.values():
            return None
        return self._with(lows), self._with(highs)

    def _with(self, values: Mapping[str, float | tuple[float, ...]]) -> "PLogP":
        update = {name: Quantity(value=value, unit="s") for name, value in values.items()}
        return self.model_copy(update=update)


def _measured(overhead: Quantity | None, symbol: str) -> Quantity:
    if overhead is None:
        raise InvalidInputError(
            f"these pLogP parameters have no {symbol}: they were fitted to times of algorithms",
            "measure the experiment plogp",
        )
    return overhead


def interpolate(m: ArrayLike, sizes: Floats, values: Floats) -> Floats:
    """Table value at `m`: linear between sizes, by the last segment above, constant below.

    A last segment that falls (noise) is taken as level, so that no time becomes negative.

    >>> interpolate([5, 30], np.array([0.0, 10.0, 20.0]), np.array([1.0, 2.0, 4.0])).tolist()
    [1.5, 6.0]
    """
    wanted = np.asarray(m, dtype=np.float64)
    time: Floats = np.interp(wanted, sizes, values)
    if sizes.size > 1:
        slope = max((values[-1] - values[-2]) / (sizes[-1] - sizes[-2]), 0.0)
        time = time + slope * np.maximum(wanted - sizes[-1], 0.0)
    return time


def fit(tables: Tables) -> PLogP:
    """Parameters from tables of medians (columns `m`, `seconds`, `low`, `high`) by quantity.

    `gap` and `round_trip` over the same sizes (trains), or `saturation_gap` and `round_trip`
    (Kielmann's method), or `one_way` (half round trips); `send_overhead` and `receive_overhead` in
    all cases.
    """
    for needed in ("send_overhead", "receive_overhead"):
        if needed not in tables:
            raise InvalidInputError(
                f"pLogP needs {needed}", "measure the experiment plogp, or import Isend and Recv"
            )
    if "gap" in tables and "round_trip" in tables:
        return _by_trains(tables)
    if "saturation_gap" in tables and "round_trip" in tables:
        return _by_kielmann(tables)
    if "one_way" in tables:
        return _by_one_way(tables)
    raise InvalidInputError("pLogP needs round trips", "measure the experiment plogp or pingpong")


def _by_trains(tables: Tables) -> PLogP:
    """A gap of trains, and the growth of the latency with which L(m) + g(m) is one message."""
    measured = _with_empty(tables["round_trip"])
    trips, gaps = _settled(measured), _with_empty(tables["gap"])
    trip = _row(trips, 0)
    latency, empty = trip / 2 - _row(gaps, 0)[_OPPOSITE], trip[0]  # RTT(0)/2 - g(0)
    plogp = _assemble(tables, measured, tables["gap"], latency=latency, shift=0.0, method="trains")
    round_trips = np.asarray(trips["seconds"], dtype=np.float64)
    message = round_trips - np.minimum(empty, round_trips) / 2
    gap = _at_most(message, plogp.gap)
    growth = np.maximum(message - gap.array - float(plogp.latency), -float(plogp.latency))
    return plogp.model_copy(
        update={"gap": gap, "latency_growth": Quantity(value=tuple(growth.tolist()), unit="s")}
    )


def _at_most(limit: Floats, table: Quantity) -> Quantity:
    """A table whose values and low bounds are no higher than `limit`, of the table's shape."""
    value, low = (
        None if bound is None else tuple(np.minimum(limit, bound).tolist())
        for bound in (table.value, table.low)
    )
    return table.model_copy(update={"value": value, "low": low})


def _by_kielmann(tables: Tables) -> PLogP:
    train, measured = _with_empty(tables["saturation_gap"]), _with_empty(tables["round_trip"])
    trips = _settled(measured)
    trip, gap = _row(trips, 0), _row(train, 0)
    shift, latency = float(gap[0] - trip[0]), trip / 2 - gap[_OPPOSITE]  # RTT(0)/2 - g(0)
    return _assemble(tables, measured, trips, latency=latency, shift=shift, method="kielmann")


def _by_one_way(tables: Tables) -> PLogP:
    measured = tables["one_way"].sort_values("m")
    trips = _settled(measured)
    smallest = int(trips["m"].iloc[0])
    gap = np.maximum(*(_row(tables[name], smallest) for name in _OVERHEADS))
    latency = _row(trips, smallest) - gap[_OPPOSITE]
    shift = -max(float(latency[0]), 0.0)
    return _assemble(tables, measured, trips, latency=latency, shift=shift, method="one_way")


_OVERHEADS = ("send_overhead", "receive_overhead")
_DISTURBED = 2.0  # half of an empty round trip cannot take longer than the whole of another
_COLUMNS = ("seconds", "low", "high")
_OPPOSITE = [0, 2, 1]  # in a difference the low bound of one goes with the high one of the other


def _with_empty(table: "pd.DataFrame") -> "pd.DataFrame":
    """The table by size, which the size 0 must be in."""
    if 0 not in set(table["m"]):
        raise InvalidInputError("pLogP needs the size 0", "measure plogp with 0 among the sizes")
    return table.sort_values("m")


def _settled(trips: "pd.DataFrame") -> "pd.DataFrame":
    """The table by size, with the smallest as fast as any where it is known to be disturbed."""
    smallest, fastest = trips["m"].idxmin(), trips["seconds"].idxmin()
    settled = trips.copy()
    if trips.loc[smallest, "seconds"] > _DISTURBED * trips.loc[fastest, "seconds"]:
        settled.loc[smallest, [*_COLUMNS]] = trips.loc[fastest, [*_COLUMNS]]
    return settled


def _row(table: "pd.DataFrame", m: int) -> Floats:
    """Value, low and high of a table at one size, shape (3,)."""
    ordered = table.sort_values("m").astype({"m": float})
    sizes, columns = ordered["m"].to_numpy(), (ordered[name].to_numpy(float) for name in _COLUMNS)
    return np.array([float(interpolate([m], sizes, values)[0]) for values in columns])


def _assemble(
    tables: Tables,
    trips: "pd.DataFrame",
    gaps: "pd.DataFrame",
    *,
    latency: Floats,
    shift: float,
    method: Method,
) -> PLogP:
    """Parameters over the sizes of `trips`; the gap is `gaps` moved by `shift`."""
    sizes = np.sort(np.asarray(trips["m"], dtype=np.float64))
    overheads = {
        name: _table(sizes, tables[name].sort_values("m"), shift=0.0) for name in _OVERHEADS
    }
    value, low, high = (max(float(bound), 0.0) for bound in latency)  # of NaN it stays NaN
    return PLogP(
        latency=_quantity(value, low, high, _bounds_of([*tables.values()])),
        size=Quantity(value=tuple(sizes.tolist()), unit="B"),
        gap=_table(sizes, gaps.sort_values("m"), shift=shift),
        send_overhead=overheads["send_overhead"],
        receive_overhead=overheads["receive_overhead"],
        method=method,
        warnings=tuple(_doubts(float(latency[0]), trips)),
    )


def _table(sizes: Floats, table: "pd.DataFrame", shift: float) -> Quantity:
    """Values of a table at `sizes`, moved by `shift`; a gap is never below zero."""
    measured = table["m"].to_numpy(float)
    columns = {
        column: tuple(np.maximum(interpolate(sizes, measured, values) + shift, 0.0).tolist())
        for column, values in ((name, table[name].to_numpy(float)) for name in _COLUMNS)
    }
    return _quantity(columns["seconds"], columns["low"], columns["high"], _bounds_of([table]))


def _quantity(value: _Value, low: _Value, high: _Value, bounds: Bounds | None) -> Quantity:
    """A time with its bounds, where all of them are known."""
    if not np.isfinite([np.atleast_1d(low), np.atleast_1d(high)]).all():
        return Quantity(value=value, unit="s")
    return Quantity(value=value, unit="s", low=low, high=high, bounds=bounds)


def _bounds_of(tables: "Sequence[pd.DataFrame]") -> Bounds | None:
    """What the bounds of tables are: within a launch where those of any are."""
    origins = {name for table in tables if "bounds" in table for name in table["bounds"]} - {None}
    return WITHIN_LAUNCH if WITHIN_LAUNCH in origins else OVER_LAUNCHES if origins else None


def _doubts(latency: float, trips: "pd.DataFrame") -> Iterator[QualityWarning]:
    if not latency > 0:
        yield warning("latency_not_positive", "plogp", latency=format_seconds(latency))
    smallest, fastest = (trips.loc[trips[column].idxmin()] for column in ("m", "seconds"))
    if smallest["seconds"] > _DISTURBED * fastest["seconds"]:
        slow, fast = (
            f"{format_bytes(int(trip['m']))} took {format_seconds(trip['seconds'])}"
            for trip in (smallest, fastest)
        )
        yield warning("smallest_slow", "plogp", slow=slow, fast=fast)
