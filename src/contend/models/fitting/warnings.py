"""Warnings about fits: what they could not know, what was left out, what speaks against them."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

import pandas as pd

from contend.base.errors import InvalidInputError
from contend.base.units import format_bytes
from contend.models.bounds import is_beaten
from contend.models.network import Operation
from contend.models.signature import DEFAULT_FORM, EXCHANGES, PointToPoint
from contend.samples import Sample
from contend.samples.by_setting import under_conditions
from contend.samples.sample import SINGLE_MESSAGES
from contend.samples.setting import MEMORY, memory_of, split_conditions, under
from contend.samples.warnings import QualityWarning, warning

Point = tuple[int, int]  # n and m
_NAMED = 6  # points that a message names; the rest is counted


def about_messages(
    messages: Mapping[str, PointToPoint], samples: Sequence[Sample], operation: str
) -> Iterator[QualityWarning]:
    """Doubts about the parameters of one message, by conditions, and about what is of several."""
    if operation in EXCHANGES and not any(message.hockney for message in messages.values()):
        yield warning("no_point_to_point", "network")
    libraries = sorted({s.provenance.mpi_library for s in samples if s.provenance.mpi_library})
    if len(libraries) > 1:
        names = ", ".join(libraries)
        yield warning("mixed_libraries", "network", count=len(libraries), libraries=names)
    spans_nodes = any((sample.processes_per_node or sample.n) < sample.n for sample in samples)
    sent = [sample for sample in samples if sample.experiment in SINGLE_MESSAGES]
    for conditions, message in messages.items():
        placements = {s.processes_per_node for s in under_conditions(sent, conditions)}
        if spans_nodes and placements == {2}:
            yield warning("message_within_node", under("pingpong", conditions))
        if message.plogp:
            yield from message.plogp.warnings


def of_another_memory(operation: Operation, taken: str) -> Iterator[QualityWarning]:
    """The doubt that an operation is held against messages, under `taken`, of another memory."""
    sent, memory = memory_of(taken), memory_of(operation.conditions)
    if sent != memory:
        yield warning("other_conditions", operation.title, sent=_memory(sent), own=_memory(memory))


def _memory(name: str | None) -> str:
    return f"{MEMORY}={name}" if name else "the usual memory"


def about_operation(
    operation: Operation, rows: pd.DataFrame, message: PointToPoint
) -> Iterator[QualityWarning]:
    where = operation.title
    if message.hockney is not None:
        below = rows[is_beaten(rows, message.hockney, operation.operation)]
        if not below.empty:
            low, high = (format_bytes(end) for end in (below["m"].min(), below["m"].max()))
            is_exchange = operation.operation in EXCHANGES
            bound = "(n-1)(alpha + beta m)" if is_exchange else "alpha and the bytes of one port"
            yield warning(
                "faster_than_bound", where, below=len(below), points=len(rows), bound=bound,
                low=low, high=high,
            )  # fmt: skip
    fit = operation.forms.get(DEFAULT_FORM)
    if fit is not None and "smallest" in fit.parameters:
        smallest = format_bytes(float(fit.parameters["smallest"]))
        yield warning("small_sizes", where, smallest=smallest, form=DEFAULT_FORM)
    if any(fit.n_fitted == (2,) for fit in operation.forms.values()):
        yield warning("two_processes", where)
    for name, fit in operation.forms.items():
        if "gamma" in fit.parameters and fit.parameters["gamma"].value == 0.0:
            yield warning("gamma_at_zero", f"{where}, {name}")


def sizes_left_out(
    where: str, measured: Sequence[Sample], used: Collection[int]
) -> Iterator[QualityWarning]:
    """The doubt that sizes of single messages, all of `measured`, are not among those used.

    `where` is the experiment, with the conditions of all of them.
    """
    experiment, _ = split_conditions(where)
    lost = sorted({sample.m for sample in measured if sample.experiment == experiment} - {*used})
    yield from missing("points_missing", where, map(format_bytes, lost), what="sizes")


def points_left_out(
    where: str, measured: Sequence[Sample], used: Collection[Point]
) -> Iterator[QualityWarning]:
    """The doubt that points of an exchange, all of `measured`, are not among those used."""
    lost = {(sample.n, sample.m) for sample in measured if sample.m > 0} - {*used}
    yield from missing("points_missing", where, titles(lost), what="points")


def not_fitted(where: str, problem: InvalidInputError) -> QualityWarning:
    """The doubt that a part of the network could not be fitted, and why."""
    return about_problem("not_fitted", where, problem)


def about_problem(
    name: str,
    where: str,
    problem: InvalidInputError,
    remedy: str = "measure it again",
    **values: object,
) -> QualityWarning:
    """The doubt that a problem leads to, with its remedy, else another."""
    remedy = problem.remedy or remedy
    return warning(name, where, problem=problem.message, remedy=remedy, **values)


def titles(points: Collection[Point]) -> list[str]:
    return [f"n={n} {format_bytes(m)}" for n, m in sorted(points)]


def missing(
    name: str, where: str, lost: Iterable[str], **values: object
) -> Iterator[QualityWarning]:
    """The warning with the names of the first of those lost or left out, where there are any."""
    if names := list(lost):
        rest = len(names) - _NAMED
        listed = ", ".join(names[:_NAMED]) + (f" and {rest} more" if rest > 0 else "")
        yield warning(name, where, count=len(names), names=listed, **values)
