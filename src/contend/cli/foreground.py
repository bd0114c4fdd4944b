"""What is shown of a program that a command ran, which has standard output to itself."""

import os
import sys
from collections.abc import Iterable

from contend.api import Part, Table
from contend.cli import output


def show_aside(parts: Iterable[Part]) -> None:
    """Show tables and notes on standard error."""
    for part in parts:
        if isinstance(part, Table):
            console = output.messages()
            table = output.table(part.text(), title=part.title)
            console.print(table, width=None if console.is_terminal else part.width)
        else:
            output.note(str(part))


def forget_unwritten() -> None:
    """Forget what no reader or no disk takes, which would become the exit code otherwise."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:  # as it is where contend was started without
                stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
