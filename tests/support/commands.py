"""Command lines that documents and `--help` show, and what may stand in a block of code."""

import re
import shlex
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import typer.main

from contend.cli.app import make_app

ROOT = Path(__file__).parents[2]
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
FENCE = re.compile(r"^```([^\n`]*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
INSIDE = re.compile(r"\$\((contend [^)]*)\)")  # a command whose output another takes
JOINS = ("&&", "|", ";")
MODES = ("plan_file", "levels", "library_algorithms")  # what is measured, by parameters

# What a block is, by the word behind its fence, and what holds it to the truth. A block without a
# word is one of a shell.
LANGUAGES = {
    "": "every line is run or parsed: test_shell_snippets.py",
    "sh": "as without a word",
    "console": "lines behind $ are those of a shell, the others what it said",
    "text": "what a program said, or a file that contend writes: it is not run",
    "python": "is run: test_python_snippets.py",
    "json": "is validated by its schema: test_documents.py",
    "toml": "is read: test_shell_snippets.py",
    "yaml": "jobs of a CI server: is read, and runs commands that are shown above it",
    "ini": "sections of UCC's file: are linted, test_shell_snippets.py",
    "lua": "a module file of a site, which contend does not read",
    "{toctree}": "is built: make site",
    "{eval-rst}": "is built: make site",
}


@dataclass(frozen=True)
class Shown:
    """A line of a shell, without comments and line ends, and where it is shown."""

    line: str
    place: str


def blocks(page: Path) -> list[tuple[str, str]]:
    """Language and text of each block of code."""
    return FENCE.findall(page.read_text(encoding="utf-8"))


def shell_lines() -> Iterator[Shown]:
    """Of all documents, and the examples of all commands."""
    for page in PAGES:
        for language, text in blocks(page):
            if language in ("", "sh", "console"):
                for line in _lines(text, only_prompts=language == "console"):
                    yield Shown(line, str(page.relative_to(ROOT)))
    yield from examples()


def _lines(text: str, *, only_prompts: bool) -> Iterator[str]:
    for line in text.replace("\\\n", " ").splitlines():
        if only_prompts and not line.startswith("$ "):
            continue
        if bare := without_comment(line.removeprefix("$ ")):
            yield bare


def without_comment(line: str) -> str:
    """A line of a shell up to a # that begins a word."""
    return re.split(r"(?:^|\s+)#", line, maxsplit=1)[0].strip()


def examples() -> Iterator[Shown]:
    """What `--help` of each command, and of each command of a group, ends with."""
    for name, command in every_command():
        shown = re.sub(r"\[/?bold\]", "", command.epilog or "")
        yield Shown(shown.removeprefix("Example: "), f"{name} --help")


@cache
def application() -> Any:
    """The command that all others belong to."""
    return typer.main.get_command(make_app())


HELP = {"help_option_names": ["-h", "--help"]}  # commands keep the first that they are asked for


def every_command() -> Iterator[tuple[str, Any]]:
    """Name and command of each, groups before what they hold."""

    def below(name: str, command: Any) -> Iterator[tuple[str, Any]]:
        for inner, one in getattr(command, "commands", {}).items():
            yield f"{name} {inner}", one
            yield from below(f"{name} {inner}", one)

    yield from below("contend", application())


def parts(line: str) -> list[str]:
    """Commands of a line: those joined by && or a pipe, and those whose output is taken."""
    inside = INSIDE.findall(line)
    lexer = shlex.shlex(INSIDE.sub("OUTPUT", line), posix=False, punctuation_chars="&|;")
    lexer.whitespace_split = True
    found: list[list[str]] = [[]]
    for word in lexer:
        if word in JOINS:
            found.append([])
        else:
            found[-1].append(word)
    return inside + [" ".join(words) for words in found if words]


def commands_of_contend() -> dict[str, list[str]]:
    """Every command line of contend that is shown, and where."""
    found: dict[str, list[str]] = {}
    for shown in shell_lines():
        for part in parts(shown.line):
            if part.split()[0] == "contend":
                found.setdefault(part, []).append(shown.place)
    return found


def other_commands() -> dict[str, list[str]]:
    """Every other line of a shell that is shown, and where."""
    found: dict[str, list[str]] = {}
    for shown in shell_lines():
        for part in parts(shown.line):
            if part.split()[0] != "contend":
                found.setdefault(part, []).append(shown.place)
    return found


def lookup(words: list[str]) -> tuple[str, Any]:
    """Name and command that the words behind `contend` begin with; KeyError where there is none.

    Of a group with a default command, where none is named, that one.
    """
    name, command = "contend", application()
    for word in words:
        if not getattr(command, "commands", None) or not word[:1].isalpha():
            break
        name, command = f"{name} {word}", command.commands[word]
    default = getattr(command, "default", None)
    return name, command.commands[default] if isinstance(default, str) else command


def spoken(page: Path) -> Iterator[list[str]]:
    """Words behind `contend` of each command line in a sentence of a page, up to a program."""
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    for line in re.findall(r"`contend ([a-z][^`]*)`", text):
        words = shlex.split(line)
        if words[0] in application().commands:
            yield words[: words.index("--")] if "--" in words else words


def parse(words: list[str]) -> tuple[str, dict[str, Any]]:
    """What the command line makes of the words behind `contend`, without running the command.

    Name and values. Errors are those of the command line itself: an unknown command or option, a
    wrong value.
    """
    name, command = lookup(words)
    rest = words[len(name.split()) - 1 :]
    return name, command.make_context(name, rest, **HELP | command.context_settings).params


def longest_of_each(commands: Iterable[str]) -> list[str]:
    """Return one line of each command, and of each thing that `measure` measures: it is run.

    It is the one with most options; the other lines are parsed alone.
    """
    longest: dict[tuple[str, ...], str] = {}
    for command in commands:
        words = shlex.split(command)[1:]
        name, values = parse(words)
        kind = (name, *(mode for mode in MODES if values.get(mode)))
        before = longest.get(kind, "")
        if _options(command) > _options(before) or not before:
            longest[kind] = command
    return list(longest.values())


def _options(command: str) -> int:
    return sum(word.startswith("-") for word in shlex.split(command))
