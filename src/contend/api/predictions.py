"""Times of an operation or of given messages, from a network file."""

from collections.abc import Iterator, Mapping, Sequence
from math import isnan
from pathlib import Path
from typing import Any

import numpy as np

from contend.base.document import Columns, Floats
from contend.base.errors import InvalidInputError
from contend.base.result import Cell, Line, Part, Result, Table, records
from contend.base.statistics.rank import FEWEST
from contend.base.units import (
    format_bytes,
    format_seconds,
    parse_latency,
    parse_seconds_per_byte,
)
from contend.models.network import Network, Operation
from contend.models.prediction.catalogue import parameters_of, wanted_algorithm
from contend.models.prediction.library_default import AS, predicted_as_run
from contend.models.prediction.predict import predicted as predicted_by_form
from contend.models.prediction.two_clusters import two_cluster_time
from contend.models.prediction.verdict import is_usable, unusable, verdict
from contend.models.prediction.width import why_wide
from contend.models.signature import FORMS, require_exchange
from contend.models.signature.forms.growth import Growth
from contend.report import timeouts
from contend.samples.table import BARRIER
from contend.schedules import Algorithm
from contend.schedules.groups import grouping_of
from contend.schedules.pointtopoint import hockney
from contend.schedules.timing.predict import predicted
from contend.tune.choose.text import COLUMNS, described, interval_note, interval_text
from contend.tune.choose.text import title as title_of_schedule
from contend.tune.choose.timing import Placement, extrapolated, timing_of


def predict_file(
    network_file: Path,
    operation: str,
    n: Sequence[int],
    m: Sequence[int],
    *,
    algorithm: str | None = None,
    ports: str = "auto",
    processes_per_node: int | None = None,
    form: str | None = None,
    groups: str | None = None,
    joined: tuple[Path, int | None, str | None, str | None] | None = None,
    **variant: int,
) -> Result:
    """Predict times with an interval for every n and m; see `Network.predict`.

    `joined`: network file and processes of a second cluster, alpha and beta of a backbone to it.

    >>> result = predict_file(Path("network.json"), "alltoall", [64], [65536])
    >>> result.data[0]["extrapolates"], result.data[0]["form"]
    ('n', 'latency_per_size')
    """
    if operation == BARRIER and not m:
        m = [0]
    if not n or not m:
        raise InvalidInputError("no n or no m", "give both, e.g. -n 64 -m 1MiB")
    network = Network.load(network_file)
    n_of, m_of = (values.ravel() for values in np.meshgrid(n, m, indexing="ij"))
    scheduled = wanted_algorithm(network, operation, algorithm, bool(variant or groups))
    if scheduled is not None:
        if joined is not None:
            raise InvalidInputError(
                f"{operation}/{scheduled.name} is not known over two clusters",
                "leave --join out, or name an algorithm that the file holds a fit of",
            )
        placement = Placement(processes_per_node, grouping_of(groups))
        if placement.grouping and (scheduled.needs_groups or not network.links):
            scheduled = scheduled.grouped(placement.grouping)
        return _by_schedule(network, scheduled, n_of, m_of, placement, ports, groups, variant)
    measured = network.find(operation, algorithm, processes_per_node)
    data: list[dict[str, Any]]
    if joined is None:
        rows = predicted_as_run(network, measured, n_of, m_of, form)
        about = {"operation": measured.operation, "algorithm": measured.algorithm}
        data = [
            about | row | {"form_from": _form_from(measured, form, row["regime"])}
            for row in records(rows)
        ]
        table = Table(rows, columns(rows))
    else:
        require_exchange(measured.operation, "the time over two clusters")
        rows = predicted_by_form(network, measured, n_of, m_of, form)
        data = _over_two_clusters(rows, measured, form, *joined)
        table = Table(data, JOINED)

    def parts() -> Iterator[Part]:
        yield title(measured, form, rows)
        if others := network.under_others(measured):
            yield f"--algorithm chooses what was measured too: {', '.join(others)}"
        yield table

    return Result(data, parts())


def _form_from(operation: Operation, form: str | None, regime: str) -> str:
    """Who chose the form of a row."""
    if regime.startswith(AS):
        return "rules of the library"
    if form:
        return "given"
    return "validation" if verdict(operation).is_validated else "default"


def _by_schedule(
    network: Network,
    algorithm: Algorithm,
    n: Floats,
    m: Floats,
    placement: Placement,
    ports: str,
    groups: str | None,
    variant: Mapping[str, int],
) -> Result:
    """Predict an algorithm of the catalogue by its schedule."""
    parameters = parameters_of(network, algorithm.collective)
    timing = timing_of(network, algorithm.collective, ports, placement)
    rows = predicted(algorithm, parameters.of(algorithm), n, m, timing, **variant)
    rows["extrapolates"] = np.array(extrapolated(parameters, timing, rows))
    about = {
        "operation": algorithm.collective, "algorithm": algorithm.name, "form": "schedule",
        "timing": described(timing),
    }  # fmt: skip
    about |= {"groups": groups} if groups else {}

    def parts() -> Iterator[Part]:
        calls = zip(rows["n"].tolist(), rows["m"].tolist(), strict=True)
        note = interval_note(timing, ports, calls, rows["claim"].tolist())
        yield title_of_schedule(algorithm, parameters, variant, groups, note)
        yield Table(rows, COLUMNS)

    return Result([about | {**variant} | row for row in records(rows)], parts())


