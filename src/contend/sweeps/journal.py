"""Cases that are under way, in a file beside the results, for a sweep that is killed.

Where MPI ends the whole job with a rank that died, or the machine ends the sweep itself, the next
one finds which cases were under way: they are begun again one at a time after all others, and one
that was under way too often is reported. A sweep that ends, or is stopped, leaves no such file.
"""

import hashlib
import json
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from contend.errors import StorageError
from contend.wholefile import is_special, unfinished, write_whole


class Journal:
    """How often the case of each key was begun and not ended; a context for a sweep."""

    def __init__(self, beside: str | Path | None) -> None:
        path = None if beside is None else Path(beside)
        is_kept = path is not None and not is_special(path)
        self.path = path.with_name(f".{path.name}.under-way") if path and is_kept else None
        self._begun: dict[str, int] = {}
        with suppress(OSError, ValueError, AttributeError):  # none, or torn as it was written
            if self.path is not None:
                found = json.loads(self.path.read_text())
                self._begun = {str(key): int(times) for key, times in found.items()}
        self._before = dict(self._begun)

    def deaths(self, key: str) -> int:
        """How often a sweep was killed while the case was under way."""
        return self._before.get(_short(key), 0)

    def begin(self, key: str) -> None:
        """Note that a case is under way."""
        self._begun[_short(key)] = self._begun.get(_short(key), 0) + 1
        self._write()

    def end(self, key: str) -> None:
        """Note that a case has its result."""
        self._begun.pop(_short(key), None)
        self._write()

    def _write(self) -> None:
        if self.path is None:
            return
        with suppress(StorageError):  # results are kept all the same
            write_whole(self.path, json.dumps(self._begun))

    def __enter__(self) -> "Journal":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Forget what was under way: nobody was killed. Nor does what one that was left remain."""
        if self.path is not None:
            for path in (self.path, *unfinished(self.path)):
                with suppress(OSError):
                    path.unlink()


def _short(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()
