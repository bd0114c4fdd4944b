"""Typed warnings about what was measured, or was to be, and that no fit could use.

A fit goes on with what is left; what is not is told here in one line for each kind of measurement.
"""

from collections.abc import Collection, Iterator, Sequence

from contend.errors import InvalidInputError
from contend.samples import Sample
from contend.samples.quality import QualityWarning
from contend.samples.setting import split_conditions
from contend.units import format_bytes

Point = tuple[int, int]  # n and m
_NAMED = 6  # points that a message names; the rest is counted


def sizes_left_out(
    where: str, measured: Sequence[Sample], used: Collection[int]
) -> Iterator[QualityWarning]:
    """The doubt that sizes of single messages, all of `measured`, are not among those used.

    `where` is the experiment, with the conditions of all of them.
    """
    experiment, _ = split_conditions(where)
    lost = sorted({sample.m for sample in measured if sample.experiment == experiment} - {*used})
    if lost:
        yield _missing(where, [format_bytes(m) for m in lost], "sizes")


def points_left_out(
    where: str, measured: Sequence[Sample], used: Collection[Point]
) -> Iterator[QualityWarning]:
    """The doubt that points of an exchange, all of `measured`, are not among those used."""
    lost = sorted({(sample.n, sample.m) for sample in measured if sample.m > 0} - {*used})
    if lost:
        yield _missing(where, [f"n={n} {format_bytes(m)}" for n, m in lost], "points")


def under_other_conditions(series: Sequence[str]) -> Iterator[QualityWarning]:
    """The doubt that series were left out where one set of conditions can be fitted alone."""
    if series:
        yield QualityWarning(
            kind="other_conditions",
            where="schedules",
            message=f"{len(series)} series of other conditions were left out: {_listed(series)}",
            hint="fit them from a samples file that holds no others",
        )


def always_late(where: str, points: Collection[Point]) -> Iterator[QualityWarning]:
    """The doubt that every repetition of points of an exchange waited for a time-out."""
    if points:
        named = _listed([f"n={n} {format_bytes(m)}" for n, m in sorted(points)])
        yield QualityWarning(
            kind="points_missing",
            where=where,
            message=f"at {len(points)} points every repetition waited for a time-out, and what it "
            f"takes without one is less than how far time-outs differ: {named}",
            hint="forms are not fitted to these; more repetitions may hold one without",
        )


def given_up(points: Sequence[str], reason: str) -> Iterator[QualityWarning]:
    """The doubt that points of a plan are disturbed or were not measured at all, and why."""
    if points:
        yield QualityWarning(
            kind="points_missing",
            where="campaign",
            message=f"{len(points)} points were given up, since {reason}: {_listed(points)}",
            hint="the same command measures them",
        )


def smaller_design(parts: Sequence[str], minutes: float | None) -> Iterator[QualityWarning]:
    """The doubt that parts of a design were left out, for there was not time enough."""
    if parts:
        yield QualityWarning(
            kind="points_missing",
            where="design",
            message=f"not measured, to end in {round(minutes or 0.0, 1):g} minutes: "
            f"{_listed(parts)}",
            hint="give more with --max-minutes",
        )


def slowed(times: int, file: str) -> QualityWarning:
    """The doubt that an emulated network was slower than it was to be."""
    return QualityWarning(
        kind="slowed",
        where="campaign",
        message=f"the machine was too busy for the emulated network, which was measured {times} "
        f"times slower; its samples are in {file}, others were not used",
        hint="begin a study in another folder on a quiet machine",
    )


def not_fitted(what: str, problem: InvalidInputError) -> QualityWarning:
    """The doubt that a part of the network could not be fitted, and why."""
    return QualityWarning(
        kind="not_fitted",
        where=what,
        message=problem.message,
        hint=f"it was left out; {problem.remedy or 'measure it again'}",
    )


def few_sizes(what: str, sizes: int, n: int, forms: Sequence[str]) -> QualityWarning:
    """The doubt that an operation was measured at fewer sizes than forms take."""
    return QualityWarning(
        kind="not_fitted",
        where=what,
        message=f"{sizes} message size{'s' if sizes > 1 else ''} at n={n}, which is too few for "
        f"{', '.join(forms)}",
        hint="the rest was fitted; measure at least four sizes at the same number of processes",
    )


def another_method(where: str, method: str, problem: InvalidInputError) -> QualityWarning:
    """The doubt that pLogP is known by another method than the samples were taken for."""
    return QualityWarning(
        kind="not_fitted",
        where=where,
        message=f"{problem.message}; the method {method!r} was taken instead",
        hint=problem.remedy or "measure plogp again",
    )


def not_validated(problem: InvalidInputError) -> QualityWarning:
    """The doubt that no prediction was compared with a measurement, and why."""
    return QualityWarning(
        kind="not_validated",
        where="network",
        message=f"no prediction was judged: {problem.message}",
        hint=problem.remedy or "measure more",
    )


def another_n(where: str, wanted: int, taken: int) -> QualityWarning:
    """The doubt that a fit is at another number of processes than was asked for."""
    return QualityWarning(
        kind="another_n",
        where=where,
        message=f"fitted at n={taken}, for there are not enough samples at n={wanted}",
        hint=f"measure n={wanted} again",
    )


def _missing(where: str, lost: Sequence[str], what: str) -> QualityWarning:
    return QualityWarning(
        kind="points_missing",
        where=where,
        message=f"{len(lost)} {what} were left out, for what was measured there cannot be used: "
        f"{_listed(lost)}",
        hint="measure them again: the command that measured them does so on a quiet machine",
    )


def _listed(names: Sequence[str]) -> str:
    rest = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {rest} more" if rest > 0 else "")
