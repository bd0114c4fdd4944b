"""Samples to network: every model and form that the samples allow, with its warnings."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial

import numpy as np
import pandas as pd

from contend.bounds import beaten_bound
from contend.errors import InvalidInputError
from contend.fitting import warnings
from contend.fitting.by_count import signatures_by_count
from contend.fitting.estimator import FitOptions
from contend.fitting.gains import Series, gains_of
from contend.fitting.messages import EXPERIMENTS, Messages
from contend.fitting.over_launches import Repeats, form_over_launches
from contend.network import Network, Operation, title_of
from contend.network.evidence import MeasuredGains, MeasuredPoints
from contend.samples import Sample, quality, table
from contend.samples.by_setting import by_setting
from contend.samples.origin import Source, origin_of
from contend.samples.setting import split_conditions
from contend.samples.warnings import QualityWarning, group, warning
from contend.signature import (
    DEFAULT_FORM,
    EXCHANGES,
    FORMS,
    OPERATIONS,
    FittedForm,
    Form,
    require_operation,
)
from contend.signature.form import FEWEST_SIZES
from contend.timeouts.separate import Separated, separate

_SIZES_OF_A_LINE = 3  # two coefficients, and one size to judge them by


def usual_operation(samples: Sequence[Sample]) -> str:
    """What is fitted unless another is named: an all-to-all, or the only operation there is."""
    there = operations_in(samples)
    return there.pop() if len(there) == 1 else FitOptions.operation


def operations_in(samples: Sequence[Sample]) -> set[str]:
    """The operations that some form is for and that there are samples of."""
    return {sample.experiment for sample in samples}.intersection(OPERATIONS)


def fit_network(
    samples: Sequence[Sample],
    source: Source,
    options: FitOptions,
    *,
    include_flagged: bool = False,
) -> Network:
    """Network with all that `samples` allow; `source` says where they are from.

    Where repetitions wait for retransmission time-outs, forms are fitted to those that do not.
    Samples during which an emulated network could not keep up are left out, unless they are to be
    included. What lacks for a part of the network leaves out that part, with a warning.

    Raises
    ------
    InvalidInputError
        When no form is for the operation, or it was measured at another n than n'; when nothing at
        all can be fitted, or all samples would be left out.
    """
    require_operation(options.operation)
    samples = by_setting(quality.standing(samples))
    everything = [sample for sample in samples if sample.experiment == options.operation]
    _require_measured(everything, options)
    chosen = quality.trusted(samples, {options.operation, *EXPERIMENTS}, include_flagged)
    separated, whole = separate(chosen, options.operation), chosen
    chosen = separated.samples
    messages = Messages(chosen, options.known_hockney)
    series = _series(chosen, options, messages.is_any_known)
    some = _of_some_launches(messages, series, options)
    found = [
        *warnings.about_messages(messages.known, chosen, options.operation),
        *messages.found,
        *messages.sizes_left_out(samples),
    ]
    if flagged := sum(sample.is_flagged for sample in samples if not include_flagged):
        found.append(warning("flagged_left_out", "network", left_out=flagged, total=len(samples)))
    if not everything:
        found.append(warnings.no_operation(options.operation, operations_in(samples)))
    lost = [*_points_left_out(everything, series, separated.lost)]
    found.extend(lost)
    operations, problems = [], []
    gains = _gains(whole, options.operation, separated)
    for algorithm, placed, rows in series:
        conditions = split_conditions(algorithm)[1]
        known = messages.under(conditions).known
        try:
            operation = _fit_operation(
                algorithm, placed, rows, some[messages.taken(conditions)], options, found
            )
        except InvalidInputError as problem:
            problems.append(problem)
            title = title_of(options.operation, algorithm, placed)
            found.append(warnings.not_fitted(title, problem))
            continue
        operation = operation.model_copy(
            update={
                "timeouts": separated.of((algorithm, placed), *operation.fitted_at),
                "gains": gains.get((algorithm, placed)),
            }
        )
        operations.append(operation)
        if known.hockney is None:
            needing = (form.name for form in _forms_for(options) if form.needs_hockney)
            found.extend(
                warning("not_fitted:alone", operation.title, form=name) for name in needing
            )
        elif options.known_hockney is None:
            found.extend(warnings.of_another_memory(operation, messages.taken(conditions)))
        found.extend(warnings.about_operation(operation, rows, known))
    if problems and not operations and not messages.is_any_known:
        raise problems[0]
    return Network(
        name=options.name,
        levels=messages.levels,
        operations=tuple(operations),
        warnings=tuple(found),
        sample_warnings=tuple(group(quality.check(samples))),
        origin=origin_of([sample.provenance for sample in samples], source),
    )


def _gains(
    samples: Sequence[Sample], operation: str, separated: Separated
) -> dict[tuple[str, int | None], MeasuredGains]:
    """What algorithms gain, by all repetitions: those with a time-out too."""
    own = [one for one in samples if one.experiment == operation]
    return gains_of(own, _by_algorithm(own), separated.late)


def _series(
    samples: Sequence[Sample], options: FitOptions, has_messages: bool = False
) -> list[Series]:
    """Algorithm, processes per node (None: one node) and table of medians of each series.

    Empty where there are samples of single messages alone, and something is known of these.
    """
    try:
        chosen = table.select(samples, options.operation)
    except InvalidInputError:
        if has_messages:
            return []
        raise
    found = _by_algorithm(chosen)
    if not found and not has_messages:
        raise InvalidInputError(
            f"all samples of {options.operation} are of empty messages", "measure larger ones"
        )
    return found


def _of_some_launches(
    messages: Messages, series: Sequence[Series], options: FitOptions
) -> dict[str, "_SomeLaunches"]:
    """By the conditions of the messages that each series is held against."""
    taken = {messages.taken(split_conditions(algorithm)[1]) for algorithm, _, _ in series}
    return {one: _SomeLaunches(messages.under(one), options) for one in taken}


def _by_algorithm(samples: Sequence[Sample]) -> list[Series]:
    return [
        (algorithm, placed, rows)
        for algorithm in sorted({sample.algorithm for sample in samples})
        for placed, rows in table.by_placement(
            table.exchanges(sample for sample in samples if sample.algorithm == algorithm)
        )
    ]


def _points_left_out(
    everything: Sequence[Sample],
    series: Sequence[Series],
    lost: Mapping[str, Collection[warnings.Point]],
) -> Iterator[QualityWarning]:
    for algorithm in sorted({sample.algorithm for sample in everything}):
        rows = [part for name, _, part in series if name == algorithm]
        used = {(int(n), int(m)) for part in rows for n, m in part[["n", "m"]].to_numpy()}
        own = [sample for sample in everything if sample.algorithm == algorithm]
        where, late = f"{own[0].experiment}/{algorithm}", lost.get(algorithm, ())
        yield from warnings.always_late(where, late)
        yield from warnings.points_left_out(where, own, used.union(late))


def _fit_operation(
    algorithm: str,
    placed: int | None,
    rows: pd.DataFrame,
    some: "_SomeLaunches",
    options: FitOptions,
    found: list[QualityWarning],
) -> Operation:
    training, known = _to_fit(rows, options), some.repeats.known
    if training.empty:
        raise InvalidInputError(
            "none of the sizes to fit was measured", "choose among those that were"
        )
    where = title_of(options.operation, algorithm, placed)
    n_fit = _process_count(training, options.n_fit, where, found)
    n_second = _farthest(training, n_fit)
    if options.n_second in set(training["n"]):
        n_second = options.n_second
    elif options.n_second is not None and n_second is not None:
        found.append(warning("another_n", where, wanted=options.n_second, taken=n_second))

    def of_launches(fit: FittedForm, n: Sequence[int | None]) -> FittedForm:
        rows_of = partial(some.rows, algorithm=algorithm, placed=placed, n=n)
        form = FORMS.get(fit.form).of(options.operation, algorithm)
        launches = some.repeats.launches(
            options.operation, *fit.n_fitted, conditions=split_conditions(algorithm)[1]
        )
        return form_over_launches(form, fit, launches, rows_of, some.repeats)

    forms: dict[str, FittedForm] = {}
    problems: dict[str, InvalidInputError] = {}
    for entry in _forms_for(options):
        form = entry.of(options.operation, algorithm)
        counts = [n_fit] if form.process_counts == 1 else [n_fit, n_second]
        if form.takes_fewer:
            counts = [n for n in counts if n is not None]
        is_known = known.plogp or not form.needs_plogp, known.hockney or not form.needs_hockney
        if None in counts or not all(is_known):
            continue
        try:
            fit = form.fit(training[training["n"].isin(counts)], known)
        except InvalidInputError as problem:
            problems[form.name] = problem
            continue
        forms[form.name] = of_launches(fit, counts)
    if not forms:
        raise next(iter(problems.values()))
    sizes = training.loc[training["n"] == n_fit, "m"].nunique()
    if problems and sizes < FEWEST_SIZES:
        found.append(warnings.few_sizes(where, sizes, n_fit, list(problems)))
    else:
        found.extend(warnings.not_fitted(f"{where}, {name}", one) for name, one in problems.items())
    at_fit = {n_fit: forms[DEFAULT_FORM]} if DEFAULT_FORM in forms else {}
    is_exchange = options.operation in EXCHANGES
    return Operation(
        operation=options.operation,
        algorithm=algorithm,
        processes_per_node=placed,
        forms=forms,
        measured=MeasuredPoints.of(rows),
        signatures=(
            signatures_by_count(training, known, of_launches, at_fit) if is_exchange else ()
        ),
        beaten_bound=(
            beaten_bound(rows, known.hockney, options.operation) if known.hockney else None
        ),
    )


def _forms_for(options: FitOptions) -> list[Form]:
    return [form for form in FORMS.all() if options.operation in form.operations]


def _to_fit(rows: pd.DataFrame, options: FitOptions) -> pd.DataFrame:
    return rows if options.sizes is None else rows[rows["m"].isin(options.sizes)]


class _SomeLaunches:
    """Tables to fit of some of the launches, each made once."""

    def __init__(self, repeats: Repeats, options: FitOptions) -> None:
        self.repeats, self._options = repeats, options
        self._tables: dict[tuple[int, ...], dict[tuple[str, int | None], pd.DataFrame]] = {}

    def rows(
        self,
        kept: tuple[int, ...],
        algorithm: str,
        placed: int | None,
        n: Sequence[int | None],
    ) -> pd.DataFrame:
        """What a form is fitted to, of the launches `kept` and the process counts `n`."""
        if kept not in self._tables:
            found = _series(self.repeats.samples(kept), self._options)
            self._tables[kept] = {(name, place): rows for name, place, rows in found}
        rows = self._tables[kept].get((algorithm, placed))
        if rows is None:
            raise InvalidInputError(f"no sample of {algorithm} in these launches", "measure it")
        found = _to_fit(rows[rows["n"].isin(n)], self._options)
        if found.empty:
            raise InvalidInputError(f"no sample at n={n} in these launches", "measure it in each")
        return found


def _process_count(
    rows: pd.DataFrame, wanted: int | None, where: str, found: list[QualityWarning]
) -> int:
    """The n' wanted where it has the sizes that a signature takes, else the default."""
    usual = _best_process_count(rows)
    sizes = rows.groupby("n")["m"].nunique()
    if wanted is None or sizes.get(wanted, 0) >= min(FEWEST_SIZES, sizes[usual]):
        return wanted or usual
    found.append(warning("another_n", where, wanted=wanted, taken=usual))
    return usual


