"""Where the samples behind a part of a network file come from."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from pydantic import Field

from contend import __version__
from contend.base.document import Record
from contend.base.textfile import read_bytes
from contend.samples.sample import Provenance


class Origin(Record):
    """Where the samples behind a network file come from."""

    contend_version: str
    created: str
    samples: str = Field(description="name of their file, or what they were called")
    samples_sha256: str = Field(description="of the file, or of the lines that one would have")
    sources: tuple[str, ...] = ()
    mpi_libraries: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    labs: tuple[str, ...] = Field((), description="emulated networks that samples were taken on")


class PartsOrigin(Record):
    """Where the samples behind some parts of a network file come from."""

    parts: tuple[str, ...] = Field(min_length=1, description="titles of the parts")
    origin: Origin


@dataclass(frozen=True)
class Unsaved:
    """Samples that no file holds: what they are called, and the lines that one would have."""

    name: str
    content: bytes


Source = str | Path | Unsaved  # a path, or samples in memory


def origin_of(provenances: Sequence[Provenance], source: Source) -> Origin:
    if not isinstance(source, Unsaved):
        source = Unsaved(Path(source).name, read_bytes(Path(source)))
    return Origin(
        contend_version=__version__,
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        samples=source.name,
        samples_sha256=hashlib.sha256(source.content).hexdigest(),
        sources=tuple(sorted({p.source for p in provenances})),
        mpi_libraries=tuple(sorted({p.mpi_library for p in provenances if p.mpi_library})),
        hosts=tuple(sorted({host for p in provenances for host in p.hosts})),
        labs=tuple(sorted({p.lab for p in provenances if p.lab})),
    )
