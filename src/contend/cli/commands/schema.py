"""contend schema: the JSON Schema of each format."""

from enum import StrEnum

from contend.api.schemas import schema_text
from contend.cli import output
from contend.cli.options import argument

ORDER = 8
PANEL = "Inspect"
EXAMPLE = "contend schema network"


class Format(StrEnum):
    """The formats."""

    samples = "samples"
    network = "network"
    topology = "topology"
    decisions = "decisions"
    sweep = "sweep"
    verified = "verified"
    watch = "watch"


def command(
    which: Format = argument("Format to describe."),
) -> None:
    """Print the JSON Schema of a line of a samples file, or of another format."""
    output.console().print(schema_text(which.value), markup=False, end="")
