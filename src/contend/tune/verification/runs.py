"""A program that is run under the library that watches its collective calls, over and over."""

import os
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from contend.base.errors import LaunchError, StorageError
from contend.measure.build import cache_folder
from contend.measure.launch import end_launch, end_with_parent, last_lines
from contend.measure.launcher import PRELOAD, LaunchCommand, preload_before, with_variables
from contend.measure.scratch import scratch
from contend.tune.verification.calls import Watched, read_watched

FOLDER = "CONTEND_VERIFY"
MOST_OUTPUT = 2**20  # characters kept of the output of a program


@dataclass(frozen=True)
class Ended:
    """How a command ended: its exit code, None when its time was over; seconds; its output."""

    code: int | None
    seconds: float
    output: str

    @property
    def last_lines(self) -> str:
        """The end of its output, to be put behind a message."""
        return last_lines([line.rstrip() for line in self.output.splitlines()])


@dataclass(frozen=True)
class Run:
    """One run of a program: the seconds of the whole command, and its calls."""

    seconds: float
    watched: Watched


def run_watched(
    launch: LaunchCommand, library: Path, settings: Mapping[str, str], timeout: float, arm: str
) -> Run:
    """One run of the program with these settings, beside those of the environment.

    Raises
    ------
    LaunchError
        Where the program fails or takes longer than `timeout` seconds, and where no rank leaves a
        record; `arm` says in words which run it was.
    """
    parent = cache_folder()
    try:
        parent.mkdir(parents=True, exist_ok=True)  # where the library is, which all hosts see
        with scratch(parent, "verify-") as folder:
            variables = {
                PRELOAD: preload_before(library, os.environ.get(PRELOAD)),
                FOLDER: str(folder),
            }
            ended = run_command(*with_variables(launch, {**settings, **variables}), timeout)
            watched = read_watched(folder)
    except OSError as error:
        raise StorageError.of(parent, error) from None
    name = launch.words[launch.program or 0]
    if ended.code is None:
        raise LaunchError(
            f"{name} had not ended {arm} after {timeout:g} s{ended.last_lines}",
            "see what 'contend tune lint' says of the rules, or allow more with --repeat timeout=",
        )
    if ended.code:
        raise LaunchError(
            f"{name} ended with status {ended.code} {arm}{ended.last_lines}",
            "see whether it does so without contend, and what 'contend tune lint' says",
        )
    if watched is None:
        raise LaunchError(
            f"no rank of {name} has left a record {arm}",
            f"see that all hosts have {parent} ($CONTEND_CACHE names another place), and that it "
            "calls collective operations of MPI",
        )
    return Run(ended.seconds, watched)


def run_command(words: Sequence[str], variables: Mapping[str, str], timeout: float) -> Ended:
    """How a command ends; of what it starts nothing is left behind when its time is over."""
    with tempfile.TemporaryFile("w+", errors="replace") as output:
        begin = time.monotonic()
        try:
            process = subprocess.Popen(
                words, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
                env={**os.environ, **variables}, start_new_session=True,
                preexec_fn=end_with_parent(),  # noqa: PLW1509
            )  # fmt: skip
        except OSError as error:
            raise LaunchError(
                f"cannot start {words[0]}: {error.strerror}", "name a command that is on PATH"
            ) from None
        try:
            code: int | None = process.wait(timeout)
        except subprocess.TimeoutExpired:
            code = None
        finally:
            if process.poll() is None:
                end_launch(process)
        seconds = time.monotonic() - begin
        output.seek(0)
        return Ended(code, seconds, output.read(MOST_OUTPUT))
