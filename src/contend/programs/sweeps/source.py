"""The trace of a sweep, as workers read it: by its path, once in each process.

A trace that is only in memory is written to a file of its own for as long as the sweep runs; a
generated one is a word (patterns.py).
"""

import hashlib
import pickle
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from contend.base.errors import FileFormatError
from contend.base.textfile import open_file
from contend.base.wholefile import write_whole
from contend.programs.sweeps.patterns import is_pattern
from contend.programs.traces.reader import read_trace
from contend.programs.traces.trace import COLUMNS, Trace

IN_MEMORY = "a trace in memory"


@dataclass(frozen=True)
class Source:
    """Where a trace is, and what it holds; `is_kept` says that this module wrote the file."""

    name: str
    sha256: str
    path: str
    format: str | None = None
    speed: float | None = None
    is_kept: bool = False
    folder: str = ""  # where relative names of files begin; workers may be elsewhere

    @property
    def is_pattern(self) -> bool:
        """Whether it is generated, for any number of ranks."""
        return is_pattern(self.path)

    def read(self) -> Trace:
        if not self.is_kept:
            return read_trace(self.path, self.format, self.speed)
        with Path(self.path).open("rb") as file:
            trace = pickle.load(file)
        assert isinstance(trace, Trace)
        return trace


@contextmanager
def source_of(
    trace: str | Path | Trace, format: str | None = None, speed: float | None = None
) -> Iterator[Source]:
    folder = str(Path.cwd())
    if isinstance(trace, Trace):
        with tempfile.TemporaryDirectory(prefix="contend-sweep-") as place:
            path = Path(place, "trace.pickle")
            write_whole(path, pickle.dumps(trace, protocol=pickle.HIGHEST_PROTOCOL))
            yield Source(IN_MEMORY, _checksum_of(trace), str(path), is_kept=True, folder=folder)
        return
    name = str(trace)
    if is_pattern(name):
        yield Source(name, hashlib.sha256(name.encode()).hexdigest(), name, folder=folder)
        return
    path = Path(name)
    if not path.exists():
        raise FileFormatError(f"there is no file {path}", "name a file or folder that exists")
    parse = f"{format or ''}|{speed or ''}|".encode()
    yield Source(name, checksum(path, parse), str(Path(folder, path)), format, speed, folder=folder)


def checksum(path: str | Path, first: bytes = b"") -> str:
    """SHA-256 of a file, or of names and contents of all files of a folder."""
    path, digest = Path(path), hashlib.sha256(first)
    try:
        if path.is_dir():
            for file in sorted(entry for entry in path.rglob("*") if entry.is_file()):
                digest.update(f"{file.relative_to(path)}|{checksum(file)}|".encode())
        else:
            with open_file(path, allow_pipe=False) as content:
                while block := content.read(1 << 20):
                    digest.update(block)
    except OSError as error:
        raise FileFormatError(f"cannot read {path}: {error.strerror}", "name a file") from None
    return digest.hexdigest()


def _checksum_of(trace: Trace) -> str:
    digest = hashlib.sha256()
    for name in COLUMNS:
        value = getattr(trace, name)
        for part in value if isinstance(value, tuple) else (value,):
            content = part.tobytes() if isinstance(part, np.ndarray) else repr(part).encode()
            digest.update(f"{name}|{len(content)}|".encode() + content)
    return digest.hexdigest()
