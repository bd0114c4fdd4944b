"""contend graph solve: the end time of every message that shares a network."""

from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from contend.cli import options, output
from contend.sharing.models import DEFAULT, names

if TYPE_CHECKING:
    import pandas as pd

    from contend.sharing import Solution

ORDER = 1
EXAMPLE = "contend graph solve flows.csv --bandwidth 1Gbit/s --model infiniband-residual"
MOST_ROWS = 40  # of flows on the console

# `measured` takes penalties from a function, which a command line has not.
Model = Enum("Model", {name: name for name in names() if name != "measured"}, type=str)  # type: ignore[misc]

USUAL = Model(DEFAULT)


def command(
    flows_file: Annotated[
        Path, typer.Argument(help="CSV or JSON: src, dst, bytes, perhaps start and latency.")
    ],
    bandwidth: Annotated[
        str, typer.Option(help="Of a message that is alone, e.g. 1Gbit/s or 1.82GB/s.")
    ],
    model: Annotated[Model, typer.Option(help="How messages share it.")] = USUAL,
    steps: Annotated[bool, typer.Option(help="Also the rate and penalty in every step.")] = False,
    as_json: options.AsJson = False,
) -> None:
    """Say when each message ends, on one switch."""
    from contend.sharing import solve
    from contend.sharing.reader import read_flows
    from contend.units import parse_rate

    table = read_flows(flows_file)
    solution = solve(table, model.value, bandwidth=parse_rate(bandwidth) / 8, is_recorded=steps)
    ends = table.assign(end=solution.end, seconds=solution.seconds)
    if as_json:
        found = {"model": model.value, "flows": ends.to_dict("records")}
        found |= {"steps": solution.steps().to_dict("records")} if steps else {}
        output.show_json(found)
        return
    shown = len(ends) if len(ends) <= MOST_ROWS else MOST_ROWS
    output.console().print(output.table(_flows(ends.head(shown)), f"{model.value}: flows"))
    if shown < len(ends):
        output.note(f"{len(ends) - shown} more; --json shows all, --model another model")
    if steps:
        output.console().print(output.table(_steps(ends, solution), "steps"))


def _flows(ends: "pd.DataFrame") -> "pd.DataFrame":
    import pandas as pd

    from contend.units import format_bytes, format_seconds

    return pd.DataFrame(
        {
            "flow": range(1, len(ends) + 1),
            "src": ends["src"],
            "dst": ends["dst"],
            "bytes": [format_bytes(size) for size in ends["bytes"]],
            "end": [format_seconds(end) for end in ends["end"]],
            "takes": [format_seconds(taken) for taken in ends["seconds"]],
        }
    )


def _steps(ends: "pd.DataFrame", solution: "Solution") -> "pd.DataFrame":
    import pandas as pd

    from contend.units import format_rate, format_seconds

    steps = solution.steps()
    sources, targets = ends["src"].to_numpy(), ends["dst"].to_numpy()
    return pd.DataFrame(
        {
            "step": steps["step"] + 1,
            "until": [format_seconds(until) for until in steps["until"]],
            "flow": [f"{flow + 1}: {sources[flow]} to {targets[flow]}" for flow in steps["flow"]],
            "rate": [format_rate(8 * rate) for rate in steps["rate"]],
            "penalty": [f"{penalty:.4g}" for penalty in steps["penalty"]],
        }
    )
