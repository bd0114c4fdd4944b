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
from functools import partial
from typing import TypeAlias

import numpy as np
import pandas as pd

from contend.base.document import Floats, Quantity
from contend.base.errors import InvalidInputError
from contend.base.statistics.launches import Estimate, over_launches
from contend.models.signature import FittedForm, Form, PointToPoint
from contend.samples import Sample
from contend.samples.setting import split_conditions
from contend.schedules.pointtopoint import Hockney, PLogP

Kept: TypeAlias = tuple[int, ...]
FitMessages: TypeAlias = Callable[[Sequence[Sample], Hockney | None], PointToPoint]
RowsOf: TypeAlias = Callable[[Kept], pd.DataFrame]
_OF_MESSAGES = ("pingpong", "plogp")
_TABLES = ("gap", "send_overhead", "receive_overhead")


class Repeats:
    """Samples of subsets of the launches, and what is known of a message from each of them.

    `fit_messages` gives that of samples, with its step where that of another line is.
    """

    def __init__(self, samples: Sequence[Sample], fit_messages: FitMessages) -> None:
        groups: defaultdict[tuple[str, int, str], list[Sample]] = defaultdict(list)
        for sample in samples:
            groups[sample.experiment, sample.n, split_conditions(sample.setting)[1]].append(sample)
        self._groups = {key: _numbered(group) for key, group in groups.items()}
        self._fit_messages = fit_messages
        self._known: dict[Kept, PointToPoint] = {}
        self.known = self._with_bounds(fit_messages(samples, None))

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
        found: list[Sample] = []
        for group in self._groups.values():
            wanted = {sample.launch for sample in group}
            if len(wanted) > 1:
                wanted = wanted.intersection(kept) or wanted
            found += [sample for sample in group if sample.launch in wanted]
        return found

    def messages(self, kept: Sequence[int]) -> PointToPoint:
        """What is known of a message from some launches."""
        key = tuple(kept)
        if key not in self._known:
            only = [s for s in self.samples(kept) if s.experiment in _OF_MESSAGES]
            self._known[key] = self._fit_messages(only, self.known.hockney)
        return self._known[key]

    def _with_bounds(self, known: PointToPoint) -> PointToPoint:
        self.known = known
        line, plogp = known.hockney, known.plogp
        if line and len(launches := self.launches("pingpong")) > 1:
            line = _line_with_bounds(line, over_launches(launches, self._line))
        own = "pingpong" if plogp and plogp.method == "one_way" else "plogp"
        if plogp and len(launches := self.launches(own)) > 1:
            of_some = partial(self._tables, at=plogp)
            plogp = _plogp_with_bounds(plogp, over_launches(launches, of_some))
        return PointToPoint(line, plogp)

    def _line(self, kept: Sequence[int]) -> list[float]:
        line = self.messages(kept).hockney
        if line is None:
            raise InvalidInputError("no ping-pong in these launches", "measure it in each launch")
        return [float(line.alpha), float(line.beta), float(line.step or 0)]

    def _tables(self, kept: Sequence[int], at: PLogP) -> Floats:
        """Latency, gap and overheads at the sizes of `at`, one after another."""
        plogp, sizes = self.messages(kept).plogp, at.size.array
        if plogp is None:
            raise InvalidInputError("no trains in these launches", "measure plogp in each launch")
        tables = (plogp.gap_at, plogp.send_overhead_at, plogp.receive_overhead_at)
        return np.concatenate([plogp.latency.array, *(table(sizes) for table in tables)])


def _numbered(samples: Sequence[Sample]) -> list[Sample]:
    """The samples with their launches counted from 0, each with its median for its repetitions."""
    places = {number: place for place, number in enumerate(sorted({s.launch for s in samples}))}
    return [
        one.model_copy(
            update={
                "launch": places[one.launch], "times_s": (one.median,), "rank_times_s": None,
            }
        )
        for one in samples
    ]  # fmt: skip


def form_over_launches(
    form: Form, fit: FittedForm, launches: Kept, rows_of: RowsOf, repeats: Repeats
) -> FittedForm:
    """The fitted form with bounds and covariance over `launches`, where there are several.

    `rows_of` gives the rows to fit of some launches. The covariance is what predictions need: those
    of a form of pLogP parameters take these from the network, so that they are held fixed for it.
    """
    if len(launches) < 2:
        return fit
    names = [name for name in fit.parameters if name not in (*form.abscissae, *form.chosen)]

    def estimate(kept: Sequence[int], known: PointToPoint) -> Floats:
        again = form.fit_again(rows_of(tuple(kept)), known, fit)
        values = np.concatenate([again.parameters[name].array for name in names])
        if values.size != sum(fit.parameters[name].array.size for name in names):
            raise InvalidInputError("these launches lack a size", "measure all in each launch")
        return values

    found = over_launches(launches, lambda kept: estimate(kept, repeats.messages(kept)))
    if found.low is None or found.high is None:
        return fit
    parameters, places = dict(fit.parameters), dict[str, int]()
    first = 0
    for name in names:
        known = fit.parameters[name]
        own = slice(first, first + known.array.size)
        if _is_estimated(found, own):
            parameters[name] = _bounded(known, found, own)
            if not isinstance(known.value, tuple):
                places[name] = first
        first = own.stop
    held = found
    if form.needs_plogp:
        held = over_launches(launches, lambda kept: estimate(kept, repeats.known))
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


def _is_estimated(found: Estimate, own: slice) -> bool:
    """Whether any launch changes the values: what is given is the same from all of them."""
    return bool((found.replicates[:, own] != found.value[own]).any())


def _bounded(known: Quantity, found: Estimate, own: slice) -> Quantity:
    if not isinstance(known.value, tuple):
        bounds = found.quantity(own.start, known.unit)
        return bounds.model_copy(update={"value": known.value})
    part = found.part(own)
    return part.table(known.unit).model_copy(update={"value": known.value})


def _line_with_bounds(line: Hockney, found: Estimate) -> Hockney:
    if found.low is None or not _is_estimated(found, slice(0, 2)):
        return line
    covariance = tuple(tuple(row[:2]) for row in found.covariance[:2].tolist())
    step = found.quantity(2, "s") if line.step else None
    return line.model_copy(
        update={
            "alpha": found.quantity(0, "s"),
            "beta": found.quantity(1, "s/B"),
            "step": step,
            "covariance": covariance,
        }
    )


def _plogp_with_bounds(plogp: PLogP, found: Estimate) -> PLogP:
    if found.low is None:
        return plogp
    count = plogp.size.array.size
    update = {"latency": _bounded(plogp.latency, found, slice(0, 1))}
    for number, name in enumerate(_TABLES):
        own = slice(1 + number * count, 1 + (number + 1) * count)
        update[name] = _bounded(getattr(plogp, name), found, own)
    return plogp.model_copy(update=update)
