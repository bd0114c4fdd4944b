"""contend replay: the time of a traced program on a network that its messages share."""

from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from contend.cli import options, output
from contend.flows.carriages import ALONE, PORTS, TCP, carriage_names

if TYPE_CHECKING:
    import pandas as pd

    from contend.replay import Replay
    from contend.report.sections.replay import Account

ORDER = 6
PANEL = "Simulate"
EXAMPLE = "contend replay trace --network network.json --algorithm alltoall=rotated"
MOST_RANKS = 32  # on the console

Model = Enum("Model", {name: name for name in carriage_names()}, type=str)  # type: ignore[misc]
Baseline = Enum("Baseline", {name: name for name in (ALONE, PORTS)}, type=str)  # type: ignore[misc]


def command(
    trace_file: Annotated[
        Path, typer.Argument(help="Trace: a file, or a folder with a file per rank.")
    ],
    network_file: Annotated[
        Path | None, typer.Option("--network", help="Network file with pLogP parameters.")
    ] = None,
    latency: Annotated[str | None, typer.Option(help="Of a message, e.g. 20us.")] = None,
    bandwidth: Annotated[
        str | None, typer.Option(help="Of a message that is alone: 1Gbit/s or 125MB/s.")
    ] = None,
    overhead: Annotated[
        str, typer.Option(help="Of a sender and a receiver for each message.")
    ] = "0s",
    loggops: Annotated[
        str | None,
        typer.Option(
            metavar="L,o,g,G[,O[,S]]", help="LogGOPS: times, times per byte, and eager bytes."
        ),
    ] = None,
    eager: Annotated[
        str | None,
        typer.Option(help="Largest message that is sent without asking; default: all are."),
    ] = None,
    model: Annotated[
        Model | None,
        typer.Option(
            help="How messages share the network; default tcp where links have buffers, "
            "else the network file's, or maxmin."
        ),
    ] = None,
    topology: options.Topology = "switch",
    hosts: Annotated[
        int | None, typer.Option(min=1, help="Number of hosts; default one per rank.")
    ] = None,
    map: Annotated[
        str, typer.Option(help="Host of each rank: block, cyclic, or 0,0,1,1.")
    ] = "block",
    algorithm: Annotated[
        list[str] | None,
        typer.Option(help="Of a collective operation, e.g. alltoall=rotated; may be repeated."),
    ] = None,
    compute: Annotated[float, typer.Option(min=0.0, help="Factor for all computation.")] = 1.0,
    baseline: Annotated[
        Baseline,
        typer.Option(help="What contention is the difference to: messages alone, or in turn."),
    ] = Baseline.alone,  # type: ignore[attr-defined]
    speed: options.Speed = None,
    faster: Annotated[
        float, typer.Option(help="Factor for the bytes per second of all links.")
    ] = 1.0,
    balanced: Annotated[
        bool, typer.Option("--balanced", help="Computation of each rank scaled to the mean of all.")
    ] = False,
    format: Annotated[
        str | None, typer.Option(help="Of the trace, where it does not say it itself.")
    ] = None,
    output_file: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            help="Page (.html) that says where time is lost, and what would pay most.",
        ),
    ] = None,
    as_json: options.AsJson = False,
) -> None:
    """Replay a traced program message by message, and say what contention costs it.

    The trace is run twice, with messages that share the network and with every message alone; the
    difference, call by call, is what is lost to contention.
    """
    from contend.cli.replayed import carriage_of, check_page, message_times, sharing_of, words_of
    from contend.replay.choice import parse_choices
    from contend.replay.setting import Setting
    from contend.traces.reader import read_trace

    page = None if output_file is None else check_page(output_file)
    times, network = message_times(network_file, latency, bandwidth, overhead, loggops, eager)
    wanted, parameters = sharing_of(network, model.value if model else None)
    trace = read_trace(trace_file, format, options.number_of(speed))
    carriage = carriage_of(trace.ranks, times, topology, hosts, map)
    if model is None and page is None and carriage.has_buffers:
        wanted, parameters = TCP, None
    setting = Setting(
        trace=trace,
        times=times,
        model=wanted,
        carriage=carriage,
        parameters=parameters,
        algorithms=parse_choices(algorithm or []),
        compute=compute,
        baseline=baseline.value,
        faster=faster,
        is_balanced=balanced,
        file=str(trace_file),
        words=words_of(
            network=network_file, latency=latency, bandwidth=bandwidth,
            overhead=overhead if overhead != "0s" else None, loggops=loggops, eager=eager,
            model=model.value if model else None,
            topology=topology if topology != "switch" else None, hosts=hosts,
            map=map if map != "block" else None, compute=compute if compute != 1 else None,
            baseline=baseline.value if baseline.value != ALONE else None, speed=speed,
            faster=faster if faster != 1 else None, balanced=balanced, format=format,
        ),
    )  # fmt: skip
    paged: dict[str, object] = {}
    if page is None:
        found = setting.replay()
    else:
        from contend.report.replay import write_replay_report
        from contend.report.sections.replay import Account

        account = Account.of(setting)
        write_replay_report(account, page)
        found, paged = account.found, _paged(page, account)
    if found.shortfall:
        output.warn(found.shortfall)
    if as_json:
        output.show_json(_document(found) | paged)
        return
    _show(found)
    if page is not None:
        output.console().print(f"page: {page}", markup=False)


