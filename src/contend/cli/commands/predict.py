"""contend predict: a network file to times."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from contend.choose.timing import Placement, extrapolated, timing_of
from contend.cli import completion, options
from contend.cli.options import argument, option
from contend.cli.predicted import JOINED, columns, joined, title
from contend.cli.result import Part, Result, Table, records
from contend.cli.scheduled import COLUMNS, described, interval_note
from contend.cli.scheduled import title as title_of_schedule
from contend.document import Floats
from contend.errors import InvalidInputError
from contend.network import Network, Operation
from contend.prediction.as_run import AS, predicted_as_run
from contend.prediction.predict import predicted as predicted_by_form
from contend.prediction.scheduled import parameters_of, wanted_algorithm
from contend.prediction.verdict import verdict
from contend.samples.table import BARRIER
from contend.schedules import Algorithm
from contend.schedules.groups import grouping_of
from contend.schedules.timing.predict import predicted
from contend.signature import require_exchange
from contend.units import parse_bytes_list, parse_counts

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
