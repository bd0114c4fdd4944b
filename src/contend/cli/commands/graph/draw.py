"""contend graph draw: a picture of a contention graph, and of what its messages do over time."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from contend.cli import options, output
from contend.cli.commands.graph.solve import USUAL, Model

if TYPE_CHECKING:
    from contend.sharing import Solution

ORDER = 2
EXAMPLE = "contend graph draw flows.csv --bandwidth 1Gbit/s -o graph.svg"
MOST_MESSAGES = 5000  # rates over time of twice as many can fill the memory
SUFFIXES = (".svg", ".png", ".html")
DOTS_PER_INCH = 192  # twice those of the drawing


def command(
    flows_file: Annotated[
        Path, typer.Argument(help="CSV or JSON: src, dst, bytes, perhaps start and latency.")
    ],
    bandwidth: Annotated[
        str, typer.Option(help="Of a message that is alone, e.g. 1Gbit/s or 1.82GB/s.")
    ],
    model: Annotated[Model, typer.Option(help="How messages share it.")] = USUAL,
    title: Annotated[str | None, typer.Option(help="Default: the name of the file.")] = None,
    output_file: Annotated[
        Path | None,
        typer.Option("-o", "--output", help=".svg, .png or .html; default: as the file, .svg."),
    ] = None,
    as_json: options.AsJson = False,
) -> None:
    """Draw hosts and messages, and the rate of each message over time, on one switch.

    Beyond 60 messages the picture shows how busy each host is. A page of HTML tells rate, penalty
    and bytes of each step.
    """
    from contend.errors import InvalidInputError
    from contend.sharing import solve
    from contend.sharing.reader import read_flows
    from contend.units import format_rate, parse_rate

    path = output_file or flows_file.with_suffix(".svg")
    if path.suffix not in SUFFIXES:
        remedy = f"use {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}"
        raise InvalidInputError(f"a picture as {path.suffix or path.name!r}", remedy)
    table, rate = read_flows(flows_file), parse_rate(bandwidth)
    if len(table) > MOST_MESSAGES:
        raise InvalidInputError(
            f"a picture of {len(table)} messages",
            f"draw at most {MOST_MESSAGES}; 'contend graph solve' takes any number",
        )
    solution = solve(table, model.value, bandwidth=rate / 8, is_recorded=True)
    note = f"{_messages(solution)}; {model.value}, {format_rate(rate)} alone"
    _write(path, solution, title or flows_file.stem, note)
    if as_json:
        found = {"picture": str(path), "model": model.value, "messages": len(table)}
        output.show_json(found | {"seconds": float(solution.end.max())})
    else:
        output.console().print(f"picture: {path}", markup=False)


def _messages(solution: "Solution") -> str:
    """How many, how large, and when the last one ends."""
    from contend.units import format_bytes, format_seconds

    sizes = solution.flows.bytes
    low, high = format_bytes(float(sizes.min())), format_bytes(float(sizes.max()))
    size = low if low == high else f"{low} to {high}"
    count = f"{len(sizes)} messages" if len(sizes) > 1 else "one message"
    return f"{count} of {size}, the last one ends at {format_seconds(float(solution.end.max()))}"


def _write(path: Path, solution: "Solution", title: str, note: str) -> None:
    import warnings

    from contend.errors import StorageError
    from contend.sharing.picture import drawing, figure, page, svg

    try:
        if path.suffix == ".html":
            path.write_text(page(solution, title, note), encoding="utf-8")
        elif path.suffix == ".svg":
            path.write_text(f"{svg(drawing(solution, title, note))}\n", encoding="utf-8")
        else:
            with warnings.catch_warnings():
                warnings.filterwarnings("ignore", message="Glyph")  # a box stands for the letter
                figure(drawing(solution, title, note)).savefig(path, dpi=DOTS_PER_INCH)
    except OSError as error:
        raise StorageError.of(path, error) from None
