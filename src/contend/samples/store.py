"""Samples file: JSON Lines, a sample a line, kept as `contend.base.records` says."""

from pathlib import Path

from contend.base.records import RecordStore, read_records
from contend.samples.sample import Sample


def read_samples(path: str | Path) -> list[Sample]:
    """Samples of a file, in file order; a torn last line is warned of and skipped.

    Raise FileFormatError for a file that cannot be read, holds no sample, or has a bad line before
    the last.
    """
    return read_records(Sample, path, "measure first: contend measure --help")


class SampleStore(RecordStore[Sample]):
    """A samples file open for appending, by one process at a time.

    >>> with SampleStore("samples.jsonl") as store:  # doctest: +SKIP
    ...     store.append(sample)
    """

    def __init__(self, path: str | Path) -> None:
        super().__init__(Sample, path)
