"""Samples to network: every model and form that the samples allow, with its warnings."""

from collections.abc import Collection, Iterator, Mapping, Sequence

import pandas as pd

from contend.base.errors import InvalidInputError
from contend.models.fitting import warnings
from contend.models.fitting.estimator import FitOptions
from contend.models.fitting.gains import Series, gains_of
from contend.models.fitting.messages import Messages
from contend.models.fitting.operation import OperationFit, forms_for
from contend.models.fitting.over_launches import SomeLaunches
from contend.models.fitting.production import with_defaults
from contend.models.fitting.series import by_algorithm, series_in
from contend.models.network import Network, Operation
from contend.models.network.evidence import MeasuredGains
from contend.models.signature import (
    OPERATIONS,
    require_operation,
)
from contend.models.timeouts.separate import Separated, separate
from contend.samples import Sample, quality
from contend.samples.by_setting import by_setting
from contend.samples.origin import Source, origin_of
from contend.samples.sample import SINGLE_MESSAGES
from contend.samples.setting import split_conditions
from contend.samples.warnings import QualityWarning, group, warning


def usual_operation(samples: Sequence[Sample]) -> str:
    """What is fitted unless another is named: an all-to-all, or the only operation there is."""
    operations = operations_in(samples)
    return operations.pop() if len(operations) == 1 else FitOptions.operation


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
    samples = by_setting(with_defaults(quality.standing(samples)))
    everything = [sample for sample in samples if sample.experiment == options.operation]
    _require_measured(everything, options)
    chosen = quality.trusted(samples, {options.operation, *SINGLE_MESSAGES}, include_flagged)
    separated, whole = separate(chosen, options.operation), chosen
    chosen = separated.samples
    messages = Messages([] if options.is_of_production else chosen, options.known_hockney)
    series = series_in(chosen, options, messages.is_any_known)
    some = _of_some_launches(messages, series, options)
    doubts = [
        *messages.doubts,
        *messages.sizes_left_out(samples),
    ]
    if not options.is_of_production:
        doubts[:0] = warnings.about_messages(messages.by_conditions, chosen, options.operation)
    if flagged := sum(sample.is_flagged for sample in samples if not include_flagged):
        doubts.append(warning("flagged_left_out", "network", left_out=flagged, total=len(samples)))
    if busy := len([] if include_flagged else quality.waited(samples)):
        doubts.append(
            warning("flagged_left_out:cores", "network", left_out=busy, total=len(samples))
        )
    if not everything:
        others = ", ".join(sorted(operations_in(samples)))
        name = "no_operation" if others else "no_operation:none"
        doubts.append(warning(name, "network", operation=options.operation, others=others))
    lost = [*_points_left_out(everything, series, separated.lost)]
    doubts.extend(lost)
    operations, problems = [], []
    gains = _gains(whole, options.operation, separated)
    for algorithm, placed, rows in series:
        taken = messages.taken(split_conditions(algorithm)[1])
        fit = OperationFit(algorithm, placed, rows, some[taken], options)
        try:
            operation = fit.operation()
        except InvalidInputError as problem:
            problems.append(problem)
            doubts += [*fit.doubts, warnings.not_fitted(fit.title, problem)]
            continue
        late = separated.of((algorithm, placed), *operation.fitted_at)
        gained = gains.get((algorithm, placed))
        operation = operation.model_copy(update={"timeouts": late, "gains": gained})
        operations.append(operation)
        doubts += [*fit.doubts, *_about_operation(operation, rows, some[taken], taken, options)]
    if problems and not operations and not messages.is_any_known:
        raise problems[0]
    return Network(
        name=options.name,
        levels=messages.levels,
        operations=tuple(operations),
        warnings=tuple(doubts),
        sample_warnings=tuple(group(quality.check(samples))),
        origin=origin_of([sample.provenance for sample in samples], source),
    )


def _about_operation(
    operation: Operation, rows: pd.DataFrame, some: SomeLaunches, taken: str, options: FitOptions
) -> Iterator[QualityWarning]:
    """Doubts about an operation, which is held against messages under the conditions `taken`."""
    message = some.repeats.message
    if message.hockney is None:
        for form in forms_for(options):
            if form.needs_hockney:
                yield warning("not_fitted:alone", operation.title, form=form.name)
    elif options.known_hockney is None:
        yield from warnings.of_another_memory(operation, taken)
    yield from warnings.about_operation(operation, rows, message)


def _gains(
    samples: Sequence[Sample], operation: str, separated: Separated
) -> dict[tuple[str, int | None], MeasuredGains]:
    """What algorithms gain, by all repetitions: those with a time-out too."""
    measured = [sample for sample in samples if sample.experiment == operation]
    return gains_of(measured, by_algorithm(measured), separated.late)


def _of_some_launches(
    messages: Messages, series: Sequence[Series], options: FitOptions
) -> dict[str, SomeLaunches]:
    """By the conditions of the messages that each series is held against."""
    taken = {messages.taken(split_conditions(algorithm)[1]) for algorithm, _, _ in series}
    return {conditions: SomeLaunches(messages.under(conditions), options) for conditions in taken}


def _points_left_out(
    everything: Sequence[Sample],
    series: Sequence[Series],
    lost: Mapping[str, Collection[warnings.Point]],
) -> Iterator[QualityWarning]:
    for algorithm in sorted({sample.algorithm for sample in everything}):
        rows = [part for name, _, part in series if name == algorithm]
        used = {(int(n), int(m)) for part in rows for n, m in part[["n", "m"]].to_numpy()}
        measured = [sample for sample in everything if sample.algorithm == algorithm]
        where, late = f"{measured[0].experiment}/{algorithm}", lost.get(algorithm, ())
        yield from warnings.missing("points_missing:late", where, warnings.titles(late))
        yield from warnings.points_left_out(where, measured, used.union(late))


def _require_measured(samples: Sequence[Sample], options: FitOptions) -> None:
    """Raise an error for an n that the user gave and that no sample of the operation has."""
    counts = sorted({sample.n for sample in samples if sample.m > 0})
    for n in (options.n_fit, options.n_second):
        if counts and n is not None and n not in counts and not options.is_wish:
            raise InvalidInputError(
                f"no sample at n={n}", f"choose n' among {', '.join(map(str, counts))}"
            )