def _best_process_count(rows: pd.DataFrame) -> int:
    """The largest n among those with the most sizes: contention must be saturated to be seen."""
    sizes = rows.groupby("n")["m"].nunique()
    return int(max(sizes[sizes == sizes.max()].index))


def _farthest(rows: pd.DataFrame, n_fit: int) -> int | None:
    """The n farthest from n' by ratio, for the forms that need two; the smaller of two alike.

    It shares with n' as many sizes as a line through one n takes.
    """
    common = rows[rows["m"].isin(rows.loc[rows["n"] == n_fit, "m"])]
    sizes = common.groupby("n")["m"].nunique()
    others = [int(n) for n in sorted(sizes[sizes >= _SIZES_OF_A_LINE].index) if n != n_fit]
    return max(others, key=lambda n: abs(np.log(n / n_fit)), default=None)


def _require_measured(samples: Sequence[Sample], options: FitOptions) -> None:
    """Raise an error for an n that the user gave and that no sample of the operation has."""
    counts = sorted({sample.n for sample in samples if sample.m > 0})
    for n in (options.n_fit, options.n_second):
        if counts and n is not None and n not in counts and not options.is_wish:
            raise InvalidInputError(
                f"no sample at n={n}", f"choose n' among {', '.join(map(str, counts))}"
            )
