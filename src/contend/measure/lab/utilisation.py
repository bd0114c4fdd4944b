"""How busy each link of a lab was over time, and the file that keeps it.

The file lies beside the samples file of a campaign. It is JSON Lines: a header with the lab's
specification, then lines with the bytes that each of its links has carried since the switch
started, appended while a campaign runs. A campaign that goes on later has a header for each run. A
torn last line, left by a process that was killed, is left out.
"""

import json
import os
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np

from contend.base.document import Floats
from contend.base.errors import ContendError, FileFormatError, InvalidInputError, StorageError
from contend.base.textfile import read_text
from contend.measure.lab.session import RunningLab
from contend.measure.lab.specification import Lab
from contend.samples import Sample

SCHEMA, VERSION = "contend.utilisation", 1
INTERVAL = 0.5  # seconds between the lines of a run


def path_beside(samples: str | Path) -> Path:
    """The utilisation file of a samples file.

    >>> path_beside("study/samples.jsonl").as_posix()
    'study/samples.utilisation.jsonl'
    """
    return Path(samples).with_suffix(f".utilisation{Path(samples).suffix}")


@dataclass(frozen=True)
class Utilisation:
    """Bytes (k, l) that each of the l links of a lab carried in each of k intervals.

    `times` (k + 1,) are the edges of the intervals, seconds since the start.
    """

    lab: Lab
    times: Floats
    bytes: Floats

    @property
    def links(self) -> tuple[str, ...]:
        return tuple(link.name for link in self.lab.links())

    @property
    def share(self) -> Floats:
        """Share (k, l) of each link's capacity that was used; NaN where it is unlimited."""
        rates = [link.rate_bits for link in self.lab.links()]
        capacity = np.array([np.nan if rate is None else rate / 8 for rate in rates])
        result: Floats = self.bytes / (np.diff(self.times)[:, None] * capacity)
        return result

    def coarser(self, most: int) -> "Utilisation":
        """The same in at most so many intervals, neighbours taken together."""
        count = len(self.bytes)
        if count <= most:
            return self
        starts = np.arange(0, count, -(-count // most))
        edges = np.append(self.times[starts], self.times[-1])
        return Utilisation(self.lab, edges, np.add.reduceat(self.bytes, starts, axis=0))


def joined(runs: Sequence[Utilisation]) -> Utilisation:
    """Runs one after the other, as if no time had passed between; those of the last one's lab."""
    if not runs:
        raise InvalidInputError("no utilisation", "measure in a lab first")
    alike = [run for run in runs if run.lab == runs[-1].lab]
    lengths = np.concatenate([np.diff(run.times) for run in alike])
    times = np.concatenate([[0.0], np.cumsum(lengths)])
    return Utilisation(runs[-1].lab, times, np.concatenate([run.bytes for run in alike]))


def lab_of(samples: Sequence[Sample], runs: Sequence[Utilisation]) -> Lab | None:
    """The emulated network of the samples, as it was when they were last added to."""
    used = {(sample.provenance.lab, sample.provenance.time_dilation) for sample in samples}
    labs = [run.lab for run in runs if (run.lab.name, run.lab.time_dilation) in used]
    return labs[-1] if labs else None


class UtilisationFile:
    """A utilisation file open for appending one run.

    >>> with UtilisationFile(path_beside("samples.jsonl"), lab) as file:  # doctest: +SKIP
    ...     file.append(0.0, counters)
    """

    def __init__(self, path: str | Path, lab: Lab) -> None:
        self.path = Path(path)
        self.links = [link.name for link in lab.links()]
        header = {"schema": SCHEMA, "version": VERSION, "lab": lab.model_dump(mode="json")}
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._file = self.path.open("a+b")
            self._remove_torn_line()
            self._write(header)
        except OSError as error:
            raise StorageError.of(self.path, error) from None

    def append(self, seconds: float, counters: Mapping[str, int]) -> None:
        """Write what the switch's counters `bytes:LINK` are, `seconds` after the start."""
        carried = [counters[f"bytes:{name}"] for name in self.links]
        try:
            self._write({"t": round(seconds, 6), "bytes": carried})
        except OSError as error:
            raise StorageError.of(self.path, error) from None

    def _write(self, content: dict[str, Any]) -> None:
        self._file.write(json.dumps(content, separators=(",", ":")).encode() + b"\n")
        self._file.flush()

    def _remove_torn_line(self) -> None:
        self._file.seek(0)
        content = self._file.read()
        if content and not content.endswith(b"\n"):
            os.ftruncate(self._file.fileno(), content.rfind(b"\n") + 1)

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> "UtilisationFile":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


@contextmanager
def record(running: RunningLab, path: Path) -> Iterator[None]:
    """Append the bytes of every link to `path` every half second, and at the end."""
    stop = threading.Event()

    def work() -> None:
        began = time.monotonic()
        try:
            with UtilisationFile(path, running.lab) as file:
                while True:
                    is_last = stop.is_set()
                    file.append(time.monotonic() - began, running.counters())
                    if is_last:
                        return
                    stop.wait(INTERVAL)
        except ContendError:
            return  # the lab has ended, or the disk is full: whoever measures says so

    thread = threading.Thread(target=work, name="utilisation", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def read_utilisation(path: str | Path) -> list[Utilisation]:
    """The runs of a file that carried anything, in file order; none where there is no file.

    Raise FileFormatError for a file that cannot be read, or that has a line that is not what it
    should be.
    """
    if not Path(path).exists():
        return []
    lines = read_text(Path(path)).split("\n")[:-1]
    runs: list[_Run] = []
    for number, line in enumerate(lines, start=1):
        try:
            _take(json.loads(line), runs)
        except (ValueError, TypeError, KeyError, IndexError) as error:
            raise FileFormatError(
                f"{path} line {number} tells no utilisation: {error}", "remove the line"
            ) from None
    return [run.finish() for run in runs if run.has_carried]


@dataclass
class _Run:
    """A run while it is read: bytes since its start at each time."""

    lab: Lab
    times: list[float]
    carried: list[list[int]]

    @property
    def has_carried(self) -> bool:
        return len(self.times) > 1 and self.carried[0] != self.carried[-1]

    def finish(self) -> Utilisation:
        times, carried = np.array(self.times), np.array(self.carried, dtype=np.float64)
        return Utilisation(self.lab, times - times[0], np.diff(carried, axis=0))


def _take(content: Any, runs: list[_Run]) -> None:
    if "schema" in content:
        if (content["schema"], content["version"]) != (SCHEMA, VERSION):
            raise ValueError(f"not {SCHEMA!r} version {VERSION}")
        runs.append(_Run(Lab.model_validate(content["lab"]), [], []))
        return
    if not runs:
        raise ValueError("no header before it")
    run, time, carried = runs[-1], float(content["t"]), [int(count) for count in content["bytes"]]
    if len(carried) != (links := len(run.lab.links())):
        raise ValueError(f"{len(carried)} values for {links} links")
    if run.times and time <= run.times[-1]:
        raise ValueError("time does not go forward")
    if run.carried and any(now < then for now, then in zip(carried, run.carried[-1], strict=True)):
        raise ValueError("bytes are fewer than before")
    run.times.append(time)
    run.carried.append(carried)
