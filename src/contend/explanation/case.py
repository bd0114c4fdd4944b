"""One operation at one number of processes: its times, what bounds them, and what was expected."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import pandas as pd

from contend.bounds import operation_bound
from contend.document import Floats
from contend.errors import ContendError, InvalidInputError
from contend.explanation.bound import card_bytes, is_shared, least_seconds, nodes
from contend.explanation.message import MESSAGES, Message
from contend.network import Network
from contend.pointtopoint import hockney
from contend.prediction.predict import predict
from contend.samples import Sample, table
from contend.samples.by_setting import by_setting, under_conditions
from contend.samples.setting import NATIVE, split_conditions, under
from contend.signature import EXCHANGES, PointToPoint
from contend.structure.exchange import exchange_of
from contend.structure.finding import Analysis
from contend.timeouts.separate import Separated, separate

BYTES_ALONE = hockney.given(0.0, 1.0)  # by which a bound in seconds is one in bytes
OF_BYTES = 0.1  # share of its time that the bytes of the smallest such size take
Curve = tuple[Floats, Floats]  # sizes ascending, and seconds
COLUMNS = ("m", "seconds", "bound", "lost", "expected", "low", "high", "lost_to_expected",
           "extrapolates")  # fmt: skip


@dataclass(frozen=True)
class Case:
    """What is explained; `samples` are those of the operation, algorithm and placement, at all n.

    `others` are times of other operations by the library's own choice, at the same n, and `rivals`
    those of the same operation by other algorithms.
    """

    operation: str
    algorithm: str
    n: int
    processes_per_node: int | None
    samples: tuple[Sample, ...]
    message: Message
    network: Network | None = None
    others: Mapping[str, Curve] = field(default_factory=dict)
    rivals: Mapping[str, Curve] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """Operation, algorithm and placement in words."""
        each = nodes(self.n, self.processes_per_node)
        placed = ""
        if self.processes_per_node is not None and self.processes_per_node > 1:
            several = f"{len(each)} nodes" if len(each) > 1 else "one node"
            placed = f" on {several}, {self.processes_per_node} per node"
            placed += f" and {each[-1]} on the last" if each[-1] != each[0] else ""
        return f"{self.operation}/{self.algorithm}, {self.n} processes{placed}"

    @property
    def is_exchange(self) -> bool:
        """Whether every process sends to every other."""
        return self.operation in EXCHANGES

    @property
    def is_shared(self) -> bool:
        """Whether processes share the network card of their node."""
        return is_shared(self.n, self.processes_per_node)

    @cached_property
    def rows(self) -> pd.DataFrame:
        """A row per size at this n, ascending, with the columns `COLUMNS`; NaN where unknown."""
        found = table.exchanges(one for one in self.samples if one.n == self.n)
        rows = found.groupby("m", as_index=False)["seconds"].median().sort_values("m")
        sizes = rows["m"].to_numpy(dtype=np.float64)
        rows["bound"] = least_seconds(
            self.operation, self.n, self.processes_per_node, sizes, self.message
        )
        if rows["bound"].isna().all():
            rows["bound"] = self._at_own_rate(sizes, rows["seconds"].to_numpy(dtype=np.float64))
        rows["lost"] = rows["seconds"] / rows["bound"].where(rows["bound"] > 0)
        prediction = self._prediction[0]
        for name, column in {"expected": "seconds", "low": "low", "high": "high"}.items():
            rows[name] = np.nan if prediction is None else prediction[column].to_numpy()
        rows["extrapolates"] = (
            "" if prediction is None else prediction["extrapolates"].fillna("").to_numpy()
        )
        rows["lost_to_expected"] = rows["seconds"] / rows["expected"]
        return rows[list(COLUMNS)].reset_index(drop=True)

    def _at_own_rate(self, sizes: Floats, seconds: Floats) -> Floats:
        """Bytes alone at the best rate of these times; NaN of sizes too small to be about bytes."""
        carried = operation_bound(self.operation, self.n, sizes, BYTES_ALONE)
        if not np.isfinite(carried).all() or not carried.any():
            return np.full(sizes.shape, np.nan)
        alone = carried / float(np.max(carried / seconds))
        first = int(np.argmax(alone >= OF_BYTES * seconds))
        return np.where(np.arange(sizes.size) >= first, alone, np.nan)

    @cached_property
    def has_bound(self) -> bool:
        """Whether what a message alone takes is known, as this placement needs it."""
        known = least_seconds(
            self.operation, self.n, self.processes_per_node, self.sizes, self.message
        )
        return bool(np.isfinite(known).any())

    @property
    def sizes(self) -> Floats:
        """Bytes, ascending, shape (n_sizes,)."""
        return np.asarray(self.rows["m"], dtype=np.float64)

    @property
    def seconds(self) -> Floats:
        """Median times, shape (n_sizes,)."""
        return np.asarray(self.rows["seconds"], dtype=np.float64)

    @cached_property
    def least(self) -> Floats:
        """The shortest median of a launch at each size, seconds, shape (n_sizes,)."""
        found: dict[int, float] = {}
        for one in self.samples:
            if one.n == self.n:
                found[one.m] = min(found.get(one.m, np.inf), one.median)
        return np.array([found[int(m)] for m in self.sizes])

    @cached_property
    def _prediction(self) -> tuple[pd.DataFrame | None, str]:
        """What the network expects at each size, or why it says nothing."""
        if self.network is None:
            return None, "no network file was given"
        found = table.exchanges(one for one in self.samples if one.n == self.n)
        sizes = np.unique(found["m"])
        try:
            known = self.network.find(self.operation, self.algorithm, self.processes_per_node)
            if known.algorithm != self.algorithm:
                return None, f"the network file holds {known.title}, of other conditions"
            return predict(self.network, known, self.n, sizes), ""
        except ContendError as error:
            return None, error.message

    @property
    def not_expected(self) -> str:
        """Why nothing was expected; empty where it was."""
        return self._prediction[1]

    @cached_property
    def counts(self) -> tuple[int, ...]:
        """All n that were measured."""
        return tuple(sorted({one.n for one in self.samples}))

    @cached_property
    def analysis(self) -> Analysis | None:
        """The structure of the times over all n and m; of what is no exchange, over m alone."""
        own = [one for one in self.samples if self.is_exchange or one.n == self.n]
        rows = table.exchanges(own)
        known = PointToPoint(hockney=self.message.hockney)
        exchange = exchange_of(
            rows, self.processes_per_node, known, operation=self.operation, algorithm=self.algorithm
        )
        found = Analysis(exchange)
        return found if exchange.is_measured.any() else None

    @cached_property
    def separated(self) -> Separated:
        """Repetitions apart in those with and without a time-out."""
        return separate(self.samples, self.operation)

    @property
    def has_repetitions(self) -> bool:
        """Whether single repetitions are known, not their means alone."""
        return all(one.statistic == "repetition" for one in self.samples) and any(
            len(one.times_s) > 1 for one in self.samples
        )

    @cached_property
    def card_rate(self) -> Floats:
        """Bytes per second that the busiest node puts through its card, shape (n_sizes,)."""
        carried = card_bytes(self.operation, self.n, self.processes_per_node, self.sizes)
        return carried / self.seconds

    @cached_property
    def process_rate(self) -> Floats:
        """Bytes per second of a process to and from others; NaN of what is no exchange."""
        if not self.is_exchange:
            return np.full(self.sizes.shape, np.nan)
        return (self.n - 1) * self.sizes / self.seconds


def cases(
    samples: Sequence[Sample],
    message: Message,
    network: Network | None = None,
    n: int | None = None,
) -> list[Case]:
    """A case for each operation, setting and placement, at `n` or at the largest n measured.

    Raises
    ------
    InvalidInputError
        Where no operation was measured (at `n`).
    """
    own = by_setting(samples)
    own = [one for one in own if one.experiment not in MESSAGES and one.median > 0]
    own = [one for one in own if one.m > 0 or one.experiment == table.BARRIER]
    groups: dict[tuple[str, str, int | None], list[Sample]] = {}
    for one in own:
        key = (one.experiment, one.algorithm, one.processes_per_node)
        groups.setdefault(key, []).append(one)
    found = []
    for (operation, algorithm, per_node), part in sorted(groups.items(), key=str):
        counts = {one.n for one in part}
        at = n if n in counts else max(counts) if n is None else None
        if at is not None:
            conditions = split_conditions(algorithm)[1]
            alike = [
                one
                for one in under_conditions(own, conditions)
                if (one.n, one.processes_per_node) == (at, per_node)
            ]
            native = under(NATIVE, conditions)
            others = _curves(alike, lambda one: one.experiment, {native}, but=operation)
            rivals = _curves(
                [one for one in alike if one.experiment == operation],
                lambda one: one.algorithm, but=algorithm,
            )  # fmt: skip
            given = (tuple(part), message.under(conditions), network, others, rivals)
            found.append(Case(operation, algorithm, at, per_node, *given))
    if not found:
        there = ", ".join(sorted({f"{one.experiment} at n = {one.n}" for one in own}))
        raise InvalidInputError(
            f"no operation was measured{f' at n = {n}' if n else ''}",
            f"there is {there}" if there else "name a file with times of a collective operation",
        )
    return found


def _curves(
    samples: Sequence[Sample],
    name_of: Callable[[Sample], str],
    algorithms: Collection[str] | None = None,
    *,
    but: str,
) -> dict[str, Curve]:
    """Times over the sizes by name, of these algorithms or all; without the one named `but`."""
    groups: dict[str, list[Sample]] = {}
    for one in samples:
        if name_of(one) != but and (algorithms is None or one.algorithm in algorithms):
            groups.setdefault(name_of(one), []).append(one)
    found = {}
    for name, own in groups.items():
        rows = table.exchanges(own).sort_values("m")
        found[name] = (rows["m"].to_numpy(np.float64), rows["seconds"].to_numpy(np.float64))
    return found
