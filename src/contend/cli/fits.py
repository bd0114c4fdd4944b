"""The options of `contend fit`, and what it shows of each estimator."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from contend.base.errors import InvalidInputError
from contend.base.units import format_seconds, parse_seconds, parse_seconds_per_byte
from contend.cli import options, output
from contend.cli.campaigns.levels import link_rows
from contend.cli.graphs import sharing_parts
from contend.cli.result import Cell, Part, Table
from contend.cli.summary import network_parts, warnings
from contend.models.fitting.estimator import FitOptions
from contend.models.fitting.fit import operations_in, usual_operation
from contend.models.network import Network
from contend.samples import Sample
from contend.samples.sample import Launched
from contend.samples.table import select
from contend.schedules.fitting.record import ScheduleFit
from contend.schedules.pointtopoint import Hockney, hockney
from contend.tune.choose.compare import compare


class Fitted(NamedTuple):
    """What was fitted, the network file's content with it, and to what and how.

    `is_named`: the operation was asked for by name.
    """

    network: Network
    whole: Network
    samples: Sequence[Any]
    options: FitOptions
    is_named: bool


class Files(NamedTuple):
    """The samples that were fitted, and the network file."""

    samples: Path
    network: Path


def operation_of(samples: Sequence[Launched], named: str | None) -> str:
    """The operation of calls to fit; one asked for by name has to be there."""
    calls = [one for one in samples if isinstance(one, Sample)]
    if named:
        select(calls, named)
    return named or usual_operation(calls)


def is_of_production(samples: Sequence[Launched]) -> bool:
    """Whether all are of watched programs, whose operations are fitted all at once."""
    return all(isinstance(one, Sample) and one.is_of_production for one in samples)


def number(text: str | None) -> int | None:
    """The number of processes of --at, where only one is due."""
    counts = options.named_counts(text)
    if counts and len(counts) > 1:
        raise InvalidInputError(
            f"--at {text}: several numbers of processes", "give one, or several with --schedules"
        )
    return counts[0] if counts else None


def counts(text: str | None, samples: Sequence[Sample]) -> tuple[int, ...] | None:
    """Numbers of processes of --at; an error where only some of them have a sample."""
    found, there = options.named_counts(text), {one.n for one in samples}
    missing = sorted(set(found or []) - there)
    if found and 0 < len(missing) < len(set(found)):
        raise InvalidInputError(
            f"--at {text}: no sample has n = {', '.join(map(str, missing))}",
            f"choose from {', '.join(map(str, sorted(there)))}",
        )
    return tuple(found) if found else None


def known_hockney(alpha: str | None, beta: str | None) -> Hockney | None:
    """Parameters of a message that are given."""
    if (alpha is None) != (beta is None):
        raise InvalidInputError("one of --alpha and --beta", "give both or none")
    if alpha is None or beta is None:
        return None
    return hockney.given(parse_seconds(alpha), parse_seconds_per_byte(beta))


def _operations(fitted: Fitted, files: Files) -> Iterator[Part]:
    yield from network_parts(fitted.network)
    others = sorted(operations_in(fitted.samples) - {fitted.options.operation})
    if others and not fitted.is_named:
        again = ("contend", "fit", files.samples, "--operation", others[0], "-o", files.network)
        yield f"{files.samples} holds {', '.join(others)} too: {output.command(*again)}"
    if fitted.network.operations:
        words: tuple[object, ...] = ("validate", files.network, files.samples)
    elif fitted.network.point_to_point.plogp:
        words = ("choose", files.network, "bcast", "-n", "64", "-m", "1MiB")
    else:
        words = ("measure", "alltoall", "plogp", "-o", files.samples)
    yield f"written to {files.network}; {output.following('contend', *words)}"


def _production(fitted: Fitted, files: Files) -> Iterator[Part]:
    yield Table(list(fitted.network.operations), WATCHED, "what watched jobs tell")
    yield from warnings(fitted.network)
    following = output.following("contend", "choose", files.network, "--table")
    yield f"written to {files.network}; {following}"


def _links(fitted: Fitted, files: Files) -> Iterator[Part]:
    links = fitted.network.links
    yield Table(link_rows(links), title=f"links, in {files.network}")
    for one in links:
        yield from map(str, one.warnings)
    yield (
        f"next: contend alltoall plan {files.network} --groups clusters.toml -n "
        f"{sum(group.ranks for group in links[0].groups)} -o plan"
    )


def _sharing(fitted: Fitted, files: Files) -> Iterator[Part]:
    assert fitted.network.sharing is not None
    return sharing_parts(fitted.network.sharing, files.network)


def _schedules(fitted: Fitted, files: Files) -> Iterator[Part]:
    rows = points_of_schedules(fitted)
    fits = [_errors(fit, rows) for fit in fitted.whole.schedules]
    yield Table(fits, ERRORS, "parameters and their errors")
    yield f"written to {files.network}; next: contend choose {files.network} bcast -n 64 -m 1MiB"


WATCHED: Mapping[str, Cell] = {
    "operation": "title",
    "n": lambda one: " ".join(map(str, sorted({*one.measured.n}))),
    "sizes": lambda one: len({*one.measured.m}),
    "points": lambda one: len(one.measured.n),
    "gains known at": lambda one: len(one.gains.n) if one.gains else "",
}
PARTS: Mapping[str, Callable[[Fitted, Files], Iterator[Part]]] = {
    "operations": _operations, "production": _production, "links": _links, "sharing": _sharing,
    "schedules": _schedules,
}  # fmt: skip


def points_of_schedules(fitted: Fitted) -> pd.DataFrame:
    """Return the errors of schedules at every point that was measured."""
    network, flagged = fitted.whole, fitted.options.include_flagged
    rows = compare(network.parameters, fitted.samples, include_flagged=flagged)
    return rows.assign(is_unseen=_unseen(network, rows))


def _unseen(network: Network, rows: pd.DataFrame) -> list[bool]:
    """Whether each point was not fitted by the algorithm's own parameters."""
    known = {operation: network.parameters(operation) for operation in set(rows["operation"])}
    columns = (rows[name] for name in ("operation", "algorithm", "n", "m"))
    return [
        (found := known[operation]) is None or not found.has_seen(algorithm, n, m)
        for operation, algorithm, n, m in zip(*columns, strict=True)
    ]


def _errors(fit: ScheduleFit, rows: pd.DataFrame) -> dict[str, object]:
    """Return a fit with the errors on points that it has not seen."""
    own = rows[(rows["operation"] == fit.operation) & (rows["algorithm"] == fit.algorithm)]
    unseen = own.loc[own["is_unseen"], "error"].abs()
    there = {"count": len(unseen), "median": unseen.median(), "worst": unseen.max()}
    return {"fit": fit, "there": there if len(unseen) else None}


def _there(name: str, text: Callable[[Any], object] = str) -> Cell:
    return lambda row: text(row["there"][name]) if row["there"] else ""


_PERCENT = "{:.1%}".format
ERRORS: Mapping[str, Cell] = {
    "parameters of": lambda row: row["fit"].title,
    "n": lambda row: " ".join(map(str, row["fit"].n_fitted)),
    "L": lambda row: format_seconds(float(row["fit"].plogp.latency)),
    "points": lambda row: row["fit"].points,
    "error": lambda row: _PERCENT(row["fit"].median_error),
    "90 %": lambda row: output.percent(row["fit"].percentile_90),
    "unseen": _there("count"),
    "error there": _there("median", _PERCENT),
    "worst": _there("worst", _PERCENT),
}
