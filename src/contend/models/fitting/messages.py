"""Parameters of single messages, under each of the conditions that they were sent under.

Messages between buffers of a host and of accelerators are two networks to an application: no line
is drawn through both. What an exchange is held against is what was sent most like it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial

import pandas as pd

from contend.base.errors import InvalidInputError
from contend.models.fitting import warnings
from contend.models.fitting.over_launches import Repeats
from contend.models.network import Level
from contend.models.network.level import ALL
from contend.models.signature import PointToPoint
from contend.samples import Sample, quality, table
from contend.samples.by_setting import conditions_in, under_conditions
from contend.samples.sample import SINGLE_MESSAGES
from contend.samples.setting import nearest, split_conditions, under
from contend.samples.warnings import QualityWarning
from contend.schedules.pointtopoint import Hockney, PLogP, hockney, plogp, trains

_OF_TRAINS = ("saturation_gap", "round_trip", "send_overhead", "receive_overhead")


class Messages:
    """What is known of a message by conditions, with bounds over launches; and what is not.

    `doubts` are warnings. Samples of operations are kept beside those of messages, as their
    launches are left out together.
    """

    def __init__(self, samples: Sequence[Sample], known_hockney: Hockney | None = None) -> None:
        self._known_hockney = known_hockney
        sent = of_messages(samples)
        others = [sample for sample in samples if sample.experiment not in SINGLE_MESSAGES]
        self._repeats = {
            conditions: Repeats(
                [*others, *under_conditions(sent, conditions)],
                partial(_fit, conditions, known_hockney),
            )
            for conditions in conditions_in(sent) or [""]
        }
        self.doubts = [doubt for repeats in self._repeats.values() for doubt in repeats.doubts]

    def taken(self, conditions: str) -> str:
        """The conditions of the messages that an operation under `conditions` is held against."""
        return nearest(conditions, self._repeats)

    def under(self, conditions: str) -> Repeats:
        return self._repeats[self.taken(conditions)]

    @property
    def by_conditions(self) -> dict[str, PointToPoint]:
        return {name: repeats.message for name, repeats in self._repeats.items()}

    @property
    def is_any_known(self) -> bool:
        return any(message.hockney or message.plogp for message in self.by_conditions.values())

    @property
    def levels(self) -> tuple[Level, ...]:
        return tuple(
            Level(name=under(ALL, conditions), hockney=message.hockney, plogp=message.plogp)
            for conditions, message in self.by_conditions.items()
            if message.hockney or message.plogp
        )

    def sizes_left_out(self, measured: Sequence[Sample]) -> Iterator[QualityWarning]:
        """Doubts that sizes of single messages, all of `measured`, are in no parameter."""
        for conditions in conditions_in(of_messages(measured)):
            message = self.by_conditions.get(conditions, PointToPoint())
            sent = under_conditions(measured, conditions)
            if self._known_hockney is None:
                used = message.hockney.sizes_seen if message.hockney else ()
                yield from warnings.sizes_left_out(under("pingpong", conditions), sent, used)
            tables = {int(m) for m in message.plogp.size.array} if message.plogp else set()
            yield from warnings.sizes_left_out(under("plogp", conditions), sent, tables)


def of_messages(samples: Iterable[Sample]) -> list[Sample]:
    return [sample for sample in samples if sample.experiment in SINGLE_MESSAGES]


def fit_point_to_point(samples: Sequence[Sample], *, include_flagged: bool = False) -> PointToPoint:
    """Hockney's and pLogP's parameters, each None where the samples do not allow it.

    Where some were taken between two nodes, those within a node are left out; and so are those
    during which an emulated network could not keep up, unless they are to be included. Of messages
    under several conditions those by default count, or the most like these.
    """
    chosen = quality.trusted(samples, {*SINGLE_MESSAGES}, include_flagged)
    return Messages(chosen).under("").message


def _fit(
    conditions: str,
    known_hockney: Hockney | None,
    samples: Sequence[Sample],
    like: Hockney | None,
) -> tuple[PointToPoint, list[QualityWarning]]:
    """Fit all the samples given, with doubts; a step is where that of `like` is, if given."""
    one_way = _between_nodes(samples, "pingpong")
    train = _between_nodes(samples, "plogp")
    tables = {
        algorithm: table.medians(rows)
        for algorithm in _OF_TRAINS
        if (rows := [sample for sample in train if _is_by(algorithm, sample)])
    }
    if one_way:
        tables["one_way"] = table.medians(one_way)
    line, doubts = known_hockney, []
    if line is None and "one_way" in tables:
        try:
            line = hockney.fit(tables["one_way"], like)
        except InvalidInputError as problem:
            doubts.append(warnings.not_fitted(under("pingpong", conditions), problem))
    return PointToPoint(line, _plogp(tables, conditions, train, doubts)), doubts


def _is_by(algorithm: str, sample: Sample) -> bool:
    return split_conditions(sample.setting)[0] == algorithm


def _plogp(
    tables: Mapping[str, pd.DataFrame],
    conditions: str,
    train: Sequence[Sample],
    doubts: list[QualityWarning],
) -> PLogP | None:
    """Parameters by the best method that the tables allow; None where they allow none."""
    if not {"send_overhead", "receive_overhead"} <= tables.keys():
        return None
    overheads = {name: tables[name] for name in ("send_overhead", "receive_overhead")}
    where, problems = under("plogp", conditions), []
    for method in _methods(tables, train):
        try:
            parameters = plogp.fit(overheads | method)
        except InvalidInputError as problem:
            problems.append(problem)
            continue
        if problems:
            doubts.append(
                warnings.about_problem(
                    "not_fitted:method",
                    where,
                    problems[0],
                    "measure plogp again",
                    method=parameters.method,
                )
            )
        return parameters
    doubts.extend(warnings.not_fitted(where, problem) for problem in problems[:1])
    return None


def _methods(
    tables: Mapping[str, pd.DataFrame], train: Sequence[Sample]
) -> Iterator[dict[str, pd.DataFrame]]:
    """Tables for each method of pLogP that there are samples for, the best first."""
    if {"saturation_gap", "round_trip"} <= tables.keys():
        trips = tables["round_trip"]
        gap = _gaps(train, trips)
        if gap is not None:
            yield {"gap": gap, "round_trip": trips[trips["m"].isin(gap["m"])]}
        yield {name: tables[name] for name in ("saturation_gap", "round_trip")}
    if "one_way" in tables:
        yield {"one_way": tables["one_way"]}


def _gaps(samples: Sequence[Sample], round_trips: pd.DataFrame) -> pd.DataFrame | None:
    """The gap of each size, where there are trains of half the sizes of round trips or more."""
    by_size = dict(zip(round_trips["m"], round_trips["seconds"], strict=True))
    lasting = trains.gaps(
        (sample for sample in samples if _is_by("saturation_gap", sample)), by_size
    )
    if 2 * len({sample.m for sample in lasting}) < len(by_size):
        return None
    return table.medians(lasting)


def _between_nodes(samples: Sequence[Sample], experiment: str) -> list[Sample]:
    """Samples of an experiment between two nodes, or all of it where none are known to be."""
    chosen = [sample for sample in samples if sample.experiment == experiment]
    apart = [sample for sample in chosen if sample.processes_per_node == 1]
    return apart or chosen
