"""What other benchmarks measured, as samples or as measured contention graphs."""

from collections.abc import Sequence
from pathlib import Path

from contend.base.errors import FileFormatError
from contend.base.records import RecordStore
from contend.base.result import Line, Result, next_step
from contend.samples import SampleStore
from contend.samples.imports import imported, read_files
from contend.samples.messages import MessageSample
from contend.samples.reader import READERS, Reader, ReadOptions, recognise
from contend.simulate.graphs.saturation import added, is_foreign, read_foreign


def import_files(
    files: Sequence[Path],
    path: Path | None = None,
    options: ReadOptions | None = None,
    *,
    reader: str | None = None,
) -> Result:
    """Read files and append what is new to a file of samples, or of graphs.

    `path` is by default samples.jsonl, of files that time several messages at once graphs.jsonl. A
    file that cannot be read does not keep the others from being added; the exit code tells.

    >>> import_files([Path("osu_alltoall.txt")], Path("osu.jsonl"), ReadOptions(n=8)).data["new"]
    7
    """
    if reader is None and all(map(_is_of_graphs, files)):
        return _import_graphs(files, path or Path("graphs.jsonl"))
    file_of_samples, named = path or Path("samples.jsonl"), READERS.get(reader) if reader else None
    samples, unread = read_files(
        files, options or ReadOptions(), lambda file: named or _reader_of(file)
    )
    with SampleStore(file_of_samples) as store:
        result = imported(store.existing(), samples)
        store.extend(result.new)
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
    left_out = {str(file): str(error) for file, error in unread.items()}
    data = {"samples": file_of_samples, "new": len(result.new), "left_out": left_out}
    of_files = f" of {len(samples)} of {len(files)} files" if unread else ""
    line = Line(f"{len(result.new)} samples{of_files} added to {file_of_samples}")
    notes = [f"left out: {error}" for error in unread.values()]
    return Result(data, [line], code=bool(unread), warnings=warnings, notes=notes)


def _import_graphs(files: Sequence[Path], path: Path) -> Result:
    """Read saturation tests of platform-calibration and max-rate tests of BenchPress."""
    graphs = [graph for file in files for graph in read_foreign(file)]
    with RecordStore(MessageSample, path) as store:
        new = added(store.existing(), graphs)
        store.extend(new)
    repeated = len(graphs) - len(new)
    return Result(
        {"graphs": path, "new": len(new)},
        [Line(f"{len(new)} graphs added to {path}"), next_step("contend", "fit", path)],
        notes=[f"warning: {repeated} graphs were there already, left out"] if repeated else [],
    )


def _is_of_graphs(file: Path) -> bool:
    return file.is_file() and is_foreign(file)


def _reader_of(file: Path) -> Reader:
    """The reader that recognises a file, which is no set of graphs."""
    if is_foreign(file):
        raise FileFormatError(
            f"{file} times several messages at once, which are contention graphs",
            f"read it by itself: 'contend import {file} -o graphs.jsonl'",
        )
    return recognise(file)
