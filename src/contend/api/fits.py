"""Files of measurements of any kind to a network file."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from contend.base.errors import InvalidInputError
from contend.base.number_text import percent
from contend.base.result import Cell, Part, Result, Table, command_line, next_step
from contend.base.units import format_seconds, parse_latency, parse_seconds_per_byte
from contend.models.fitting.estimator import ESTIMATORS, FitOptions, estimator_of, read_any
from contend.models.fitting.fit import operations_in, usual_operation
from contend.models.links.text import link_rows
from contend.models.network import Network
from contend.report.sharing import sharing_parts
from contend.report.summary import network_parts, warnings
from contend.samples import Sample, quality
from contend.samples.sample import Launched
from contend.samples.table import select
from contend.schedules.fitting.record import ScheduleFit
from contend.schedules.pointtopoint import Hockney, hockney
from contend.tune.choose.compare import compare, of_schedules


class Fitted(NamedTuple):
    """What was fitted to what, the network file, and its content; `most` messages of penalties."""

    network: Network
    whole: Network
    samples: Sequence[Any]
    options: FitOptions
    files: tuple[Path, Path]  # of samples and of the network
    is_named: bool  # the operation was asked for by name
    most: int


def fit_file(
    samples_file: Path,
    network_file: Path,
    *,
    at: Sequence[int] | None = None,
    second: int | None = None,
    sizes: Sequence[int] | None = None,
    operation: str | None = None,
    alpha: str | None = None,
    beta: str | None = None,
    schedules: bool = False,
    penalties: int = 0,
    include_flagged: bool = False,
) -> Result:
    """Fit what a file holds, and merge it into a network file.

    Parameters
    ----------
    at, second
        n' to fit at, several with `schedules`; a second n for forms that need two.
    operation
        Default alltoall, or the only one that there is.
    alpha, beta
        Known cost of a message, as texts.
    schedules
        Fit pLogP parameters to times of algorithms of the catalogue.
    penalties
        Show those of measured shapes of up to so many messages.

    >>> fit_file(Path("samples.jsonl"), Path("new.json"), at=[16]).data["name"]
    'samples'
    """
    message = _known_hockney(alpha, beta)
    samples: Sequence[Any] = read_any(samples_file)
    estimator = ESTIMATORS.get("schedules") if schedules else estimator_of(samples, samples_file)
    if not (schedules or operation) and all(
        isinstance(each, Sample) and each.is_of_production for each in samples
    ):
        estimator = ESTIMATORS.get("production")
    given = {
        "--at": at, "--second": second, "--sizes": sizes, "--operation": operation,
        "--assume": alpha or beta,
    }  # fmt: skip
    estimator.require_options([word for word, value in given.items() if value], samples_file)
    chosen = FitOptions(
        operation=_operation(samples, operation),
        n_fit=None if schedules else _single(at),
        n_second=second,
        sizes=tuple(sizes) if sizes else None,
        known_hockney=message,
        name=samples_file.stem,
        counts=_counts(at, samples) if schedules else None,
        include_flagged=include_flagged,
    )
    network = estimator.fit(samples, samples_file, chosen)
    merged = network.merge_into(network_file)
    fitted = Fitted(
        network, merged.network, samples, chosen, (samples_file, network_file),
        operation is not None, penalties,
    )  # fmt: skip
    data, notes = merged.network.to_json(), merged.notes(network_file)
    if schedules:
        notes += quality.late(of_schedules(samples), include_flagged)[1]
        points = _points(fitted)
        data = {"network": data, "points": points.assign(options=points["options"].map(dict))}
    return Result(data, PARTS[estimator.name](fitted), notes=notes)


def _operation(samples: Sequence[Launched], named: str | None) -> str:
    """The operation of calls to fit; one asked for by name has to be there."""
    calls = [each for each in samples if isinstance(each, Sample)]
    if named:
        select(calls, named)
    return named or usual_operation(calls)


def _single(counts: Sequence[int] | None) -> int | None:
    """The number of processes to fit at, where only one is due."""
    if counts and len(counts) > 1:
        text = ",".join(map(str, counts))
        raise InvalidInputError(
            f"--at {text}: several numbers of processes", "give one, or several with --schedules"
        )
    return counts[0] if counts else None


def _counts(wanted: Sequence[int] | None, samples: Sequence[Sample]) -> tuple[int, ...] | None:
    """Numbers of processes of --at; an error where only some of them have a sample."""
    measured = {each.n for each in samples}
    missing = sorted(set(wanted or []) - measured)
    if wanted and 0 < len(missing) < len(set(wanted)):
        raise InvalidInputError(
            f"--at: no sample has n = {', '.join(map(str, missing))}",
            f"choose from {', '.join(map(str, sorted(measured)))}",
        )
    return tuple(wanted) if wanted else None


def _known_hockney(alpha: str | None, beta: str | None) -> Hockney | None:
    """Parameters of a message that are given."""
    if (alpha is None) != (beta is None):
        raise InvalidInputError(
            "--assume with one of alpha and beta",
            "give both, e.g. --assume alpha=1.3us,beta=12.5GB/s",
        )
    if alpha is None or beta is None:
        return None
    return hockney.given(parse_latency(alpha), parse_seconds_per_byte(beta))


def _operations(fitted: Fitted) -> Iterator[Part]:
    samples, network = fitted.files
    yield from network_parts(fitted.network)
    others = sorted(operations_in(fitted.samples) - {fitted.options.operation})
    if others and not fitted.is_named:
        again = ("contend", "fit", samples, "--operation", others[0], "-o", network)
        yield f"{samples} holds {', '.join(others)} too: {command_line(*again)}"
    if fitted.network.operations:
        words: tuple[object, ...] = ("validate", network, samples)
    elif fitted.network.point_to_point.plogp:
        words = ("choose", network, "bcast", "-n", "64", "-m", "1MiB")
    else:
        words = ("measure", "alltoall", "plogp", "-o", samples)
    yield f"written to {network}; {next_step('contend', *words)}"


def _production(fitted: Fitted) -> Iterator[Part]:
    yield Table(list(fitted.network.operations), WATCHED, "what watched jobs tell")
    yield from warnings(fitted.network)
    following = next_step("contend", "choose", fitted.files[1], "--table")
    yield f"written to {fitted.files[1]}; {following}"


def _links(fitted: Fitted) -> Iterator[Part]:
    links, path = fitted.network.links, fitted.files[1]
    yield Table(link_rows(links), title=f"links, in {path}")
    for each in links:
        yield from map(str, each.warnings)
    yield (
        f"next: contend alltoall plan {path} --groups clusters.toml -n "
        f"{sum(group.ranks for group in links[0].groups)} -o plan"
    )


def _sharing(fitted: Fitted) -> Iterator[Part]:
    assert fitted.network.sharing is not None
    return sharing_parts(fitted.network.sharing, fitted.files[1], fitted.most)


def _schedules(fitted: Fitted) -> Iterator[Part]:
    rows, path = _points(fitted), fitted.files[1]
    fits = [_errors(fit, rows) for fit in fitted.whole.schedules]
    yield Table(fits, ERRORS, "parameters and their errors")
    yield f"written to {path}; next: contend choose {path} bcast -n 64 -m 1MiB"


WATCHED: Mapping[str, Cell] = {
    "operation": "title",
    "n": lambda each: " ".join(map(str, sorted({*each.measured.n}))),
    "sizes": lambda each: len({*each.measured.m}),
    "points": lambda each: len(each.measured.n),
    "gains known at": lambda each: len(each.gains.n) if each.gains else "",
}
PARTS: Mapping[str, Callable[[Fitted], Iterator[Part]]] = {
    "operations": _operations, "production": _production, "links": _links, "sharing": _sharing,
    "schedules": _schedules,
}  # fmt: skip


def _points(fitted: Fitted) -> pd.DataFrame:
    """Return the errors of schedules at every measured point, and whether a fit has seen it."""
    network = fitted.whole
    rows = compare(
        network.parameters, fitted.samples, include_flagged=fitted.options.include_flagged
    )
    parameters = {operation: network.parameters(operation) for operation in set(rows["operation"])}
    columns = (rows[name] for name in ("operation", "algorithm", "n", "m"))
    unseen = [
        (fit := parameters[operation]) is None or not fit.has_seen(algorithm, n, m)
        for operation, algorithm, n, m in zip(*columns, strict=True)
    ]
    return rows.assign(is_unseen=unseen)


def _errors(fit: ScheduleFit, rows: pd.DataFrame) -> dict[str, object]:
    """Return a fit with the errors on points that it has not seen."""
    same = rows[(rows["operation"] == fit.operation) & (rows["algorithm"] == fit.algorithm)]
    unseen = same.loc[same["is_unseen"], "error"].abs()
    return {
        "title": fit.title,
        "n": " ".join(map(str, fit.n_fitted)),
        "latency": float(fit.plogp.latency),
        "points": fit.points,
        "error": fit.median_error,
        "percentile_90": fit.percentile_90,
        "unseen": len(unseen) or "",
        "error_unseen": percent(unseen.median()) if len(unseen) else "",
        "worst": percent(unseen.max()) if len(unseen) else "",
    }


ERRORS: Mapping[str, Cell] = {
    "parameters of": "title",
    "n": "n",
    "L": ("latency", format_seconds),
    "points": "points",
    "error": ("error", percent),
    "90 %": ("percentile_90", percent),
    "unseen": "unseen",
    "error there": "error_unseen",
    "worst": "worst",
}
