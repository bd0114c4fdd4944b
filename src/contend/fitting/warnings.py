"""Typed warnings about fits: what they could not know, and what speaks against them."""

from collections.abc import Collection, Iterator, Mapping, Sequence

import pandas as pd

from contend.bounds import is_beaten
from contend.network import Operation
from contend.samples import Sample
from contend.samples.by_setting import under_conditions
from contend.samples.quality import QualityWarning
from contend.samples.setting import MEMORY, memory_of, under
from contend.signature import DEFAULT_FORM, EXCHANGES, PointToPoint
from contend.units import format_bytes


def about_messages(
    known: Mapping[str, PointToPoint], samples: Sequence[Sample], operation: str
) -> Iterator[QualityWarning]:
    """Doubts about the parameters of one message, by conditions, and about what is of several."""
    if operation in EXCHANGES and not any(one.hockney for one in known.values()):
        yield QualityWarning(
            kind="no_point_to_point",
            where="network",
            message="alpha and beta were fitted to the exchange itself, so gamma is 1 by "
            "convention",
            hint="measure or import a ping-pong, or give --alpha and --beta",
        )
    libraries = sorted({s.provenance.mpi_library for s in samples if s.provenance.mpi_library})
    if len(libraries) > 1:
        yield QualityWarning(
            kind="mixed_libraries",
            where="network",
            message=f"the samples are of {len(libraries)} MPI libraries: {', '.join(libraries)}",
            hint="fit each library by itself: they are different networks to an application",
        )
    spans_nodes = any((sample.processes_per_node or sample.n) < sample.n for sample in samples)
    sent = [sample for sample in samples if sample.experiment in ("pingpong", "plogp")]
    for conditions, one in known.items():
        placements = {s.processes_per_node for s in under_conditions(sent, conditions)}
        if spans_nodes and placements == {2}:
            yield QualityWarning(
                kind="message_within_node",
                where=under("pingpong", conditions),
                message="single messages were measured within a node, the exchange between nodes",
                hint="measure into another file with --ppn, which puts the two processes on two "
                "nodes",
            )
        if one.plogp:
            yield from one.plogp.warnings


def of_another_memory(operation: Operation, taken: str) -> Iterator[QualityWarning]:
    """The doubt that an operation is held against messages, under `taken`, of another memory."""
    sent, own = memory_of(taken), memory_of(operation.conditions)
    if sent != own:
        yield QualityWarning(
            kind="other_conditions",
            where=operation.title,
            message=f"alpha and beta are of messages with {_memory(sent)}, the operation is with "
            f"{_memory(own)}",
            hint=f"measure or import a ping-pong with {_memory(own)} too",
        )


def _memory(name: str | None) -> str:
    return f"{MEMORY}={name}" if name else "the usual memory"


def left_out(form: str, series: str) -> QualityWarning:
    """The doubt that a form lacks alpha and beta of a message alone."""
    return QualityWarning(
        kind="not_fitted",
        where=series,
        message=f"{form} needs alpha and beta of a message that is alone: those of an exchange "
        "hold its contention already",
        hint="the form was left out; measure or import a ping-pong, or give --alpha and --beta",
    )


def no_operation(operation: str, others: Collection[str]) -> QualityWarning:
    """The doubt that there is no sample of an operation, but perhaps of `others`."""
    there = ", ".join(sorted(others)) or "single messages alone"
    return QualityWarning(
        kind="no_operation",
        where="network",
        message=f"there is no sample of {operation}: the file holds {there}",
        hint=f"name one with --operation, or measure {operation} too"
        if others
        else f"measure {operation} too",
    )


def flagged_left_out(left_out: int, total: int) -> QualityWarning:
    """The doubt that some samples were not seen, since the emulated network did not keep up."""
    return QualityWarning(
        kind="flagged_left_out",
        where="network",
        message=f"{left_out} of {total} samples were left out: the emulated network could not "
        "keep up",
        hint="measure them with fewer hosts, a lower rate or time dilation, or give "
        "--include-flagged",
    )


def about_operation(
    operation: Operation, rows: pd.DataFrame, known: PointToPoint
) -> Iterator[QualityWarning]:
    """Doubts about the fits of an operation."""
    yield from _faster_than_bound(operation, rows, known)
    yield from _small_sizes(operation)
    if any(fit.n_fitted == (2,) for fit in operation.forms.values()):
        yield QualityWarning(
            kind="two_processes",
            where=operation.title,
            message="the fit is of two processes, which disturb nobody",
            hint="fit at an n' that saturates the network",
        )
    for name, fit in operation.forms.items():
        if "gamma" in fit.parameters and fit.parameters["gamma"].value == 0.0:
            yield QualityWarning(
                kind="gamma_at_zero",
                where=f"{operation.title}, {name}",
                message="gamma would be negative and was held at 0: the exchange took less than "
                "the form's time without contention",
                hint="look at the other forms; larger sizes or more processes may show contention",
            )


def _small_sizes(operation: Operation) -> Iterator[QualityWarning]:
    """A warning when the signature describes larger sizes alone."""
    fit = operation.forms.get(DEFAULT_FORM)
    if fit is None or "smallest" not in fit.parameters:
        return
    smallest = format_bytes(float(fit.parameters["smallest"]))
    yield QualityWarning(
        kind="small_sizes",
        where=operation.title,
        message=f"messages smaller than {smallest} follow another law, as where a library forwards "
        f"or combines them, and were left out of {DEFAULT_FORM}",
        hint="other forms describe them; 'contend validate' tells how well",
    )


def _faster_than_bound(
    operation: Operation, rows: pd.DataFrame, known: PointToPoint
) -> Iterator[QualityWarning]:
    """A warning when points lie below the bound that holds for direct exchange (proposition 1)."""
    if known.hockney is None:
        return
    below = rows[is_beaten(rows, known.hockney, operation.operation)]
    if below.empty:
        return
    yield QualityWarning(
        kind="faster_than_bound",
        where=operation.title,
        message=f"{len(below)} of {len(rows)} points are faster than {_bound_of(operation)}, "
        f"from {format_bytes(below['m'].min())} to {format_bytes(below['m'].max())}",
        hint="messages are overlapped, combined or forwarded there, or alpha holds a wait "
        "that a stream of messages does not have",
    )


def _bound_of(operation: Operation) -> str:
    is_exchange = operation.operation in EXCHANGES
    return "(n-1)(alpha + beta m)" if is_exchange else "alpha and the bytes of one port"
