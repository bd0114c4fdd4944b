"""A command of the documents, run by a shell that finds this project's `contend` and `python`."""

import os
import shlex
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType


class FailedError(Exception):
    """What a command printed that did not end well."""


def run(
    command: str, folder: Path, home: Path, given: Mapping[str, str] = MappingProxyType({})
) -> str:
    """What it prints, in a folder, with more in its environment."""
    paths = {"PATH": [str(Path(sys.executable).parent)], "PYTHONPATH": [str(home)]}
    found = {
        name: os.pathsep.join([*first, *filter(None, [os.environ.get(name)])])
        for name, first in paths.items()
    }
    words = ["bash", "-euo", "pipefail", "-c", command]
    folder.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(
        words,
        cwd=folder,
        env={**os.environ, **found, **given},
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    if done.returncode:
        raise FailedError(f"exit code {done.returncode}: {shlex.join(words)}\n{done.stdout}")
    return done.stdout
