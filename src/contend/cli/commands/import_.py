"""contend import: other benchmarks' output to samples, or to measured contention graphs."""

from dataclasses import replace
from enum import StrEnum
from pathlib import Path

from contend.api import import_files
from contend.cli.options import argument, option
from contend.cli.result import Result
from contend.cli.sources import Form

ORDER = 2
PANEL = "Measure"
EXAMPLE = "contend import osu_alltoall.txt -n 32 -o samples.jsonl"


class Statistic(StrEnum):
    """What one entry of a column of times may be."""

    repetition = "repetition"
    mean = "mean"
    median = "median"
    minimum = "minimum"


def command(
    form: Form,
    files: list[Path] = argument("Files to read."),
    output_file: Path | None = option(
        "File to append to; default samples.jsonl, of several messages at once graphs.jsonl.",
        "-o",
        "--output",
    ),
    statistic: Statistic | None = option("What one time of a CSV is; default a repetition."),
) -> Result:
    """Read what OSU, IMB, ReproMPI and others measured, or any CSV with a column map.

    A file that cannot be read does not keep the others from being added; the exit code tells. Of
    saturation tests of platform-calibration and max-rate tests of BenchPress, which time pairs of
    processes that send at once, 'contend fit' learns how messages share a network card.
    """
    chosen = replace(form.options, statistic=statistic.value if statistic else None)
    return import_files(files, output_file, chosen, reader=form.reader)
