"""contend graph penalties: what each message of a measured graph loses to the others."""

from typing import Annotated

import typer

from contend.cli import options, output

ORDER = 5
EXAMPLE = "contend graph penalties network.json"


def command(
    network_file: options.NetworkFile,
    most: Annotated[int, typer.Option("--edges", min=1, help="Shapes of up to so many.")] = 4,
    as_json: options.AsJson = False,
) -> None:
    """Show the measured penalties of each connected shape, with their intervals.

    They are those of the first step, while all messages are under way, and follow from the ends by
    the inverse method. Where the later steps of a shape were not measured as graphs of their own,
    the fallback model stands in for them.
    """
    from contend.cli.graphs import penalty_table, sharing_of, unusable

    fitted = sharing_of(network_file)
    shapes = [shape for shape in fitted.measured if len(shape.edges) <= most]
    if as_json:
        output.show_json([shape.model_dump(mode="json", exclude_none=True) for shape in shapes])
        return
    title = f"later steps: {fitted.fallback}"
    kinds = {shape.bounds for shape in shapes if shape.bounds}
    title += f"; intervals: {', '.join(sorted(kinds))}" if kinds else ""
    output.show_table(penalty_table(shapes), title)
    if not fitted.known(fitted.fallback).is_usable:
        output.note(unusable(fitted.known(fitted.fallback)))
    if left := len(fitted.measured) - len(shapes):
        output.note(f"{left} larger shapes; --edges shows more")
