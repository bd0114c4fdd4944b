"""Parameters of messages and forms with bounds over launches: fitted again to some of them.

Idea: every parameter is estimated again from subsets of the launches (`statistics.launches`). The
launches of one number are left out together from single messages and from the operation, so that
what a form inherits from alpha and beta is in its bounds. What was chosen among the sizes (M, where
a step begins) stays what it was.
Launches are counted from 0 at each number of processes, and under each of several conditions: a
batch job may have a number of its own.
Restrictions: a kind of sample with a single launch stays in every subset, since nothing is known of
how far another launch of it would differ; bounds of other parameters do not hold that.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
import pandas as pd

from contend.base.document import Floats, Quantity
from contend.base.errors import InvalidInputError
from contend.base.statistics.launches import Estimate, over_launches
from contend.models.fitting.estimator import FitOptions
from contend.models.fitting.series import by_algorithm, to_fit
from contend.models.signature import FORMS, FittedForm, PointToPoint
from contend.samples import Sample
from contend.samples.sample import SINGLE_MESSAGES
from contend.samples.setting import split_conditions
from contend.samples.table import select
from contend.samples.warnings import QualityWarning
from contend.schedules.pointtopoint import Hockney, PLogP

Kept: TypeAlias = tuple[int, ...]
FitMessages: TypeAlias = Callable[
    [Sequence[Sample], Hockney | None], tuple[PointToPoint, list[QualityWarning]]
]
_TABLES = ("gap", "send_overhead", "receive_overhead")


class Repeats:
    """Samples of subsets of the launches, and what is known of a message from each of them.

    `fit_messages` gives that of samples, with its step where that of another line is, and what is
    in doubt; `doubts` are those of all samples.
    """

    def __init__(self, samples: Sequence[Sample], fit_messages: FitMessages) -> None:
        groups: defaultdict[tuple[str, int, str], list[Sample]] = defaultdict(list)
        for sample in samples:
            groups[sample.experiment, sample.n, split_conditions(sample.setting)[1]].append(sample)
        self._groups = {key: _numbered(group) for key, group in groups.items()}
        self._fit_messages = fit_messages
        self._of_launches: dict[Kept, PointToPoint] = {}
        self.message, self.doubts = fit_messages(samples, None)
        line, plogp = self.message.hockney, self.message.plogp
        if line and len(launches := self.launches("pingpong")) > 1:
            estimate = over_launches(launches, lambda kept: _line(self.messages(kept)))
            line = _line_with_bounds(line, estimate)
        experiment = "pingpong" if plogp and plogp.method == "one_way" else "plogp"
        if plogp and len(launches := self.launches(experiment)) > 1:
            sizes = plogp.size.array
            estimate = over_launches(launches, lambda kept: _tables(self.messages(kept), sizes))
            plogp = _plogp_with_bounds(plogp, estimate)
        self.message = PointToPoint(line, plogp)

    def launches(self, experiment: str, *n: int, conditions: str | None = None) -> Kept:
        """Numbers of the launches that samples of an experiment are of, at some `n` or at all.

        Of those under some `conditions`, or of all.
        """
        groups = [
            group
            for (name, count, under), group in self._groups.items()
            if name == experiment and (not n or count in n) and conditions in (None, under)
        ]
        return tuple(sorted({sample.launch for group in groups for sample in group}))

    def samples(self, kept: Sequence[int]) -> list[Sample]:
        """Samples of some launches, each with its median for its repetitions."""
        chosen: list[Sample] = []
        for group in self._groups.values():
            wanted = {sample.launch for sample in group}
            if len(wanted) > 1:
                wanted = wanted.intersection(kept) or wanted
            chosen += [sample for sample in group if sample.launch in wanted]
        return chosen

    def messages(self, kept: Sequence[int]) -> PointToPoint:
        """What is known of a message from some launches."""
        key = tuple(kept)
        if key not in self._of_launches:
            only = [s for s in self.samples(kept) if s.experiment in SINGLE_MESSAGES]
            self._of_launches[key], _ = self._fit_messages(only, self.message.hockney)
        return self._of_launches[key]


def _line(message: PointToPoint) -> list[float]:
    """Alpha, beta and the step of a message."""
    line = message.hockney
    if line is None:
        raise InvalidInputError("no ping-pong in these launches", "measure it in each launch")
    return [float(line.alpha), float(line.beta), float(line.step or 0)]


def _tables(message: PointToPoint, sizes: Floats) -> Floats:
    """Latency, gap and overheads at some sizes, one after another."""
    plogp = message.plogp
    if plogp is None:
        raise InvalidInputError("no trains in these launches", "measure plogp in each launch")
    tables = (plogp.gap_at, plogp.send_overhead_at, plogp.receive_overhead_at)
    return np.concatenate([plogp.latency.array, *(table(sizes) for table in tables)])


def _numbered(samples: Sequence[Sample]) -> list[Sample]:
    """The samples with their launches counted from 0, each with its median for its repetitions."""
    places = {number: place for place, number in enumerate(sorted({s.launch for s in samples}))}
    return [
        sample.model_copy(
            update={
                "launch": places[sample.launch], "times_s": (sample.median,), "rank_times_s": None,
            }
        )
        for sample in samples
    ]  # fmt: skip


class SomeLaunches:
    """Forms over some of the launches, whose tables to fit are each made once."""

    def __init__(self, repeats: Repeats, options: FitOptions) -> None:
        self.repeats, self._options = repeats, options
        self._tables: dict[Kept, dict[tuple[str, int | None], pd.DataFrame]] = {}

    def rows(
        self, kept: Kept, algorithm: str, ppn: int | None, n: Sequence[int | None]
    ) -> pd.DataFrame:
        """What a form is fitted to, of the launches `kept` and the process counts `n`."""
        if kept not in self._tables:
            chosen = select(self.repeats.samples(kept), self._options.operation)
            self._tables[kept] = {(name, per): rows for name, per, rows in by_algorithm(chosen)}
        rows = self._tables[kept].get((algorithm, ppn))
        if rows is None:
            raise InvalidInputError(f"no sample of {algorithm} in these launches", "measure it")
        rows = to_fit(rows[rows["n"].isin(n)], self._options)
        if rows.empty:
            raise InvalidInputError(f"no sample at n={n} in these launches", "measure it in each")
        return rows

    def with_bounds(
        self, fit: FittedForm, n: Sequence[int | None], algorithm: str, ppn: int | None
    ) -> FittedForm:
        """The form fitted at some n with bounds and covariance, where there are several launches.

        The covariance is what predictions need: those of a form of pLogP parameters take these from
        the network, so that they are held fixed for it.
        """
        options, repeats = self._options, self.repeats
        conditions = split_conditions(algorithm)[1]
        launches = repeats.launches(options.operation, *fit.n_fitted, conditions=conditions)
        if options.is_of_production or len(launches) < 2:
            return fit
        form = FORMS.get(fit.form).of(options.operation, algorithm, ppn)
        names = [name for name in fit.parameters if name not in (*form.abscissae, *form.chosen)]

        def estimate(kept: Sequence[int], message: PointToPoint) -> Floats:
            again = form.fit_again(self.rows(tuple(kept), algorithm, ppn, n), message, fit)
            values = np.concatenate([again.parameters[name].array for name in names])
            if values.size != sum(fit.parameters[name].array.size for name in names):
                raise InvalidInputError("these launches lack a size", "measure all in each launch")
            return values

        estimated = over_launches(launches, lambda kept: estimate(kept, repeats.messages(kept)))
        if estimated.low is None or estimated.high is None:
            return fit
        parameters, places = dict(fit.parameters), dict[str, int]()
        first = 0
        for name in names:
            quantity = fit.parameters[name]
            columns = slice(first, first + quantity.array.size)
            if _is_estimated(estimated, columns):
                parameters[name] = _bounded(quantity, estimated, columns)
                if not isinstance(quantity.value, tuple):
                    places[name] = first
            first = columns.stop
        held = estimated
        if form.needs_plogp:
            held = over_launches(launches, lambda kept: estimate(kept, repeats.message))
        chosen = list(places.values())
        covariance = held.covariance[np.ix_(chosen, chosen)] if chosen else np.empty((0, 0))
        return fit.model_copy(
            update={
                "parameters": parameters,
                "covariance_of": tuple(places),
                "covariance": tuple(map(tuple, covariance.tolist())),
                "launches": len(launches),
            }
        )


def _is_estimated(estimate: Estimate, columns: slice) -> bool:
    """Whether any launch changes the values: what is given is the same from all of them."""
    return bool((estimate.replicates[:, columns] != estimate.value[columns]).any())


def _bounded(quantity: Quantity, estimate: Estimate, columns: slice) -> Quantity:
    if not isinstance(quantity.value, tuple):
        bounds = estimate.quantity(columns.start, quantity.unit)
        return bounds.model_copy(update={"value": quantity.value})
    part = estimate.part(columns)
    return part.table(quantity.unit).model_copy(update={"value": quantity.value})


def _line_with_bounds(line: Hockney, estimate: Estimate) -> Hockney:
    if estimate.low is None or not _is_estimated(estimate, slice(0, 2)):
        return line
    covariance = tuple(tuple(row[:2]) for row in estimate.covariance[:2].tolist())
    step = estimate.quantity(2, "s") if line.step else None
    return line.model_copy(
        update={
            "alpha": estimate.quantity(0, "s"),
            "beta": estimate.quantity(1, "s/B"),
            "step": step,
            "covariance": covariance,
        }
    )


def _plogp_with_bounds(plogp: PLogP, estimate: Estimate) -> PLogP:
    if estimate.low is None:
        return plogp
    count = plogp.size.array.size
    update = {"latency": _bounded(plogp.latency, estimate, slice(0, 1))}
    for number, name in enumerate(_TABLES):
        columns = slice(1 + number * count, 1 + (number + 1) * count)
        update[name] = _bounded(getattr(plogp, name), estimate, columns)
    return plogp.model_copy(update=update)
