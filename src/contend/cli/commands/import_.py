"""contend import: other benchmarks' output to samples, or to measured contention graphs."""

from pathlib import Path

from contend.api import import_files
from contend.cli.options import argument, option
from contend.cli.result import Result
from contend.cli.sources import Form

ORDER = 2
PANEL = "Measure"
EXAMPLE = "contend import osu_alltoall.txt -n 32 -o samples.jsonl"


def command(
    form: Form,
    files: list[Path] = argument("Files to read."),
    output_file: Path | None = option(
        "File to append to; default samples.jsonl, of several messages at once graphs.jsonl.",
        "-o",
        "--output",
    ),
) -> Result:
    """Read what OSU, IMB, ReproMPI and others measured, or any CSV with a column map.

    Algorithms of an MPI library are named as openmpi:chain, what it takes by default as native.
    A file that cannot be read does not keep the others from being added; the exit code tells. Of
    saturation tests of platform-calibration and max-rate tests of BenchPress, which time pairs of
    processes that send at once, 'contend fit' learns how messages share a network card.
    """
    return import_files(files, output_file, form.options, reader=form.reader)
