"""Samples of foreign files beside those that are there: each file a launch of its own, once.

Idea: a file is known by its name and what it holds. The same again, wherever it lies, is the same
measurement and is left out; equal digits in a file of another name are another run, and so are two
files named in one command. A file that holds other things than one of its name did is a launch of
its own too, with a note: a run may have grown. Launches of a file, which are counted from 0 in
it, are counted on from those of the same series.
Restriction: samples that hold no checksum are known by the name of the file alone.
"""

import hashlib
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from contend.base.errors import ContendError, FileFormatError, InvalidInputError
from contend.base.textfile import open_file
from contend.samples.reader import Reader, ReadOptions, recognise
from contend.samples.sample import Sample


def read_files(
    files: Sequence[Path], options: ReadOptions, reader_of: Callable[[Path], Reader] = recognise
) -> tuple[list[tuple[Path, list[Sample]]], dict[Path, ContendError]]:
    """Samples of the files that can be read, and why the others cannot.

    Raise ContendError that says why the first cannot, where none can.
    """
    runs, unread = [], dict[Path, ContendError]()
    for file in files:
        try:
            runs.append((file, list(reader_of(file).read(file, options))))
        except (FileFormatError, InvalidInputError) as error:
            unread[file] = error
    if unread and not runs:
        raise next(iter(unread.values()))
    return runs, unread


@dataclass
class Imported:
    """Samples to add, and of each file that was there before how many were left out.

    `changed` are files that were there by name, and held something else.
    """

    new: list[Sample] = field(default_factory=list)
    left_out: dict[Path, int] = field(default_factory=dict)
    changed: list[Path] = field(default_factory=list)


def imported(
    existing: Sequence[Sample], files: Sequence[tuple[Path, Sequence[Sample]]]
) -> Imported:
    """What the samples that were read from `files` add to the existing ones."""
    imported, existing_samples = Imported(), _Known(existing)
    seen: set[Path] = set()
    for path, samples in files:
        if path.resolve() in seen:
            imported.left_out[path] = len(samples)
            continue
        seen.add(path.resolve())
        marked = _with_checksum(path, samples)
        new, before = existing_samples.without(marked)
        if existing_samples.has_other_of_the_name(new):
            imported.changed.append(path)
        if len(new) < len(marked):
            imported.left_out[path] = len(marked) - len(new)
        imported.new += existing_samples.numbered(new, before)
    return imported


class _Known:
    """Samples of a file by what they are, and the launches that are taken."""

    def __init__(self, existing: Sequence[Sample]) -> None:
        self._points = {sample.point for sample in existing}
        self._launches: dict[Hashable, list[int]] = {}
        self._last: dict[Hashable, int] = {}
        self._sums: dict[Hashable, set[str | None]] = {}
        for sample in existing:
            self._sums.setdefault(_origin(sample), set()).add(sample.provenance.file_sha256)
            self._launches.setdefault(_keys(sample)[0], []).append(sample.launch)
            self._last[sample.series] = max(self._last.get(sample.series, -1), sample.launch)

    def has_other_of_the_name(self, samples: Sequence[Sample]) -> bool:
        """Whether the same series of a file of this name, but of other content, is there."""
        return any(
            not self._sums.get(_origin(sample), set()) <= {None, sample.provenance.file_sha256}
            for sample in samples
        )

    def without(self, samples: Sequence[Sample]) -> tuple[list[Sample], int | None]:
        """Samples that are not there, and the first launch of the file where some are."""
        new: list[Sample] = []
        first: int | None = None
        for sample in samples:
            taken = next(filter(None, map(self._launches.get, _keys(sample))), None)
            if not taken:
                new.append(sample)
                continue
            launch = taken.pop(0) - sample.launch
            first = launch if first is None else first
        return new, first

    def numbered(self, samples: Sequence[Sample], before: int | None) -> list[Sample]:
        """The samples with launches of their own; those after `before` where these are free."""
        first = 1 + max((self._last.get(sample.series, -1) for sample in samples), default=-1)
        if before is not None:
            wanted = {_moved(sample, before).point for sample in samples}
            first = first if before < 0 or wanted & self._points else before
        moved = [_moved(sample, first) for sample in samples]
        for sample in moved:
            self._points.add(sample.point)
            self._last[sample.series] = max(self._last.get(sample.series, -1), sample.launch)
        return moved


def _keys(sample: Sample) -> tuple[Hashable, Hashable]:
    """What a sample is known by, and the same without a checksum."""
    about = (sample.series, sample.m, sample.statistic, sample.times_s)
    source = sample.provenance.source
    return (source, sample.provenance.file_sha256, *about), (source, None, *about)


def _origin(sample: Sample) -> Hashable:
    return (sample.provenance.source, sample.series)


def _moved(sample: Sample, launches: int) -> Sample:
    return sample.model_copy(update={"launch": sample.launch + launches})


def _with_checksum(path: Path, samples: Sequence[Sample]) -> list[Sample]:
    with open_file(path, allow_pipe=False) as file:
        checksum = hashlib.file_digest(file, "sha256").hexdigest()
    return [
        sample.model_copy(
            update={"provenance": sample.provenance.model_copy(update={"file_sha256": checksum})}
        )
        for sample in samples
    ]
