"""contend fit-schedules: times of algorithms to a network file."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from contend.cli import options, output

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

    from contend.network import Network

ORDER = 5
PANEL = "Model"
EXAMPLE = "contend fit-schedules samples.jsonl --at 8 -o network.json"


def command(
    samples_file: options.SamplesFile = Path("samples.jsonl"),
    output_file: options.MergedNetworkFile = Path("network.json"),
    at: Annotated[
        str | None, typer.Option(help="Numbers of processes to fit at, e.g. 8,16; default all.")
    ] = None,
    add_to: Annotated[
        Path | None, typer.Option(help="Another network file whose content is taken over first.")
    ] = None,
    name: Annotated[str | None, typer.Option(help="Name of the network.")] = None,
    include_flagged: options.IncludeFlagged = False,
    as_json: options.AsJson = False,
) -> None:
    """Fit pLogP parameters to times of known algorithms, where no message was timed by itself.

    Samples are those of 'contend run-schedule', or imported ones of algorithms of the catalogue.
    Each algorithm gets parameters of its own, others of the operation those of all its times.
    'contend predict' and 'contend choose' then use them. Points that were not fitted are predicted
    and compared.
    """
    from contend.choose.compare import compare, of_schedules
    from contend.cli.scheduled import note_late
    from contend.fitting.fit import fit_schedules
    from contend.network import Network
    from contend.network.merge import merge
    from contend.samples import read_samples

    base = Network.load(add_to) if add_to and not _is_same(add_to, output_file) else None
    samples = read_samples(samples_file)
    note_late(of_schedules(samples), include_flagged)
    found = fit_schedules(
        samples,
        samples_file,
        _counts(at, [one.n for one in samples]),
        name=name or samples_file.stem,
        include_flagged=include_flagged,
    )
    parts = merge(base, found, name).network if base else found
    merged = parts.merge_into(output_file, name=name)
    output.note_merge(output_file, merged)
    network = merged.network
    rows = compare(network.parameters, samples, include_flagged=include_flagged)
    rows["is_unseen"] = _unseen(network, rows)
    if as_json:
        points = rows.assign(options=rows["options"].map(dict))
        output.show_json({"network": network.to_json(), "points": output.records(points)})
        return
    output.show_table(_errors(network, rows), "parameters and their errors")
    output.note(f"written to {output_file}; next: contend choose {output_file} bcast -n 64 -m 1MiB")


def _counts(text: str | None, there: "Sequence[int]") -> list[int] | None:
    """Numbers of processes to fit at; an error where some of them have no sample."""
    from contend.errors import InvalidInputError

    counts = options.named_counts(text)
    missing = sorted(set(counts or []) - set(there))
    if counts and 0 < len(missing) < len(set(counts)):
        raise InvalidInputError(
            f"--at {text}: no sample has n = {', '.join(map(str, missing))}",
            f"choose from {', '.join(map(str, sorted(set(there))))}",
        )
    return counts


def _is_same(first: Path, second: Path) -> bool:
    return first.exists() and second.exists() and first.samefile(second)


def _unseen(network: "Network", rows: "pd.DataFrame") -> list[bool]:
    """Whether each point was not fitted by the algorithm's own parameters."""
    known = {operation: network.parameters(operation) for operation in set(rows["operation"])}
    columns = (rows[name] for name in ("operation", "algorithm", "n", "m"))
    return [
        (found := known[operation]) is None or not found.has_seen(algorithm, n, m)
        for operation, algorithm, n, m in zip(*columns, strict=True)
    ]


def _errors(network: "Network", rows: "pd.DataFrame") -> "pd.DataFrame":
    """Latency, and errors on points that were fitted and on others, as text."""
    import pandas as pd

    from contend.units import format_seconds

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
