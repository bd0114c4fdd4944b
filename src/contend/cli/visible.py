"""What a terminal shows: text in which nothing of a name moves the cursor or turns the line around.

Names of hosts, files, networks and algorithms come from files of others. All that commands say goes
through `VisibleConsole` or `visible`; JSON escapes such characters by itself.
"""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import typer
from rich.console import Console
from rich.segment import Segment
from rich.text import Text
from typer.core import TyperGroup

# Control characters but for tab and newline, marks that turn the direction of text around, and
# bytes of a file's name that are no UTF-8.
_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")

# What to do in the place of options that no command has, but are looked for.
_INSTEAD = {
    "--lab": "to measure on an emulated network give --on lab:NAME; any command runs in one by "
    "contend lab NAME -- contend measure ..., see 'contend list labs'",
}


def visible(text: str) -> str:
    r"""Return the text with such characters as they are written in Python.

    >>> visible("a\x1b]0;b\x07")
    'a\\x1b]0;b\\x07'
    """
    return _UNSEEN.sub(lambda match: match[0].encode("unicode_escape").decode(), text)


class VisibleConsole(Console):
    """A console that shows what is printed on it, and obeys none of it."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(emoji=False, **settings)  # :o: of a network is no picture

    def render_str(self, text: str, **settings: Any) -> Text:
        """Return the text that is measured and printed."""
        return super().render_str(visible(text), **settings)

    def render(self, *renderable: Any, **settings: Any) -> Iterable[Segment]:
        """Return the parts of whatever is printed, also of what is no string."""
        for segment in super().render(*renderable, **settings):
            yield segment if segment.control else Segment(visible(segment.text), segment.style)


class VisibleGroup(TyperGroup):
    """The commands, of which mistakes on the command line are shown as `visible`."""

    def make_context(self, *words: Any, **settings: Any) -> Any:
        """Return the context of a command line."""
        with _visible_errors():
            return super().make_context(*words, **settings)

    def invoke(self, ctx: typer.Context) -> Any:  # type: ignore[override]
        with _visible_errors():
            return super().invoke(ctx)


@contextmanager
def _visible_errors() -> Iterator[None]:
    try:
        yield
    except Exception as error:
        if hasattr(error, "format_message") and isinstance(getattr(error, "message", None), str):
            error.message = visible(error.message)  # type: ignore[attr-defined]
            if remedy := _INSTEAD.get(getattr(error, "option_name", "")):
                error.message += f": {remedy}"  # type: ignore[attr-defined]
                error.possibilities = None  # type: ignore[attr-defined]
        raise
