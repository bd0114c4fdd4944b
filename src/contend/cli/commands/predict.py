"""contend predict: a network file to times."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from contend.cli import completion, options, output

if TYPE_CHECKING:
    from collections.abc import Sequence

    from contend.document import Floats
    from contend.network import Operation
    from contend.schedules import Algorithm
    from contend.schedules.fitting.record import Parameters
    from contend.schedules.timing.predict import Timing

ORDER = 4
PANEL = "Model"
EXAMPLE = "contend predict network.json -n 64,128 -m 4KiB,1MiB"


def command(
    network_file: options.NetworkFile = Path("network.json"),
    operation: Annotated[
        str, typer.Argument(help="Operation.", autocompletion=completion.operations)
    ] = "alltoall",
    processes: Annotated[
        str, typer.Option("-n", "--processes", help="Numbers of processes, e.g. 16,32-34.")
    ] = "",
    sizes: Annotated[str, typer.Option("-m", "--sizes", help="Sizes, e.g. 64,1MiB.")] = "",
    algorithm: options.Algorithm = None,
    segment: options.Segment = None,
    degree: options.Degree = None,
    window: options.Window = None,
    leaders: options.Leaders = None,
    groups: options.Groups = None,
    ports: options.Ports = options.PortsAre.auto,
    ppn: options.PerNode = None,
    form: options.Form = None,
    second_network: Annotated[
        Path | None, typer.Option(help="Network of a second cluster, joined by a backbone.")
    ] = None,
    second_processes: Annotated[
        int | None, typer.Option(min=2, help="Processes on the second cluster.")
    ] = None,
    backbone_alpha: Annotated[
        str | None, typer.Option(help="Start-up over the backbone, e.g. 5ms.")
    ] = None,
    backbone_beta: Annotated[
        str | None,
        typer.Option(help="Time per byte over the backbone: 12.5GB/s, 0.08ns/B or 8e-11."),
    ] = None,
    as_json: options.AsJson = False,
) -> None:
    """Predict times with an interval, and say where that extrapolates.

    An algorithm that the file holds a fit of is predicted by the form that fits best, any other
    one of 'contend algorithms' by its schedule. With a second network and a backbone, the time of
    an exchange over both clusters.
    """
    import numpy as np

    from contend.choose.timing import Placement, timing_of
    from contend.cli.predicted import predictions, title
    from contend.cli.scheduled import call_options, placed
    from contend.errors import InvalidInputError
    from contend.network import Network
    from contend.prediction.as_run import predicted_as_run
    from contend.prediction.predict import predicted
    from contend.prediction.scheduled import parameters_of, wanted_algorithm
    from contend.samples.table import BARRIER
    from contend.schedules.groups import grouping_of
    from contend.signature import require_exchange
    from contend.units import parse_bytes_list, parse_counts

    counts, wanted = parse_counts(processes), parse_bytes_list(sizes)
    if operation == BARRIER and not wanted:
        wanted = [0]
    if not counts or not wanted:
        raise InvalidInputError("no n or no m", "give both, e.g. -n 64 -m 1MiB")
    network = Network.load(network_file)
    grid = np.meshgrid(counts, wanted, indexing="ij")
    given = call_options(segment, degree, window, leaders)
    scheduled = wanted_algorithm(network, operation, algorithm, bool(given or groups))
    if scheduled is not None:
        if second_network is not None:
            raise InvalidInputError(
                f"{operation}/{scheduled.name} is not known over two clusters",
                "leave --second-network out, or name an algorithm that the file holds a fit of",
            )
        if scheduled.needs_groups or not network.links:
            scheduled = placed(scheduled, groups)
        known = parameters_of(network, scheduled.collective)
        timing = timing_of(
            network, scheduled.collective, ports.value, Placement(ppn, grouping_of(groups))
        )
        _show_scheduled(scheduled, known, grid, given, (ports, timing), groups, as_json=as_json)
        return
    measured = network.find(operation, algorithm, ppn)
    n, m = (values.ravel() for values in grid)
    if second_network is None:
        rows = predicted_as_run(network, measured, n, m, form)
        what = {
            "operation": measured.operation,
            "algorithm": measured.algorithm,
        }
        told = [what | row for row in output.objects(rows)]
        shown = [row | {"form_from": _form_from(measured, form, row["regime"])} for row in told]
        table = predictions(rows)
    else:
        if second_processes is None or backbone_alpha is None or backbone_beta is None:
            raise InvalidInputError(
                "a second network without the rest",
                "give --second-processes, --backbone-alpha and --backbone-beta too",
            )
        require_exchange(measured.operation, "the time over two clusters")
        second = Network.load(second_network)
        rows = predicted(network, measured, n, m, form)
        other = predicted(
            second, second.find(operation, algorithm, ppn), second_processes, rows["m"], form
        )
        from contend.cli.predicted import joined

        shown, table = joined(rows, other, backbone_alpha, backbone_beta)
    if as_json:
        output.show_json(shown)
    else:
        output.note(title(measured, form, rows))
        if others := network.under_others(measured):
            output.note(f"--algorithm chooses what was measured too: {', '.join(others)}")
        output.show_table(table)


def _form_from(operation: "Operation", form: str | None, regime: str) -> str:
    """Who chose the form of a row."""
    from contend.prediction.as_run import AS
    from contend.prediction.verdict import verdict

    if regime.startswith(AS):
        return "rules of the library"
    if form:
        return "given"
    return "validation" if verdict(operation).is_validated else "default"


def _show_scheduled(
    algorithm: "Algorithm",
    known: "Parameters",
    grid: "Sequence[Floats]",
    given: dict[str, int],
    timed: "tuple[options.PortsAre, Timing]",
    groups: str | None,
    *,
    as_json: bool,
) -> None:
    import numpy as np

    from contend.choose.timing import extrapolated
    from contend.cli.scheduled import described, interval_note, predictions, title
    from contend.schedules.timing.predict import predicted

    n, m = (values.ravel() for values in grid)
    ports, timing = timed
    rows = predicted(algorithm, known.of(algorithm), n, m, timing, **given)
    rows["extrapolates"] = np.array(extrapolated(known, timing, rows))
    if as_json:
        what = {"operation": algorithm.collective, "algorithm": algorithm.name, "form": "schedule",
                "timing": described(timing)}  # fmt: skip
        what |= {"groups": groups} if groups else {}
        output.show_json([what | given | row for row in output.objects(rows)])
    else:
        calls = zip(rows["n"].tolist(), rows["m"].tolist(), strict=True)
        note = interval_note(timing, ports, calls, rows["claim"].tolist())
        output.note(title(algorithm, known, given, note, groups))
        output.show_table(predictions(rows))
