"""Programs that tests start, and commands of the documents, which find this project."""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

HOME = Path(__file__).parents[2]
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
        ["bash", "-euo", "pipefail", "-c", command], cwd=folder,
        env={**os.environ, **searched, **variables}, stdout=subprocess.PIPE, text=True, check=False,
    )  # fmt: skip
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


def completed(
    words: Sequence[Any],
    *,
    env: Mapping[str, Any] | None = None,
    timeout: float = 90,
    check: bool = False,
    **options: Any,
) -> "subprocess.CompletedProcess[str]":
    """A program that has ended, and what it wrote; `env` has variables beside those of here."""
    variables = {name: str(value) for name, value in (env or {}).items()}
    return subprocess.run(
        [*map(str, words)], env={**os.environ, **variables}, capture_output=True, text=True,
        timeout=timeout, check=check, **options,
    )  # fmt: skip


class Outcome(NamedTuple):
    """What a command left."""

    code: int
    out: str
    err: str


def in_process(patch: Any, capture: Any, *words: Any) -> Outcome:
    """The command line in this process; `capture` is a fixture of pytest that does."""
    from contend.cli.app import main

    patch.setattr(sys, "argv", ["contend", *map(str, words)])
    code = 0
    try:
        main()
    except SystemExit as leaving:
        code = int(leaving.code or 0)
    streams = capture.readouterr()
    return Outcome(code, streams.out, streams.err)
