"""The application: finds the commands, and turns errors into one message and an exit code."""

import errno
import gc
import os
import signal
import sys
import threading
import warnings
from typing import Annotated

import typer

from contend.api import ContendError
from contend.cli import commands, output
from contend.cli.folder import folder

NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
INTERRUPTED = 130  # how typer ends a command at Ctrl-C
EPILOG = "Begin with [bold]contend doctor[/bold], then [bold]contend study[/bold]."


def make_app() -> typer.Typer:
    """Return the application with every command of the folder."""
    app = typer.Typer(
        name="contend",
        cls=folder(commands.__name__),
        help="Measure how a network behaves when many messages share it, and predict.",
        epilog=EPILOG,
        no_args_is_help=True,
        rich_markup_mode="rich",
        pretty_exceptions_show_locals=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_options)
    return app


def _show_version(is_wanted: bool) -> None:
    if is_wanted:
        from contend import __version__

        print(f"contend {__version__}")
        raise typer.Exit


def _options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
    markdown: Annotated[
        bool, typer.Option("--markdown", help="Tables as Markdown, before the command.")
    ] = False,
    json: Annotated[
        bool,
        typer.Option("--json", help="JSON for machines; before a command or among its options."),
    ] = False,
) -> None:
    output.is_markdown, output.is_json = markdown, json


def _terminate(number: int, _: object) -> None:
    """End as at Ctrl-C: what was started is ended, and what it left is removed."""
    signal.signal(number, signal.SIG_IGN)
    sys.exit(128 + number)


def _leave_output() -> None:
    """Let nothing be written again when the interpreter ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def main() -> None:
    """Run the command line of this process."""
    gc.set_threshold(100_000)  # what a command holds it mostly holds until its end
    warnings.showwarning = output.show_warning
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, _terminate)
    try:
        make_app()()
    except ContendError as error:
        output.show_error(error)
        sys.exit(1)
    except OSError as error:
        if error.filename is not None or error.errno not in NO_ROOM:
            raise
        _leave_output()
        output.show_error(
            ContendError(
                f"the output cannot be written: {os.strerror(error.errno)}",
                "write it where there is room",
            )
        )
        sys.exit(1)
    except MemoryError:
        output.show_error(ContendError("the memory does not suffice", "name less at a time"))
        sys.exit(1)
    except KeyboardInterrupt:  # before typer has begun
        sys.exit(INTERRUPTED)
    except SystemExit as leaving:
        ours = (INTERRUPTED, 128 + signal.SIGTERM)
        if leaving.code in ours and not isinstance(leaving, output.ProgramEnded):
            output.note(
                "stopped; what was measured or written is kept, and the same command continues"
            )
        raise
