"""contend regret: what the choice by a network file costs, by what was measured."""

from typing import Annotated

import typer

from contend.cli import options, output

ORDER = 6
EXAMPLE = "contend regret network.json samples.jsonl -n 64"


def command(
    network_file: options.NetworkFile,
    samples_file: options.SamplesFile,
    processes: Annotated[
        int, typer.Option("-n", "--processes", min=2, help="Number of processes to judge at.")
    ],
    is_long: Annotated[
        bool, typer.Option("--all", help="A row per size instead of one per operation.")
    ] = False,
    as_json: options.AsJson = False,
) -> None:
    """Compare the algorithm that is predicted to be fastest with the fastest that was measured.

    The choice is among algorithms of the catalogue that were measured. Regret is its measured time
    over that of the best of all; beside it that of the MPI library's own choice (native).
    """
    from contend.choose.regret import regrets, summary
    from contend.network import Network
    from contend.samples import read_samples

    network = Network.load(network_file)
    rows = regrets(read_samples(samples_file), network.parameters, processes)
    if as_json:
        output.show_json(output.records(rows))
        return
    shown = rows if is_long else summary(rows)
    ratios = [name for name in shown.columns if "regret" in name]
    shown = shown.assign(**{name: shown[name].map("{:.2f}".format) for name in ratios})
    if is_long:
        from contend.units import format_bytes, format_seconds

        shown = shown.assign(
            m=shown["m"].map(format_bytes),
            seconds=shown["seconds"].map(format_seconds),
            best_seconds=shown["best_seconds"].map(format_seconds),
        )
    shown = shown.rename(columns=lambda name: name.replace("_", " "))
    output.console().print(output.table(shown, f"regret at n = {processes}"))
