"""contend import: other benchmarks' output to samples."""

from dataclasses import replace
from enum import StrEnum
from pathlib import Path

from contend.base.errors import FileFormatError
from contend.cli import output
from contend.cli.options import argument, option
from contend.cli.result import Line, Result
from contend.cli.sources import Form
from contend.samples import SampleStore
from contend.samples.imports import imported, read_files
from contend.samples.reader import READERS, Reader, recognise
from contend.simulate.graphs.saturation import is_foreign

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
    output_file: Path = option(
        "Samples file to append to.", "-o", "--output", default=Path("samples.jsonl")
    ),
    statistic: Statistic | None = option("What one time of a CSV is; default a repetition."),
) -> Result:
    """Read what OSU, IMB, ReproMPI and others measured, or any CSV with a column map.

    A file that cannot be read does not keep the others from being added; the exit code tells.
    """
    chosen = replace(form.options, statistic=statistic.value if statistic else None)
    named = READERS.get(form.reader) if form.reader else None
    found, unread = read_files(files, chosen, lambda file: named or _reader_of(file))
    with SampleStore(output_file) as store:
        result = imported(store.existing(), found)
        store.extend(result.new)
    for error in unread.values():
        output.note(f"left out: {error}")
    warnings = [
        f"{count} samples were there already, left out: those of {file}; another run with the same "
        "figures needs a file of another name"
        for file, count in result.left_out.items()
    ]
    warnings += [
        f"a file named {file.name} with other figures was imported before, so this is another "
        "launch; a run that has grown since belongs into a new samples file"
        for file in result.changed
    ]
    left = {str(file): str(error) for file, error in unread.items()}
    data = {"samples": output_file, "new": len(result.new), "left_out": left}
    what = f" of {len(found)} of {len(files)} files" if unread else ""
    line = Line(f"{len(result.new)} samples{what} added to {output_file}")
    return Result(data, [line], code=bool(unread), warnings=warnings)


def _reader_of(file: Path) -> Reader:
    """The reader that recognises a file, which is no set of graphs."""
    if is_foreign(file):
        raise FileFormatError(
            f"{file} times several messages at once, which are contention graphs",
            f"read it by 'contend graph import {file} -o graphs.jsonl'",
        )
    return recognise(file)
