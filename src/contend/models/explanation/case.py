"""One operation at one number of processes: its times, what bounds them, and what was expected."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import pandas as pd

from contend.base.document import Floats
from contend.base.errors import ContendError, InvalidInputError
from contend.models.bounds import operation_bound
from contend.models.explanation.bound import card_bytes, is_shared, least_seconds, nodes
from contend.models.explanation.exchange import exchange_of
from contend.models.explanation.finding import Analysis, Finding, Try
from contend.models.explanation.message import Message
from contend.models.network import Network
from contend.models.prediction.predict import predict
from contend.models.signature import EXCHANGES, PointToPoint
from contend.models.timeouts.separate import Separated, separate
from contend.samples import Sample, table
from contend.samples.by_setting import by_setting, under_conditions
from contend.samples.sample import SINGLE_MESSAGES
from contend.samples.setting import NATIVE, split_conditions, under
from contend.schedules.pointtopoint import hockney

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
        each = nodes(self.n, self.processes_per_node)
        text = f"{self.operation}/{self.algorithm}, {self.n} processes"
        if self.processes_per_node is not None and self.processes_per_node > 1:
            several = f"{len(each)} nodes" if len(each) > 1 else "one node"
            text += f" on {several}, {self.processes_per_node} per node"
            text += f" and {each[-1]} on the last" if each[-1] != each[0] else ""
        return text

    @property
    def is_exchange(self) -> bool:
        return self.operation in EXCHANGES

    @property
    def is_shared(self) -> bool:
        """Whether processes share the network card of their node."""
        return is_shared(self.n, self.processes_per_node)

    @cached_property
    def rows(self) -> pd.DataFrame:
        """A row per size at this n, ascending, with the columns `COLUMNS`; NaN where unknown."""
        measured = table.exchanges(each for each in self.samples if each.n == self.n)
        rows = measured.groupby("m", as_index=False)["seconds"].median().sort_values("m")
        sizes = rows["m"].to_numpy(dtype=np.float64)
        rows["bound"] = self._least(sizes)
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

    def _least(self, sizes: Floats) -> Floats:
        """What a message alone tells of the least time; NaN where it does not."""
        return least_seconds(
            self.operation, self.n, self.processes_per_node, sizes, self.message
        )  # fmt: skip

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
        return bool(np.isfinite(self._least(self.sizes)).any())

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
        shortest: dict[int, float] = {}
        for each in self.samples:
            if each.n == self.n:
                shortest[each.m] = min(shortest.get(each.m, np.inf), each.median)
        return np.array([shortest[int(m)] for m in self.sizes])

    @cached_property
    def _prediction(self) -> tuple[pd.DataFrame | None, str]:
        """What the network expects at each size, or why it says nothing."""
        if self.network is None:
            return None, "no network file was given"
        sizes = np.unique([each.m for each in self.samples if each.n == self.n])
        try:
            operation = self.network.find(self.operation, self.algorithm, self.processes_per_node)
            if operation.algorithm != self.algorithm:
                return None, f"the network file holds {operation.title}, of other conditions"
            return predict(self.network, operation, self.n, sizes), ""
        except ContendError as error:
            return None, error.message

    @property
    def not_expected(self) -> str:
        """Why nothing was expected; empty where it was."""
        return self._prediction[1]

    @cached_property
    def counts(self) -> tuple[int, ...]:
        return tuple(sorted({sample.n for sample in self.samples}))

    @cached_property
    def analysis(self) -> Analysis | None:
        """The structure of the times over all n and m; of what is no exchange, over m alone."""
        used = [each for each in self.samples if self.is_exchange or each.n == self.n]
        message = PointToPoint(hockney=self.message.hockney)
        exchange = exchange_of(table.exchanges(used), self.processes_per_node, message)
        return Analysis(exchange) if exchange.is_measured.any() else None

    def finding(
        self, kind: str, sizes: tuple[int, int], sentence: str, factor: float | None, *tries: Try
    ) -> Finding:
        """A cause that these times at this n tell."""
        return Finding(kind, sizes, (self.n,), sentence, factor=factor, tries=tries)

    def sizes_of(self, finding: Finding) -> list[float]:
        """Sizes of the case that a finding holds at."""
        return [float(m) for m in self.sizes if finding.sizes[0] <= m <= finding.sizes[1]]

    @cached_property
    def separated(self) -> Separated:
        """Repetitions apart in those with and without a time-out."""
        return separate(self.samples, self.operation)

    @property
    def has_repetitions(self) -> bool:
        """Whether single repetitions are known, not their means alone."""
        return all(sample.statistic == "repetition" for sample in self.samples) and any(
            len(sample.times_s) > 1 for sample in self.samples
        )

    @cached_property
    def card_rate(self) -> Floats:
        """Bytes per second that the busiest node puts through its card, shape (n_sizes,)."""
        carried = card_bytes(self.operation, self.n, self.processes_per_node, self.sizes)
        return carried / self.seconds


def cases(
    samples: Sequence[Sample],
    message: Message,
    network: Network | None = None,
    n: int | None = None,
) -> list[Case]:
    """A case for each operation, setting and placement, at `n` or at the largest n measured.

    Raises InvalidInputError where no operation was measured (at `n`).
    """
    timed = [
        each
        for each in by_setting(samples)
        if each.experiment not in SINGLE_MESSAGES
        and each.median > 0
        and (each.m > 0 or each.experiment == table.BARRIER)
    ]
    groups: dict[tuple[str, str, int | None], list[Sample]] = {}
    for each in timed:
        key = (each.experiment, each.algorithm, each.processes_per_node)
        groups.setdefault(key, []).append(each)
    collected = []
    for (operation, algorithm, per_node), part in sorted(groups.items(), key=str):
        counts = {each.n for each in part}
        if n not in counts and n is not None:
            continue
        at, conditions = n or max(counts), split_conditions(algorithm)[1]
        alike = [
            each
            for each in under_conditions(timed, conditions)
            if (each.n, each.processes_per_node) == (at, per_node)
        ]
        native = [each for each in alike if each.algorithm == under(NATIVE, conditions)]
        same = [each for each in alike if each.experiment == operation]
        others = _curves(native, lambda each: each.experiment, operation)
        rivals = _curves(same, lambda each: each.algorithm, algorithm)
        beside = message.under(conditions)
        collected.append(
            Case(operation, algorithm, at, per_node, tuple(part), beside, network, others, rivals)
        )
    if not collected:
        measured = ", ".join(sorted({f"{each.experiment} at n = {each.n}" for each in timed}))
        remedy = f"there is {measured}" if measured else ""
        raise InvalidInputError(
            f"no operation was measured{f' at n = {n}' if n else ''}",
            remedy or "name a file with times of a collective operation",
        )
    return collected


def _curves(
    samples: Sequence[Sample], name_of: Callable[[Sample], str], without: str
) -> dict[str, Curve]:
    """Times over the sizes by name, of all but one name."""
    groups: dict[str, list[Sample]] = {}
    for each in samples:
        if name_of(each) != without:
            groups.setdefault(name_of(each), []).append(each)
    curves = {}
    for name, part in groups.items():
        rows = table.exchanges(part).sort_values("m")
        curves[name] = (rows["m"].to_numpy(np.float64), rows["seconds"].to_numpy(np.float64))
    return curves
