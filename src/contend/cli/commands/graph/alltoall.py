"""contend graph alltoall: an exchange by its contention graphs, against measurements."""

from typing import TYPE_CHECKING, Annotated

import typer

from contend.cli import completion, options, output

if TYPE_CHECKING:
    import pandas as pd

ORDER = 6
EXAMPLE = "contend graph alltoall network.json samples.jsonl"


def command(
    network_file: options.NetworkFile,
    samples_file: options.SamplesFile,
    model: Annotated[
        str | None,
        typer.Option(
            help="One of the network's sharing models; default the closest.",
            autocompletion=completion.sharing_models,
        ),
    ] = None,
    include_flagged: options.IncludeFlagged = False,
    as_json: options.AsJson = False,
) -> None:
    """Hold the all-to-all that the sharing model gives against samples and the signature.

    rotated: all messages at once; ring: one round after another. The signature is the form that
    'contend predict' takes, where the file has a fit of the same algorithm; of the n it was fitted
    at it has seen the times, of which the sharing model has seen none.
    """
    import pandas as pd

    from contend.cli.graphs import sharing_of, unusable
    from contend.graphs.alltoall import alltoall_seconds
    from contend.network import Network
    from contend.prediction.predict import predict
    from contend.samples import quality, read_samples
    from contend.samples.by_setting import by_setting
    from contend.samples.table import exchanges, select

    network, fitted = Network.load(network_file), sharing_of(network_file)
    samples = by_setting(read_samples(samples_file))
    kept = quality.trusted(samples, {"alltoall"}, include_flagged)
    parts = []
    for algorithm in sorted({sample.algorithm for sample in select(kept, "alltoall")}):
        rows = exchanges(select(kept, "alltoall", algorithm))[["n", "m", "seconds"]]
        line = network.messages(algorithm).hockney
        start_up = float(line.alpha) if line else 0.0
        for order in ("rotated", "ring"):
            rows[order] = [
                alltoall_seconds(fitted, n, m, order, model, start_up)
                for n, m in zip(rows["n"], rows["m"], strict=True)
            ]
        known = [
            one
            for one in network.operations
            if (one.operation, one.algorithm) == ("alltoall", algorithm)
        ]
        if len(known) == 1 and known[0].forms:
            signature = predict(network, known[0], rows["n"], rows["m"])
            rows["signature"] = signature["seconds"].to_numpy()
        parts.append(rows.assign(algorithm=algorithm))
    found = pd.concat(parts, ignore_index=True)
    if as_json:
        output.show_json({"model": fitted.known(model).name, "points": output.records(found)})
        return
    output.show_table(_shown(found), f"all-to-all by {fitted.known(model).name}")
    output.note(_errors(found))
    if not fitted.known(model).is_usable:
        output.note(unusable(fitted.known(model)))


def _shown(rows: "pd.DataFrame") -> "pd.DataFrame":
    import pandas as pd

    from contend.units import format_bytes, format_seconds

    def cell(seconds: float, measured: float) -> str:
        if pd.isna(seconds):
            return ""
        return f"{format_seconds(seconds)} ({100 * (seconds / measured - 1):+.0f} %)"

    columns = [name for name in ("rotated", "ring", "signature") if name in rows]
    return pd.DataFrame(
        {
            "algorithm": rows["algorithm"],
            "n": rows["n"],
            "m": [format_bytes(m) for m in rows["m"]],
            "measured": [format_seconds(seconds) for seconds in rows["seconds"]],
            **{
                name: [cell(*pair) for pair in zip(rows[name], rows["seconds"], strict=True)]
                for name in columns
            },
        }
    )


def _errors(rows: "pd.DataFrame") -> str:
    columns = [name for name in ("rotated", "ring", "signature") if name in rows]
    medians = {name: (rows[name] / rows["seconds"] - 1).abs().median() for name in columns}
    return "median error: " + ", ".join(f"{name} {error:.0%}" for name, error in medians.items())
