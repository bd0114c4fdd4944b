"""contend lab links: the links of an emulated network as a topology."""

from pathlib import Path

from contend.api import write_lab_links
from contend.cli import output
from contend.cli.commands.lab.run import Name
from contend.cli.options import option

ORDER = 2
EXAMPLE = "contend lab links two-clusters -o links.json"


def command(
    lab: Name,
    output_file: Path | None = option("Topology file; default NAME.links.json.", "-o", "--output"),
) -> None:
    """Write the links of a network, with their buffers, as a topology for contend replay."""
    path = write_lab_links(lab, output_file)
    output.note(f"written to {path}; next: contend replay trace --network FILE --topology {path}")
