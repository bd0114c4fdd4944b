"""How busy each link of a lab was over time, and the file that keeps it.

The file is JSON Lines: a header that names the links, then lines with the bytes that each has
carried since its switch started, appended while a campaign runs. A campaign that starts several
labs one after the other, or goes on later, has a header for each. A torn last line, left by a
process that was killed, is left out.
"""

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np

from contend.document import Floats
from contend.errors import FileFormatError, InvalidInputError, StorageError
from contend.lab.specification import Lab

FILE_NAME = "utilisation.jsonl"
SCHEMA, VERSION = "contend.utilisation", 1


@dataclass(frozen=True)
class Utilisation:
    """Bytes (k, l) that each of l links carried in each of k intervals.

    `times` (k + 1,) are the edges of the intervals, seconds since the start.
    """

    times: Floats
    links: tuple[str, ...]
    bytes: Floats

    def share(self, lab: Lab) -> Floats:
        """Share (k, l) of each link's capacity that was used; NaN where it is unlimited."""
        rates = {link.name: link.rate_bits for link in lab.links()}
        if unknown := [name for name in self.links if name not in rates]:
            raise InvalidInputError(
                f"lab {lab.name!r} has no link {unknown[0]!r}", "give the lab that was measured"
            )
        known = [rates[name] for name in self.links]
        capacity = np.array([np.nan if rate is None else rate / 8 for rate in known])
        result: Floats = self.bytes / (np.diff(self.times)[:, None] * capacity)
        return result

    def coarser(self, most: int) -> "Utilisation":
        """The same in at most so many intervals, neighbours taken together."""
        count = len(self.bytes)
        if count <= most:
            return self
        starts = np.arange(0, count, -(-count // most))
        edges = np.append(self.times[starts], self.times[-1])
        return Utilisation(edges, self.links, np.add.reduceat(self.bytes, starts, axis=0))


def joined(runs: Sequence[Utilisation]) -> Utilisation:
    """Runs one after the other, as if no time had passed between; those of the last one's links.

    >>> run = Utilisation(np.array([0.0, 2.0]), ("up:a1",), np.array([[10.0]]))
    >>> joined([run, run]).times.tolist()
    [0.0, 2.0, 4.0]
    """
    if not runs:
        raise InvalidInputError("no utilisation", "measure in a lab first")
    alike = [run for run in runs if run.links == runs[-1].links]
    lengths = np.concatenate([np.diff(run.times) for run in alike])
    times = np.concatenate([[0.0], np.cumsum(lengths)])
    return Utilisation(times, runs[-1].links, np.concatenate([run.bytes for run in alike]))


class UtilisationFile:
    """A utilisation file open for appending one run.

    >>> with UtilisationFile("utilisation.jsonl", lab) as file:  # doctest: +SKIP
    ...     file.append(0.0, counters)
    """

    def __init__(self, path: str | Path, lab: Lab) -> None:
        self.path = Path(path)
        self.links = [link.name for link in lab.links()]
        header = {"schema": SCHEMA, "version": VERSION, "lab": lab.name, "links": self.links}
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._file = self.path.open("ab")
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
        content = self.path.read_bytes()
        if content and not content.endswith(b"\n"):
            os.truncate(self.path, content.rfind(b"\n") + 1)

    def close(self) -> None:
        """Release the file; nothing is pending."""
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


def read_utilisation(path: str | Path) -> list[Utilisation]:
    """The runs of a file that have an interval, in file order; none where there is no file.

    Raises
    ------
    FileFormatError
        For a file that cannot be read, or that has a line that is not what it should be.
    """
    try:
        lines = Path(path).read_text(encoding="utf-8").split("\n")[:-1]
    except FileNotFoundError:
        return []
    except (OSError, UnicodeDecodeError) as error:
        raise FileFormatError(f"cannot read {path}: {error}", "check the file") from None
    runs: list[_Run] = []
    for number, line in enumerate(lines, start=1):
        try:
            _take(json.loads(line), runs)
        except (ValueError, TypeError, KeyError, IndexError) as error:
            raise FileFormatError(
                f"{path} line {number} tells no utilisation: {error}", "remove the line"
            ) from None
    return [run.finish() for run in runs if len(run.times) > 1]


@dataclass
class _Run:
    """A run while it is read: bytes since its start at each time."""

    links: tuple[str, ...]
    times: list[float]
    carried: list[list[int]]

    def finish(self) -> Utilisation:
        times, carried = np.array(self.times), np.array(self.carried, dtype=np.float64)
        return Utilisation(times - times[0], self.links, np.diff(carried, axis=0))


def _take(content: Any, runs: list[_Run]) -> None:
    """Add what a line holds."""
    if "schema" in content:
        if (content["schema"], content["version"]) != (SCHEMA, VERSION):
            raise ValueError(f"not {SCHEMA!r} version {VERSION}")
        runs.append(_Run(tuple(map(str, content["links"])), [], []))
        return
    if not runs:
        raise ValueError("no header before it")
    run, time, carried = runs[-1], float(content["t"]), [int(count) for count in content["bytes"]]
    if len(carried) != len(run.links):
        raise ValueError(f"{len(carried)} values for {len(run.links)} links")
    if run.times and time <= run.times[-1]:
        raise ValueError("time does not go forward")
    if run.carried and any(now < then for now, then in zip(carried, run.carried[-1], strict=True)):
        raise ValueError("bytes are fewer than before")
    run.times.append(time)
    run.carried.append(carried)
