"""Times by schedules, as far as the algorithms of an operation that were run support them.

Source: this project; the reach of errors is that of `contend.base.statistics.rank`. Idea: a
schedule can be timed in several ways, by what its messages meet (`prediction.catalogue`). And what
they meet that no way knows, all algorithms of a call meet alike: contention, cores, slow starts. So
each way is tried as it is, and times the factor by which the others of a call took longer. Each
schedule that was run is predicted without its own times. The first way stays, unless the errors of
another are less on average, by a tenth or more, and those of most schedules. Formula: log T(n, m) =
log T_schedule(n, m) + c(n, m); c is 0, or the median of log(T / T_schedule) over the runs of a
call, at the nearest n, and between the sizes there on a line over log m. Errors: |log(T_predicted /
T)| of each run, by the runs of other schedules: at its n and m; or, where n or m was not run, at
other n, or other m. Nine of ten are within the reach, which is added to the doubts of parameters.
Restrictions: nine runs or more, of two schedules or more, else the first way by parameters alone. A
reach is that of the n and m that were run: further away errors may be larger, which `beyond` says.
Calls of very many messages are timed one message at a time, and runs of such tell nothing of other
ways.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product

import numpy as np

from contend.base.document import Floats, Quantity
from contend.base.errors import InvalidInputError
from contend.base.statistics.rank import FEWEST, reach
from contend.base.statistics.student import NORMAL_90
from contend.models.prediction.catalogue import SINGLE
from contend.schedules import Algorithm
from contend.schedules.fitting.record import Parameters
from contend.schedules.pointtopoint import PLogP
from contend.schedules.timing.evaluation import most_messages
from contend.schedules.timing.predict import Known, Times, Timing
from contend.tune.choose.runs import Run

FEWEST_SCHEDULES = 2  # of which others are predicted
_WORTH = 0.1  # share by which errors are to be less for another way than the first
_NORMAL_95 = 1.96  # standard deviations on either side of the bounds of parameters
_MOST_OF_RUNS = 1 << 16  # messages of all runs, from the fewest on, that tell of ways but SINGLE
_MOST_OF_CALL = 1 << 17  # messages of a call that is timed in another way
_SAME = 1e-9  # of logarithms


@dataclass(frozen=True)
class Way:
    """A way to time schedules, held against runs.

    `log_errors` is log(T_schedule / T) of each run, NaN where it has too many messages. `errors`
    are what is left of it by others, (2, 2, runs): at the n of the run or at others, at its m or at
    others.
    """

    name: str
    timing: Timing
    is_corrected: bool
    log_errors: Floats
    errors: Floats

    def reach(self, *, has_n: bool = True, has_m: bool = True) -> float | None:
        """What nine of ten errors are within, as logarithms; None where they are too few.

        `has_n` and `has_m` say whether runs have the n and the m that are asked for.
        """
        errors = np.abs(self.errors[int(not has_n), int(not has_m)])
        return reach(errors[~np.isnan(errors)])


@dataclass(frozen=True)
class Validated:
    """A timing of the schedules of an operation by what was run: `Timing` is its protocol."""

    operation: str
    way: Way
    plain: Way  # one message at a time, for calls of too many
    runs: tuple[Run, ...] = ()
    where: str = ""  # the processes were, in words

    def __call__(
        self, algorithm: Algorithm, plogp: PLogP, n: int, m: int, **options: int
    ) -> tuple[Times, Known]:
        """Time a call of `n` ranks and `m` bytes; its interval includes the errors of runs."""
        able = self.able([(algorithm, n, m, options)])
        interval, claim = able.way.timing(algorithm, plogp, n, m, **options)
        doubt = able.doubt(n, m)
        if doubt is None:
            return interval, claim
        if able.way.is_corrected:
            interval, claim = _times(interval, np.exp(able.correction(n, m))), "corrected"
        half = NORMAL_90 * np.hypot(doubt, _bounds_deviation(interval))
        return Times(
            interval.seconds, interval.seconds * np.exp(-half), interval.seconds * np.exp(half)
        ), claim

    def able(self, calls: Sequence[tuple[Algorithm, int, int, Mapping[str, int]]]) -> "Validated":
        """The same if it can time all of the calls in its way, else by single messages."""
        most = max(_messages(*call) for call in calls)
        if self.way.name == SINGLE or most <= _MOST_OF_CALL:
            return self
        if self.where and not self.is_validated:
            raise InvalidInputError(
                f"{most} messages{self.where} are too many to be timed over links",
                f"ask for fewer processes or larger segments, {_MOST_OF_CALL} messages at most; "
                "without --ppn and groups single messages are timed",
            )
        return replace(self, way=self.plain)

    def doubt(self, n: int, m: int) -> float | None:
        """Standard deviation of the logarithm of what is predicted for n and m; None: not known."""
        if not self.is_validated:
            return None
        within = self.way.reach(has_n=n in self.counts, has_m=m in self.sizes)
        if within is None:  # nothing tells how the factor changes, which may be all that is known
            within = reach(np.abs(self.way.log_errors[~np.isnan(self.way.log_errors)]))
        return None if within is None else within / NORMAL_90

    @cached_property
    def counts(self) -> tuple[int, ...]:
        return tuple(sorted({run.n for run in self.runs}))

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        return tuple(sorted({run.m for run in self.runs}))

    @property
    def points(self) -> int:
        """Runs that tell how far off the way is."""
        return int((~np.isnan(self.way.errors[0, 0])).sum())

    @cached_property
    def is_validated(self) -> bool:
        schedules = {run.algorithm.name for run in self.runs}
        return len(schedules) >= FEWEST_SCHEDULES and self.way.reach() is not None

    def beyond(self, n: int, m: int) -> list[str]:
        """Which of n and m lie outside of what was run, if anything was."""
        pairs = (("n", n, self.counts), ("m", m, self.sizes))
        return [
            name
            for name, value, seen in pairs
            if self.is_validated and not seen[0] <= value <= seen[-1]
        ]

    def correction(self, n: int, m: int) -> float:
        """Logarithm of the factor by which the runs of a call took longer than their schedules."""
        usable = ~np.isnan(self.way.log_errors)
        return -_median_at(_places(self.runs), self.way.log_errors, usable, np.log([n, max(m, 1)]))


def validated(
    operation: str,
    parameters: Parameters,
    ways: Mapping[str, Timing],
    measured: Sequence[Run],
    where: str = "",
) -> Validated:
    """The way of `ways` that foretells what was run of an operation best.

    Runs whose times the parameters of their schedule were fitted to tell nothing.
    """
    unseen = [run for run in measured if not parameters.has_seen(run.algorithm.name, run.n, run.m)]
    tried = {
        name: _tried(name, timing, _errors(name, timing, parameters, unseen), unseen)
        for name, timing in ways.items()
    }
    schedules = [run.algorithm.name for run in unseen]
    (first, _), *_ = tried.values()
    return Validated(
        operation,
        way=_best([first, *(way for pair in tried.values() for way in pair)], schedules),
        plain=_best(tried[SINGLE], schedules),
        runs=tuple(unseen),
        where=where,
    )


def _errors(name: str, timing: Timing, parameters: Parameters, measured: Sequence[Run]) -> Floats:
    """Logarithms of what each run takes by its schedule over what it took."""
    messages = np.array([_messages(run.algorithm, run.n, run.m, run.options) for run in measured])
    order = np.argsort(messages, kind="stable")
    few = np.zeros(len(measured), dtype=bool)
    few[order] = np.cumsum(messages[order]) <= _MOST_OF_RUNS
    seconds = [
        float(timing(run.algorithm, _without_bounds(parameters.of(run.algorithm)), run.n, run.m,
                     **run.options)[0].seconds)
        if is_timed else np.nan
        for run, is_timed in zip(measured, few | (name == SINGLE), strict=True)
    ]  # fmt: skip
    return np.asarray(np.log(np.array(seconds, float)) - np.log([run.seconds for run in measured]))


def _tried(
    name: str, timing: Timing, log_errors: Floats, measured: Sequence[Run]
) -> tuple[Way, Way]:
    """A way as it is, and with what the others of a call are off by taken off."""
    at = _places(measured)
    schedules = np.array([run.algorithm.name for run in measured])
    corrected = np.full((2, 2, log_errors.size), np.nan)
    for place, name_of in enumerate(schedules):
        others = (schedules != name_of) & ~np.isnan(log_errors)
        for other_n, other_m in product((0, 1), (0, 1)):
            usable = others.copy()
            for values, is_other in zip(at, (other_n, other_m), strict=True):
                if is_other:
                    usable &= np.abs(values - values[place]) > _SAME
            if usable.any():
                factor = _median_at(at, log_errors, usable, at[:, place])
                corrected[other_n, other_m, place] = log_errors[place] - factor
    as_it_is = np.broadcast_to(log_errors, corrected.shape)
    return Way(name, timing, False, log_errors, as_it_is), Way(
        name, timing, True, log_errors, corrected
    )


def _median_at(at: Floats, log_errors: Floats, usable: np.ndarray, wanted: Floats) -> float:
    """The median error of usable runs, at the nearest n, on a line over log m there."""
    apart = np.where(usable, np.abs(at[0] - wanted[0]), np.inf)
    near = usable & (apart <= apart.min() + _SAME)
    sizes, place = np.unique(at[1][near], return_inverse=True)
    medians = [float(np.median(log_errors[near][place == index])) for index in range(sizes.size)]
    return float(np.interp(wanted[1], sizes, medians))


def _places(measured: Sequence[Run]) -> Floats:
    """Logarithms of n and m, (2, runs)."""
    return np.asarray(np.log([[run.n for run in measured], [max(run.m, 1) for run in measured]]))


def _best(ways: Sequence[Way], schedules: Sequence[str]) -> Way:
    """The first, or a later one whose errors are less."""
    best = ways[0]
    for way in ways[1:]:
        best = way if _is_better(way, best, schedules) else best
    return best


def _is_better(way: Way, other: Way, schedules: Sequence[str]) -> bool:
    """Whether its errors are less by `_WORTH` on average over schedules, and of most of them."""
    pairs = np.abs(np.stack([way.errors[0, 0], other.errors[0, 0]]))
    is_known = ~np.isnan(pairs).any(axis=0)
    names = np.array(schedules)[is_known]
    if names.size < FEWEST or len({*names}) < FEWEST_SCHEDULES:
        return False
    means = np.array(
        [pairs[:, is_known][:, names == name].mean(axis=1) for name in np.unique(names)]
    )
    ours, theirs = means.T
    is_for_most = np.mean(ours < theirs - _SAME) > 0.5
    return bool(is_for_most and ours.mean() < (1 - _WORTH) * theirs.mean())


def _times(times: Times, factor: float) -> Times:
    return Times(times.seconds * factor, times.low * factor, times.high * factor)


def _bounds_deviation(times: Times) -> float:
    """Standard deviation of the logarithm of a time by the bounds of parameters; 0: unknown."""
    seconds, low, high = float(times.seconds), float(times.low), float(times.high)
    if not high >= seconds > 0:
        return 0.0
    width = np.log(high / low) / 2 if low > 0 else np.log(high / seconds)
    return float(width) / _NORMAL_95


def _without_bounds(plogp: PLogP) -> PLogP:
    def value(quantity: Quantity) -> Quantity:
        return quantity.model_copy(update={"low": None, "high": None})

    update = {name: value(getattr(plogp, name)) for name in ("latency", "gap")}
    return plogp.model_copy(update=update)


def _messages(algorithm: Algorithm, n: int, m: int, options: Mapping[str, int]) -> int:
    return most_messages(algorithm, algorithm.uniform_call(n, m, options))
