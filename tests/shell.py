"""A command of the documents, run by a shell that finds this project's `contend` and `python`."""

import os
import subprocess
import sys
from pathlib import Path

HOME = Path(__file__).parents[1]
CODE = ("src", "core", "bindings", "mpi", "lab", "benchmarks")


def run(command: str, folder: Path, **variables: str) -> str:
    """Return what it prints, in a folder, with more in its environment."""
    paths = {"PATH": str(Path(sys.executable).parent), "PYTHONPATH": str(HOME)}
    searched = {
        name: os.pathsep.join(filter(None, [first, os.environ.get(name)]))
        for name, first in paths.items()
    }
    folder.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", command],
        cwd=folder,
        env={**os.environ, **searched, **variables},
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"exit code {done.returncode}: {command}\n{done.stdout}")
    return done.stdout


def commit() -> str:
    """Return the commit that figures come from; the code has to be as it is there."""
    if dirty := _git("status", "--porcelain", "--", *CODE):
        raise SystemExit(f"commit the code first, which was changed:\n{dirty}")
    return _git("rev-parse", "--short", "HEAD").strip()


def _git(*words: str) -> str:
    return subprocess.run(
        ["git", "-C", str(HOME), *words], capture_output=True, text=True, check=True
    ).stdout
