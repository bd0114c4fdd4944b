"""Programs that a test starts and does something to, of which nothing is left when it fails."""

import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any


@contextmanager
def started(words: Sequence[Any], **options: Any) -> Iterator["subprocess.Popen[Any]"]:
    """The program, as Popen starts it; killed at the end where it still runs, its pipes closed.

    One that a failed test left open would be found when its memory is reclaimed: in a test that
    has nothing to do with it.
    """
    with subprocess.Popen(words, **options) as process:
        try:
            yield process
        finally:
            process.kill()
