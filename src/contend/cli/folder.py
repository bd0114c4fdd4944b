"""Commands found by looking: a module of a folder is a command, a folder is a group of them.

A module is imported when its command is called. What a listing needs of the others (their order,
their panel, a sentence) is read from their text, so that `--help` imports none of them.
"""

import ast
import importlib
import os
import pkgutil
import re
import tomllib
from collections.abc import Iterator, Mapping
from copy import copy
from functools import cache, cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperCommand

from contend.cli import output
from contend.cli.help import Command
from contend.cli.signature import prepared
from contend.cli.visible import VisibleGroup

# Panels of `contend --help`, in their order. A command says its own; the last is for the others.
PANELS = ("Start", "Measure", "Learn", "Act", "Simulate", "Show", "More")


class Commands(Mapping[str, Any]):
    """The commands of a package by name, by panel and then in the order of `ORDER`.

    A module has `ORDER`, `EXAMPLE` and `command`: a function, or a group of commands, whose help
    is then `HELP`. A package has `HELP` and no `command`: its modules are a group, of which
    `DEFAULT`, where the package has it, is the command that is meant where none is named.
    `PANEL`, where a module has it, is one of `PANELS`: where `--help` of the folder lists it.
    `CONTEXT`, where a module has it, says how the words of its command line are read.
    """

    def __init__(self, package: str) -> None:
        self.package = package
        self._loaded: dict[str, Any] = {}

    @cached_property
    def _modules(self) -> dict[str, str]:
        """Modules by the names of commands."""
        package = importlib.import_module(self.package)
        return {
            module.name.rstrip("_").replace("_", "-"): f"{self.package}.{module.name}"
            for module in pkgutil.iter_modules(package.__path__)
        }

    @cached_property
    def outlines(self) -> dict[str, TyperCommand]:
        """What is listed of each command, in order."""
        texts = {name: _constants(module) for name, module in self._modules.items()}
        has_panels = any("PANEL" in text for text in texts.values())
        panels = {name: text.get("PANEL", PANELS[-1]) for name, text in texts.items()}
        order = sorted(
            texts, key=lambda name: (PANELS.index(panels[name]), texts[name]["ORDER"], name)
        )
        return {
            name: TyperCommand(
                name, help=texts[name]["HELP"], rich_help_panel=panels[name] if has_panels else None
            )
            for name in order
        }

    def __getitem__(self, name: str) -> Any:
        if name not in self._loaded:
            module = importlib.import_module(self._modules[name])
            self._loaded[name] = _built(module, name, getattr(module, "PANEL", None))
        return self._loaded[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.outlines)

    def __len__(self) -> int:
        return len(self._modules)


