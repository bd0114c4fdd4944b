"""contend predict: a network file to times."""

from collections.abc import Iterator, Sequence
from math import isnan
from pathlib import Path
from typing import Any

import numpy as np

from contend.base.document import Columns, Floats
from contend.base.errors import InvalidInputError
from contend.base.statistics.rank import FEWEST
from contend.base.units import (
    format_bytes,
    format_seconds,
    parse_bytes_list,
    parse_counts,
    parse_seconds,
    parse_seconds_per_byte,
)
from contend.cli import completion, options
from contend.cli.catalogue import COLUMNS, described, interval_note, interval_text
from contend.cli.catalogue import title as title_of_schedule
from contend.cli.options import argument, option
from contend.cli.result import Cell, Part, Result, Table, records
from contend.models.network import Network, Operation
from contend.models.prediction.catalogue import parameters_of, wanted_algorithm
from contend.models.prediction.growth import why_wide
from contend.models.prediction.library_default import AS, predicted_as_run
from contend.models.prediction.predict import predicted as predicted_by_form
from contend.models.prediction.two_clusters import two_cluster_time
from contend.models.prediction.verdict import is_usable, unusable, verdict
from contend.models.signature import FORMS, require_exchange
from contend.models.signature.forms.growth import Growth
from contend.report import timeouts
from contend.samples.table import BARRIER
from contend.schedules import Algorithm
from contend.schedules.groups import grouping_of
from contend.schedules.pointtopoint import hockney
from contend.schedules.timing.predict import predicted
from contend.tune.choose.timing import Placement, extrapolated, timing_of

ORDER = 4
PANEL = "Model"
EXAMPLE = "contend predict network.json -n 64,128 -m 4KiB,1MiB"


def command(
    variant: options.Variant,
    network_file: options.NetworkFile = Path("network.json"),
    operation: str = argument(
        "Operation.", default="alltoall", autocompletion=completion.operations
    ),
    processes: str = option(
        "Numbers of processes, e.g. 16,32-34.", "-n", "--processes", default=""
    ),
    sizes: str = option("Sizes, e.g. 64,1MiB.", "-m", "--sizes", default=""),
    algorithm: options.Algorithm = None,
    ports: options.Ports = options.PortsAre.auto,
    ppn: options.PerNode = None,
    form: options.Form = None,
    second_network: Path | None = option("Network of a second cluster, joined by a backbone."),
    second_processes: int | None = option("Processes on the second cluster.", min=2),
    backbone_alpha: str | None = option("Start-up over the backbone, e.g. 5ms."),
    backbone_beta: str | None = option(
        "Time per byte over the backbone: 12.5GB/s, 0.08ns/B or 8e-11."
    ),
) -> Result:
    """Predict times with an interval, and say where that extrapolates.

    An algorithm that the file holds a fit of is predicted by the form that fits best, any other
    one of 'contend algorithms' by its schedule. With a second network and a backbone, the time of
    an exchange over both clusters.
    """
    counts, wanted = parse_counts(processes), parse_bytes_list(sizes)
    if operation == BARRIER and not wanted:
        wanted = [0]
    if not counts or not wanted:
        raise InvalidInputError("no n or no m", "give both, e.g. -n 64 -m 1MiB")
    network = Network.load(network_file)
    grid = np.meshgrid(counts, wanted, indexing="ij")
    is_varied = bool(variant.given or variant.groups)
    scheduled = wanted_algorithm(network, operation, algorithm, is_varied)
    if scheduled is not None:
        if second_network is not None:
            raise InvalidInputError(
                f"{operation}/{scheduled.name} is not known over two clusters",
                "leave --second-network out, or name an algorithm that the file holds a fit of",
            )
        if scheduled.needs_groups or not network.links:
            scheduled = variant.on(scheduled)
        return _scheduled(network, scheduled, grid, variant, ports, ppn)
    measured = network.find(operation, algorithm, ppn)
    n, m = (values.ravel() for values in grid)
    data: list[dict[str, Any]]
    if second_network is None:
        rows = predicted_as_run(network, measured, n, m, form)
        about = {"operation": measured.operation, "algorithm": measured.algorithm}
        data = [
            about | row | {"form_from": _form_from(measured, form, row["regime"])}
            for row in records(rows)
        ]
        table = Table(rows, columns(rows))
    else:
        if second_processes is None or backbone_alpha is None or backbone_beta is None:
            raise InvalidInputError(
                "a second network without the rest",
                "give --second-processes, --backbone-alpha and --backbone-beta too",
            )
        require_exchange(measured.operation, "the time over two clusters")
        second = Network.load(second_network)
        rows = predicted_by_form(network, measured, n, m, form)
        other = predicted_by_form(
            second, second.find(operation, algorithm, ppn), second_processes, rows["m"], form
        )
        data = joined(rows, other, backbone_alpha, backbone_beta)
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


def _scheduled(
    network: Network,
    algorithm: Algorithm,
    grid: Sequence[Floats],
    variant: options.Variant,
    ports: options.PortsAre,
    ppn: int | None,
) -> Result:
    """Predict an algorithm of the catalogue by its schedule."""
    n, m = (values.ravel() for values in grid)
    known, where = parameters_of(network, algorithm.collective), grouping_of(variant.groups)
    timing = timing_of(network, algorithm.collective, ports.value, Placement(ppn, where))
    rows = predicted(algorithm, known.of(algorithm), n, m, timing, **variant.given)
    rows["extrapolates"] = np.array(extrapolated(known, timing, rows))
    about = {
        "operation": algorithm.collective, "algorithm": algorithm.name, "form": "schedule",
        "timing": described(timing),
    }  # fmt: skip
    about |= {"groups": variant.groups} if variant.groups else {}

    def parts() -> Iterator[Part]:
        calls = zip(rows["n"].tolist(), rows["m"].tolist(), strict=True)
        note = interval_note(timing, ports, calls, rows["claim"].tolist())
        yield title_of_schedule(algorithm, known, variant, note)
        yield Table(rows, COLUMNS)

    return Result([about | variant.given | row for row in records(rows)], parts())


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
    lines += timeouts.found(operation)
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


_OF_TIMEOUTS: dict[str, Cell] = {  # of `contend.models.timeouts.mixture`
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


def joined(first: Columns, second: Columns, alpha: str, beta: str) -> list[dict[str, Any]]:
    """Predict for two clusters that a backbone joins, a row for each pair of predictions."""
    backbone = hockney.given(parse_seconds(alpha), parse_seconds_per_byte(beta))
    found = []
    for (n1, m, one), (n2, _, two) in zip(_points_of(first), _points_of(second), strict=True):
        time = two_cluster_time((one, two), n1, n2, m, backbone)
        names = ("local", "rounds", "backbone", "seconds")
        found.append({"n1": n1, "n2": n2, "m": m, **{name: getattr(time, name) for name in names}})
    return found


def _points_of(rows: Columns) -> Iterator[tuple[Any, ...]]:
    return zip(*(rows[name].tolist() for name in ("n", "m", "seconds")), strict=True)
