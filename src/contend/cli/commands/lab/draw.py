"""contend lab draw: a picture of an emulated network."""

from pathlib import Path

from contend.api import draw_lab
from contend.cli.commands.lab.run import Name
from contend.cli.options import option
from contend.cli.result import Result

ORDER = 3
EXAMPLE = "contend lab draw two-clusters -o two-clusters.svg"


def command(
    lab: Name,
    output_file: Path | None = option(
        ".svg, .png, .pdf, .html; default NAME.svg.", "-o", "--output"
    ),
) -> Result:
    """Draw a network: hosts, switches, rates, latencies and buffers."""
    return draw_lab(lab, output_file)
