"""contend explain: what the times of a benchmark lose, by which suspected cause."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from contend.cli import completion, options, output

if TYPE_CHECKING:
    from collections.abc import Sequence

    from contend.explanation.case import Case
    from contend.explanation.finding import Finding

ORDER = 4
PANEL = "Decide"
EXAMPLE = "contend explain osu_alltoall.txt -n 128 --ppn 96 osu_latency.txt"


def command(
    files: Annotated[
        list[str],
        typer.Argument(
            help="Output of benchmarks, samples, and a network file where there is one; - for "
            "standard input."
        ),
    ],
    processes: Annotated[
        int | None,
        typer.Option("-n", "--n", "--processes", min=2, help="Where the file does not say."),
    ] = None,
    ppn: options.PerNode = None,
    bandwidth: Annotated[
        str | None, typer.Option(help="Of a node's network card, e.g. 12.5GB/s or 100Gbit/s.")
    ] = None,
    latency: Annotated[
        str | None, typer.Option(help="Of a small message between two nodes, e.g. 1.3us.")
    ] = None,
    operation: Annotated[
        str | None,
        typer.Option(
            help="Operation, where the files hold several.", autocompletion=completion.operations
        ),
    ] = None,
    algorithm: options.Algorithm = None,
    at: Annotated[
        int | None, typer.Option(min=2, help="The n to explain, of several; default the largest.")
    ] = None,
    reader: Annotated[
        str | None,
        typer.Option(help="Format; recognised when not given.", autocompletion=completion.readers),
    ] = None,
    experiment: Annotated[str | None, typer.Option(help="Where the file does not say.")] = None,
    columns: Annotated[
        list[str] | None,
        typer.Option("--map", help="Column of a table, as field=column: m, time, n, launch, ..."),
    ] = None,
    where: Annotated[
        list[str] | None, typer.Option(help="Rows of a table to read, as column=value.")
    ] = None,
    as_json: options.AsJson = False,
) -> None:
    """Explain measured times: against a bound, against what was expected, why, and what to try.

    Any output that 'contend import' reads will do. The bound needs what a message alone takes: from
    a file of osu_latency or IMB PingPong beside, a network file, or --bandwidth and --latency.
    """
    from contend.cli.explained import given
    from contend.cli.explanation_tables import overview
    from contend.errors import InvalidInputError
    from contend.explanation.case import cases
    from contend.explanation.finding import suspected
    from contend.explanation.message import known_message
    from contend.samples.reader import ReadOptions
    from contend.samples.setting import split_conditions
    from contend.units import parse_seconds, seconds_per_byte_at

    chosen = ReadOptions(
        experiment=experiment,
        algorithm=algorithm if columns or reader == "csv_columns" else None,
        n=processes,
        processes_per_node=ppn,
        columns=options.named_pairs(columns, "--map"),
        where=options.named_pairs(where, "--where"),
    )
    samples, network, network_file = given(files, chosen, reader)
    message = known_message(
        samples,
        network,
        parse_seconds(latency) if latency else None,
        seconds_per_byte_at(bandwidth) if bandwidth else None,
    )
    found = [
        one
        for one in cases(samples, message, network, at)
        if operation in (None, one.operation)
        and algorithm in (None, one.algorithm, split_conditions(one.algorithm)[0])
    ]
    if not found:
        there = ", ".join(f"{one.operation}/{one.algorithm}" for one in cases(samples, message))
        raise InvalidInputError(
            f"no times of {'/'.join(filter(None, (operation, algorithm)))}", f"there is {there}"
        )
    explained = [(one, suspected(one)) for one in found]
    if as_json:
        output.show_json([_json(case, causes, network_file) for case, causes in explained])
        return
    if len(explained) > 1:
        output.show_table(overview(explained), "operations, at their worst size")
        output.note("--operation, --algorithm and --at choose one, with its sizes")
        return
    _show(*explained[0], network_file)


def _show(case: "Case", causes: "Sequence[Finding]", network_file: str | None) -> None:
    """One case, on one screen."""
    from contend.cli.explanation_tables import rows
    from contend.explanation.summary import bound_said, gaps, rates_said, shown

    names = {} if case.has_bound else {"bound": "bytes alone", "x bound": "x these"}
    chosen = shown(case, causes)
    output.show_table(rows(chosen).rename(columns=names), case.title)
    if left := len(case.rows) - len(chosen):
        output.note(f"{len(chosen)} of {len(case.rows)} sizes; --json has the other {left} too")
    lines = [bound_said(case), rates_said(case), ""]
    if not causes:
        lines.append("No cause is suspected: nothing in these times stands out.")
    for number, one in enumerate(causes, start=1):
        lines.append(f"{number}. {one.kind}: {one.sentence}")
        lines += [f"   try: {each.command}\n        {each.why}" for each in one.tries]
    unknown = list(gaps(case, network_file))
    if unknown:
        lines += ["", "Not known:"]
        lines += [f" - {one.what}: {one.how.command} ({one.how.why})" for one in unknown]
    output.console().print("\n".join(lines), markup=False)


def _json(case: "Case", causes: "Sequence[Finding]", network_file: str | None) -> dict[str, Any]:
    from dataclasses import asdict

    from contend.explanation.summary import bound_said, gaps, rates_said

    return {
        "operation": case.operation,
        "algorithm": case.algorithm,
        "n": case.n,
        "processes_per_node": case.processes_per_node,
        "bound_from": case.message.source or None,
        "bound": bound_said(case),
        "rates": rates_said(case),
        "sizes": output.records(case.rows),
        "causes": [
            {
                "cause": found.kind,
                "sizes": found.sizes,
                "sentence": found.sentence,
                "factor": found.factor,
                "tries": [asdict(each) for each in found.tries],
            }
            for found in causes
        ],
        "not_known": [asdict(one) for one in gaps(case, network_file)],
    }
