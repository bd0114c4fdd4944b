"""contend schema: the JSON Schema of both formats."""

from enum import Enum
from typing import Annotated

import typer

from contend.cli import output

ORDER = 8
EXAMPLE = "contend schema network"


class Format(str, Enum):
    """The two formats."""

    samples = "samples"
    network = "network"


def command(
    which: Annotated[Format, typer.Argument(help="Format to describe.")],
) -> None:
    """Print the JSON Schema of a line of a samples file, or of a network file."""
    from contend.schemas import schema_text

    output.console().print(schema_text(which.value), markup=False, end="")
