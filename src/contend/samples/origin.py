"""Where the samples behind a part of a network file come from."""

import hashlib
from collections.abc import Sequence
from datetime import datetime, timezone
from pathlib import Path

from pydantic import Field

from contend import __version__
from contend.document import Record
from contend.samples.sample import Provenance


class Origin(Record):
    """Where the samples behind a network file come from."""

    contend_version: str
    created: str
    samples: str = Field(description="file name")
    samples_sha256: str
    sources: tuple[str, ...] = ()
    mpi_libraries: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    labs: tuple[str, ...] = Field((), description="emulated networks that samples were taken on")


class PartsOrigin(Record):
    """Where the samples behind some parts of a network file come from."""

    parts: tuple[str, ...] = Field(min_length=1, description="titles of the parts")
    origin: Origin


def origin_of(provenances: Sequence[Provenance], source: str | Path) -> Origin:
    """Origin of samples that were read from the file `source`."""
    path = Path(source)
    return Origin(
        contend_version=__version__,
        created=datetime.now(timezone.utc).isoformat(timespec="seconds"),
        samples=path.name,
        samples_sha256=hashlib.sha256(path.read_bytes()).hexdigest(),
        sources=tuple(sorted({p.source for p in provenances})),
        mpi_libraries=tuple(sorted({p.mpi_library for p in provenances if p.mpi_library})),
        hosts=tuple(sorted({host for p in provenances for host in p.hosts})),
        labs=tuple(sorted({p.lab for p in provenances if p.lab})),
    )
