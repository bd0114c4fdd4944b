"""contend graph import: others' measurements of few messages at once to measured graphs."""

from pathlib import Path
from typing import Annotated

import typer

from contend.cli import options, output

ORDER = 3
EXAMPLE = "contend graph import taurus_saturation.csv.gz -o graphs.jsonl"


def command(
    files: Annotated[list[Path], typer.Argument(help="Files to read.")],
    output_file: Annotated[
        Path, typer.Option("-o", "--output", help="File of measured graphs to append to.")
    ] = Path("graphs.jsonl"),
    sizes: options.Sizes = None,
    most: Annotated[
        int | None, typer.Option(min=1, help="Most pairs of processes of a max-rate test.")
    ] = None,
    as_json: options.AsJson = False,
) -> None:
    """Read saturation tests of platform-calibration and max-rate tests of BenchPress.

    Both time k pairs of processes that send at once; 'contend graph fit' learns from them how
    messages share a network card. A file that was read before is left out.
    """
    from contend.errors import FileFormatError
    from contend.graphs.saturation import added, read_foreign
    from contend.samples.messages import MessageSample
    from contend.samples.store import RecordStore

    wanted = options.named_sizes(sizes)
    found: list[MessageSample] = []
    for file in files:
        graphs = read_foreign(file, most)
        found += [one for one in graphs if wanted is None or one.m in wanted]
    if not found:
        raise FileFormatError("no graph of the sizes asked for is there", "leave -m out")
    with RecordStore(MessageSample, output_file) as store:
        new = added(store.existing(), found)
        store.extend(new)
    if len(new) < len(found):
        output.note(f"warning: {len(found) - len(new)} graphs were there already, left out")
    if as_json:
        output.show_json({"graphs": str(output_file), "new": len(new)})
    else:
        output.console().print(f"{len(new)} graphs added to {output_file}", markup=False)
        output.note(output.following("contend", "graph", "fit", output_file))