_OF_THE_FORM = (
    "90 %, as wide as predictions of other n are usually off, and were where n are left out; all "
    "points that the file holds, also of other n, correct the prediction near them"
)
_OF_FIT_AND_VALIDATION = (
    "95 % of the fit, or 90 % of validated errors where these are wider (of all of them where "
    f"they are fewer than {FEWEST}); widened by a rule of thumb where a row extrapolates"
)

_AS_RUN = (
    "the regime 'as ...' names the algorithm that the library runs there by its own rules, which "
    f"no measured time contradicts; intervals there: {_OF_THE_FORM}; and over the default's own "
    "times where another algorithm explains these as well"
)


def title(operation: Operation, form: str | None, rows: Columns) -> str:
    """What a table of predictions is of, by which form and why, and what its intervals mean.

    `form` is None where the file's own choice predicts.
    """
    chosen = None if form else verdict(operation)
    form = form or verdict(operation).form
    fit = operation.forms[form]
    text = f"{operation.title} by {form}, fitted at n = {', '.join(map(str, fit.n_fitted))}"
    if operation.processes_per_node is None:
        text += " on one host, or on hosts that nobody recorded"
    level = _OF_THE_FORM if FORMS.get(form).interval_from else _OF_FIT_AND_VALIDATION
    lines = [f"{text}; intervals: {level}"]
    if chosen:
        lines.append(chosen.reason)
    if any(regime.startswith(AS) for regime in rows["regime"].tolist()):
        lines.append(_AS_RUN)
    lines += timeouts.onset(operation)
    if not is_usable(fit):
        lines.append(unusable(fit))
    if form == Growth.name and (reason := why_wide(operation, rows)):
        lines.append(reason)
    return "\n".join(lines)


def columns(rows: Columns) -> dict[str, Cell]:
    """Return the columns of predictions; also how often time-outs are, and both modes, if known.

    The columns of time and interval are then of repetitions without a time-out.
    """
    return {
        "n": "n",
        "m": ("m", format_bytes),
        "time": ("seconds", format_seconds),
        "interval": interval_text,
        **(_OF_TIMEOUTS if "share" in rows else {}),
        "lower bound": lambda row: (
            "" if isnan(row["lower_bound"]) else format_seconds(row["lower_bound"])
        ),
        "regime": "regime",
        "remarks": lambda row: (
            f"extrapolates: {row['extrapolates'].replace(' ', ', ')}" if row["extrapolates"] else ""
        ),
    }


_OF_TIMEOUTS: dict[str, Cell] = {  # of `contend.models.prediction.timeouts`
    "with a time-out": ("with_timeout", format_seconds),
    "share of these": lambda row: (
        f"{row['share']:.0%} ({row['share_low']:.0%} .. {row['share_high']:.0%})"
    ),
    "mean": ("mean", format_seconds),
    "median": ("median", format_seconds),
}
JOINED: dict[str, Cell] = {
    "n1": "n1",
    "n2": "n2",
    "m": ("m", format_bytes),
    "local": ("local", format_seconds),
    "rounds": "rounds",
    "backbone": ("backbone", format_seconds),
    "seconds": ("seconds", format_seconds),
}


def _over_two_clusters(
    first: Columns,
    operation: Operation,
    form: str | None,
    file: Path,
    processes: int | None,
    alpha: str | None,
    beta: str | None,
) -> list[dict[str, Any]]:
    """Predict for two clusters that a backbone joins, a row for each pair of predictions."""
    if processes is None or alpha is None or beta is None:
        raise InvalidInputError(
            "a second network without its processes, or without the backbone between",
            "give all of it: --join network=FILE,processes=16,alpha=5ms,beta=1GB/s",
        )
    network = Network.load(file)
    remote = network.find(operation.operation, operation.algorithm, operation.processes_per_node)
    second = predicted_by_form(network, remote, processes, first["m"], form)
    backbone = hockney.given(parse_latency(alpha), parse_seconds_per_byte(beta))
    rows = []
    pairs = zip(_points_of(first), _points_of(second), strict=True)
    for (n1, m, seconds), (n2, _, others) in pairs:
        time = two_cluster_time((seconds, others), n1, n2, m, backbone)
        names = ("local", "rounds", "backbone", "seconds")
        rows.append({"n1": n1, "n2": n2, "m": m, **{name: getattr(time, name) for name in names}})
    return rows


def _points_of(rows: Columns) -> Iterator[tuple[Any, ...]]:
    return zip(*(rows[name].tolist() for name in ("n", "m", "seconds")), strict=True)


def bound_messages(network_file: Path, messages: Path) -> Result:
    """Return the least time of any exchange of the messages of a CSV file, without forwarding.

    >>> bound_messages(Path("network.json"), Path("messages.csv")).data.messages
    3
    """
    message = Network.load(network_file).point_to_point.hockney
    if message is None:
        raise InvalidInputError(
            f"{network_file} holds no alpha and beta", "fit samples that hold a pingpong"
        )
    from contend.simulate.flows.bound import exchange_bound, read_messages  # pandas

    rows = read_messages(messages)
    bound = exchange_bound(rows["src"], rows["dst"], rows["bytes"], message)
    text = (
        f"{bound.messages} messages among {bound.processes} processes: at least "
        f"{format_seconds(bound.seconds)}\n"
        f"start-ups: {bound.startups}, {format_seconds(bound.startup_seconds)}\n"
        f"busiest port: {format_bytes(bound.bytes)}, {format_seconds(bound.bandwidth_seconds)}\n"
        f"if all processes begin each step together: {format_seconds(bound.synchronous_seconds)}"
    )
    return Result(bound, [Line(text)])
