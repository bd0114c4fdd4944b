"""contend graph import: others' measurements of few messages at once to measured graphs."""

from pathlib import Path

from contend.base.errors import FileFormatError
from contend.base.records import RecordStore
from contend.cli import options, output
from contend.cli.options import argument, option
from contend.cli.result import Line, Result
from contend.samples.messages import MessageSample
from contend.simulate.graphs.saturation import added, read_foreign

ORDER = 3
EXAMPLE = "contend graph import taurus_saturation.csv.gz -o graphs.jsonl"


def command(
    files: list[Path] = argument("Files to read."),
    output_file: Path = option(
        "File of measured graphs to append to.", "-o", "--output", default=Path("graphs.jsonl")
    ),
    sizes: options.Sizes = None,
) -> Result:
    """Read saturation tests of platform-calibration and max-rate tests of BenchPress.

    Both time k pairs of processes that send at once; 'contend graph fit' learns from them how
    messages share a network card. A file that was read before is left out.
    """
    wanted = options.named_sizes(sizes)
    read = [one for file in files for one in read_foreign(file)]
    found = [one for one in read if wanted is None or one.m in wanted]
    if not found:
        raise FileFormatError("no graph of the sizes asked for is there", "leave -m out")
    with RecordStore(MessageSample, output_file) as store:
        new = added(store.existing(), found)
        store.extend(new)
    if len(new) < len(found):
        output.note(f"warning: {len(found) - len(new)} graphs were there already, left out")
    return Result(
        {"graphs": output_file, "new": len(new)},
        [
            Line(f"{len(new)} graphs added to {output_file}"),
            output.following("contend", "graph", "fit", output_file),
        ],
    )