def _document(found: "Replay") -> dict[str, object]:
    return {
        "seconds": found.seconds,
        "lost": found.lost,
        "shortfall": found.shortfall or None,
        "model": found.model,
        "baseline": found.baseline,
        "messages": found.messages,
        "unreceived": found.unreceived,
        "algorithms": {name: sorted(used) for name, used in found.algorithms.items()},
        "calls": found.calls.to_dict("records"),
        "ranks": found.ranks.to_dict("records"),
    }


def _paged(page: Path, account: "Account") -> dict[str, object]:
    what_ifs = [
        {
            "change": one.candidate.title,
            "seconds": one.seconds,
            "saved": one.saved,
            "is_bound": one.candidate.is_bound,
            "command": one.candidate.setting.command,
        }
        for one in account.what_ifs
    ]
    return {"page": str(page), "what_ifs": what_ifs}


def _show(found: "Replay") -> None:
    from contend.units import format_seconds

    share = found.lost / found.seconds if found.seconds else 0.0
    output.note(
        f"{format_seconds(found.seconds)} on {found.trace.ranks} ranks, {found.messages} messages, "
        f"{found.model}; {format_seconds(abs(found.lost))} ({share:.1%}) "
        f"{'lost to' if found.lost >= 0 else 'less by'} contention"
    )
    if found.algorithms:
        used = (f"{name} {', '.join(sorted(one))}" for name, one in found.algorithms.items())
        output.note(f"collectives: {'; '.join(used)}")
    if found.unreceived:
        output.note(f"{found.unreceived} messages are sent that no rank receives")
    output.show_table(_times(found.calls, ("seconds", "worst", "lost")), "calls, mean over ranks")
    columns = ("seconds", "computing", "in_calls", "lost")
    shown = found.ranks.nlargest(MOST_RANKS, "seconds", keep="first").sort_index()
    output.show_table(_times(shown, columns), "ranks")
    if len(shown) < len(found.ranks):
        output.note(
            f"{len(found.ranks) - len(shown)} ranks are done before these; --json shows all"
        )


def _times(table: "pd.DataFrame", columns: tuple[str, ...]) -> "pd.DataFrame":
    from contend.units import format_seconds

    def text(seconds: float) -> str:
        return format_seconds(seconds) if seconds >= 0 else f"-{format_seconds(-seconds)}"

    return table.assign(**{name: table[name].map(text) for name in columns})