class CommandFolder(VisibleGroup):
    """A group whose commands are those of a package."""

    package: str
    default: str | None = None

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put new words for old ones, and the default command before words that name none."""
        if ctx.parent is None:
            args = renewed_options(renewed(args))
        if self.default and args and args[0] not in (*self.commands, *ctx.help_option_names):
            args = [self.default, *args]
        return super().parse_args(ctx, args)

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands = Commands(self.package)  # type: ignore[assignment]

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names, in order."""
        return list(self.commands)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help, by outlines of the commands."""
        super(CommandFolder, self._outline()).format_help(ctx, formatter)

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        """Return what a shell proposes, by outlines of the commands."""
        return super(CommandFolder, self._outline()).shell_complete(ctx, incomplete)

    def _outline(self) -> "CommandFolder":
        outline = copy(self)
        outline.commands = self.commands.outlines  # type: ignore[attr-defined]
        return outline


@cache
def _old() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name("old_words.toml").read_text("utf-8"))


def old_words() -> dict[str, str]:
    """Return words of commands as they are now, by those that they were."""
    words: dict[str, str] = _old()["words"]
    return words


@cache
def old_options() -> dict[str, dict[str, str]]:
    """Return for each command the options as they are now, by those that they were."""
    return {
        command: {old: new for name in row["groups"] for old, new in _old()["groups"][name].items()}
        | row.get("own", {})
        for command, row in _old()["options"].items()
    }


def renewed(args: list[str]) -> list[str]:
    """Return a command line with new words in the place of old ones, and print a note of that.

    >>> renewed(["bound", "n.json", "m.csv", "--json"])
    ['predict', 'n.json', '--messages', 'm.csv', '--json']
    """
    end = args.index("--") if "--" in args else len(args)
    begin = next((at for at, word in enumerate(args) if not word.startswith("-")), 0)
    first, before, behind = args[:begin], args[begin:end], args[end:]
    for old, new in old_words().items():
        flags = [word for word in old.split() if word.startswith("-")]
        names = [word for word in old.split() if word not in flags]
        given = [word for word in before if word not in flags]
        if given[: len(names)] != names or len(given) + len(flags) != len(before):
            continue
        rest, holes = given[len(names) :], len(set(re.findall(r"{\d}", new)))
        words = new.split()
        if len(rest) < holes:  # --help, or too few arguments
            words, holes = words[:1], 0
        output.note(f"'contend {old}' is now 'contend {new.format('NETWORK', 'FILE')}'")
        return [*first, *(word.format(*rest) for word in words), *rest[holes:], *behind]
    return args


def renewed_options(args: list[str]) -> list[str]:
    """Return a command line with new options in the place of old ones, and print a note of each.

    >>> renewed_options(["predict", "--segment", "8KiB"])
    ['predict', '--with', 'segment=8KiB']
    """
    end = args.index("--") if "--" in args else len(args)
    begin = " ".join(word for word in args[:end] if not word.startswith("-"))
    names = (name for name in old_options() if f"{begin} ".startswith(f"{name} "))
    table = old_options().get(max(names, key=len, default=""), {})
    words: list[str] = []
    rest = iter(args[:end])
    for word in rest:
        old, equals, value = word.partition("=")
        new = table.get(old)
        if new is None:
            words.append(word)
            continue
        if "{}" in new and not equals:
            value = next(rest, "")
            if not value:
                return args
        option, _, text = new.rpartition(" ")
        output.note(f"{old} is now {new.replace('{}', '').strip()}")
        if option:
            words += [option, text.format(value)]
        else:
            os.environ[text.partition("=")[0]] = value
    return [*words, *args[end:]]


def folder(package: str, default: str | None = None) -> type[CommandFolder]:
    """Return the class of the group with the commands of a package."""
    return type("CommandFolder", (CommandFolder,), {"package": package, "default": default})


def example(line: str) -> str:
    """Return what `--help` ends with: a command line that can be given as it is."""
    return f"Example: [bold]{line}[/bold]"


def _constants(module: str) -> dict[str, Any]:
    """Read the constants of a command's module, as `HELP` the docstring of its function."""
    spec = find_spec(module)
    assert spec and spec.origin
    constants: dict[str, Any] = {}
    for node in ast.parse(Path(spec.origin).read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef) and node.name == "command":
            constants["HELP"] = ast.get_docstring(node)
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant | ast.UnaryOp):
            constants[ast.unparse(node.targets[0])] = ast.literal_eval(node.value)
    return constants


def _built(module: Any, name: str, panel: str | None) -> Any:
    """Build the command of a module."""
    holder = typer.Typer(rich_markup_mode="rich", add_completion=False)
    holder.callback()(lambda: None)
    settings: dict[str, Any] = {"epilog": example(module.EXAMPLE), "rich_help_panel": panel}
    command = getattr(module, "command", None)
    if command is None:  # a package of commands
        group = typer.Typer(
            cls=folder(module.__name__, getattr(module, "DEFAULT", None)),
            help=module.HELP,
            no_args_is_help=True,
        )
        group.callback()(lambda: None)
        holder.add_typer(group, name=name, **settings)
    elif isinstance(command, typer.Typer):
        holder.add_typer(command, name=name, **settings)
    else:
        context = getattr(module, "CONTEXT", None)
        holder.command(name, cls=Command, context_settings=context, **settings)(prepared(command))
    return typer.main.get_command(holder).commands[name]  # type: ignore[attr-defined]
