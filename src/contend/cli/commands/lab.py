"""contend lab: emulated networks."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from contend.cli import options, output

if TYPE_CHECKING:
    from collections.abc import Iterable

    from contend.lab import Lab

ORDER = 8
EXAMPLE = "contend lab profiles"

command = typer.Typer(help="Emulated networks on this machine.", no_args_is_help=True)

Name = Annotated[
    str, typer.Argument(help="Name of a profile, or a TOML file.", metavar="NAME_OR_FILE")
]


@command.command(epilog="Example: [bold]contend lab profiles[/bold]")
def profiles(as_json: options.AsJson = False) -> None:
    """List the networks that can be emulated by name."""
    import pandas as pd

    from contend.lab import profiles as shipped

    labs = shipped().values()
    if as_json:
        output.show_json([lab.model_dump(mode="json") for lab in labs])
        return
    output.console().print(output.table(pd.DataFrame(_row(lab) for lab in labs)))
    output.note("to look at one: contend lab draw NAME")


def _row(lab: "Lab") -> dict[str, str]:
    from contend.lab.arrangement import buffer_text, label_lines, rate_text

    return {
        "lab": lab.name,
        "hosts": " + ".join(str(cluster.hosts) for cluster in lab.clusters),
        "rate": _alike(rate_text(cluster.rate) for cluster in lab.clusters),
        "buffers": _alike(buffer_text(cluster.buffer) for cluster in lab.clusters),
        "backbones": "\n".join(", ".join(label_lines(backbone)[:2]) for backbone in lab.backbones),
        "stands for": lab.description,
    }


def _alike(texts: "Iterable[str]") -> str:
    """What the clusters have, said once where they have the same."""
    return " + ".join(dict.fromkeys(texts))


@command.command(epilog="Example: [bold]contend lab draw two-clusters -o two-clusters.svg[/bold]")
def draw(
    lab: Name,
    output_file: Annotated[
        Path | None, typer.Option("-o", "--output", help="File to write; default NAME.svg.")
    ] = None,
    as_json: options.AsJson = False,
) -> None:
    """Draw a network: hosts, switches, rates, latencies and buffers."""
    from contend.errors import StorageError
    from contend.lab import read_lab
    from contend.lab.picture import picture

    wanted = read_lab(lab)
    path = output_file or Path(f"{wanted.name}.svg")
    try:
        path.write_text(picture(wanted), encoding="utf-8")
    except OSError as error:
        raise StorageError.of(path, error) from None
    if as_json:
        output.show_json({"picture": str(path)})
    else:
        output.console().print(f"picture: {path}", markup=False)
