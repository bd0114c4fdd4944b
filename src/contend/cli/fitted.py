"""What `contend fit` takes and shows, by estimator."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from contend.choose.compare import compare, of_schedules
from contend.cli import options, output
from contend.cli.campaigns.levels import links_table
from contend.cli.graphs import show_models
from contend.cli.scheduled import note_late
from contend.cli.summary import show_kinds, show_network
from contend.errors import InvalidInputError
from contend.fitting.estimator import FitOptions
from contend.fitting.fit import operations_in, usual_operation
from contend.network import Network
from contend.pointtopoint import Hockney, hockney
from contend.samples import Sample
from contend.samples.sample import Launched
from contend.samples.table import select
from contend.units import format_seconds, parse_seconds, parse_seconds_per_byte


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


def _operations(fitted: Fitted, files: Files, as_json: bool) -> None:
    if as_json:
        output.show_json(fitted.whole.to_json())
        return
    show_network(fitted.network)
    others = sorted(operations_in(fitted.samples) - {fitted.options.operation})
    if others and not fitted.is_named:
        again = ("contend", "fit", files.samples, "--operation", others[0], "-o", files.network)
        output.note(f"{files.samples} holds {', '.join(others)} too: {output.command(*again)}")
    if fitted.network.operations:
        words: tuple[object, ...] = ("validate", files.network, files.samples)
    elif fitted.network.point_to_point.plogp:
        words = ("choose", files.network, "bcast", "-n", "64", "-m", "1MiB")
    else:
        words = ("measure", "alltoall", "plogp", "-o", files.samples)
    output.note(f"written to {files.network}; {output.following('contend', *words)}")


def _links(fitted: Fitted, files: Files, as_json: bool) -> None:
    if as_json:
        output.show_json(fitted.whole.to_json())
        return
    links = fitted.network.links
    output.show_table(links_table(links), title=f"links, in {files.network}")
    for one in links:
        for warning in one.warnings:
            output.note(str(warning))
    output.note(
        f"next: contend exchange plan {files.network} --groups clusters.toml -n "
        f"{sum(group.ranks for group in links[0].groups)} -o plan"
    )


def _sharing(fitted: Fitted, files: Files, as_json: bool) -> None:
    sharing = fitted.network.sharing
    if as_json or sharing is None:
        output.show_json(fitted.whole.to_json())
        return
    show_models(sharing)
    show_kinds(sharing.warnings)
    output.note(
        f"written to {files.network}; next: contend graph solve flows.csv --network {files.network}"
    )


def _schedules(fitted: Fitted, files: Files, as_json: bool) -> None:
    network, flagged = fitted.whole, fitted.options.include_flagged
    note_late(of_schedules(fitted.samples), flagged)
    rows = compare(network.parameters, fitted.samples, include_flagged=flagged)
    rows["is_unseen"] = _unseen(network, rows)
    if as_json:
        points = rows.assign(options=rows["options"].map(dict))
        output.show_json({"network": network.to_json(), "points": output.records(points)})
        return
    output.show_table(_errors(network, rows), "parameters and their errors")
    output.note(
        f"written to {files.network}; next: contend choose {files.network} bcast -n 64 -m 1MiB"
    )


SHOW: Mapping[str, Callable[[Fitted, Files, bool], None]] = {
    "operations": _operations, "links": _links, "sharing": _sharing, "schedules": _schedules,
}  # fmt: skip


def _unseen(network: Network, rows: pd.DataFrame) -> list[bool]:
    """Whether each point was not fitted by the algorithm's own parameters."""
    known = {operation: network.parameters(operation) for operation in set(rows["operation"])}
    columns = (rows[name] for name in ("operation", "algorithm", "n", "m"))
    return [
        (found := known[operation]) is None or not found.has_seen(algorithm, n, m)
        for operation, algorithm, n, m in zip(*columns, strict=True)
    ]


def _errors(network: Network, rows: pd.DataFrame) -> pd.DataFrame:
    """Latency, and errors on points that were fitted and on others, as text."""
    shown = []
    for fit in network.schedules:
        own = rows[(rows["operation"] == fit.operation) & (rows["algorithm"] == fit.algorithm)]
        unseen = own.loc[own["is_unseen"], "error"].abs()
        shown.append(
            {
                "parameters of": fit.title,
                "n": " ".join(map(str, fit.n_fitted)),
                "L": format_seconds(float(fit.plogp.latency)),
                "points": fit.points,
                "error": f"{fit.median_error:.1%}",
                "90 %": output.percent(fit.percentile_90),
                "unseen": len(unseen) or "",
                "error there": f"{unseen.median():.1%}" if len(unseen) else "",
                "worst": f"{unseen.max():.1%}" if len(unseen) else "",
            }
        )
    return pd.DataFrame(shown)
