"""Commands found by looking: a module of a folder is a command, a folder is a group of them.

A module is imported when its command is called. What a listing needs of the others (their order,
their panel, a sentence) is read from their text, so that `--help` imports none of them.
"""

import ast
import importlib
import os
import pkgutil
import re
from collections.abc import Iterator, Mapping
from copy import copy
from functools import cached_property
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
# Words of commands as they were, and as they are: they go on for this release. Options of the old
# words may stand anywhere; {0} and {1} in the new ones are the arguments that followed.
OLD_WORDS = {
    "algorithms": "list algorithms",
    "bound": "predict {0} --messages {1}",
    "clusters discover": "measure hosts",
    "clusters show": "list groups",
    "exchange library": "alltoall run --library",
    "exchange": "alltoall",
    "graph compare": "validate",
    "graph draw": "draw",
    "graph fit": "fit",
    "graph import": "import",
    "graph measure": "measure messages",
    "graph solve": "solve",
    "job": "batch",
    "lab draw": "draw lab:{0}",
    "lab links": "draw lab:{0} --output {0}.links.json",
    "lab profiles": "list labs",
    "lab run": "lab",
    "lab shell": "lab",
    "measure schedule": "measure collectives",
    "measure --levels": "measure links",
    "measure --library-algorithms": "measure library",
    "plan": "design",
    "run": "alltoall run",
    "run-schedule": "measure collectives",
    "schema": "list schema",
    "sweep": "replay --vary",
    "trace info": "trace show",
    "watch report": "report",
    "watch run": "watch",
}

# Options as they were, by the commands that have had them: the new option and, where it takes one,
# its value, in which {} is what was given. NAME={} is a variable of the environment.
_TIMES = {
    "--max-repetitions": "--repeat max={}",
    "--max-seconds": "--repeat time={}",
    "--min-repetitions": "--repeat min={}",
    "--mpicc": "MPICC={}",
    "--precision": "--repeat precision={}",
    "--repetitions": "--repeat max={}",
    "--seed": "--repeat seed={}",
    "--start": "--repeat start={}",
    "--timeout": "--repeat timeout={}",
    "--warmup": "--repeat warmup={}",
}
_VARIANT = {
    "--degree": "--with degree={}",
    "--groups": "--with groups={}",
    "--leaders": "--with leaders={}",
    "--root": "--with root={}",
    "--segment": "--with segment={}",
    "--window": "--with window={}",
}
_ASSUMED = {"--alpha": "--assume alpha={}", "--beta": "--assume beta={}"}
_FACTS = {
    "--algorithm": "--as algorithm={}",
    "--experiment": "--as experiment={}",
    "--reader": "--as reader={}",
    "--statistic": "--as statistic={}",
}
_RULES = {"--for": "--library {}"}
_RUNS = {"--pairs": "--repeat pairs={}", "--timeout": "--repeat timeout={}"}
OLD_OPTIONS = {
    "alltoall bench": _TIMES,
    "batch": {
        "--account": "--job account={}",
        "--dry-run": "--output -",
        "--name": "--job name={}",
        "--nodes": "--job nodes={}",
        "--partition": "--job partition={}",
        "--queue": "--job queue={}",
        "--time": "--job time={}",
    },
    "choose": {"--groups": "--with groups={}"},
    "design": _ASSUMED
    | {
        "--points": "--budget points={}",
        "--until": "--budget width={}",
        "--largest": "--budget widest",
    },
    "doctor": {"--mpicc": "MPICC={}"},
    "draw": _VARIANT,
    "explain": {
        "--bandwidth": "--assume bandwidth={}",
        "--latency": "--assume latency={}",
        **_FACTS,
    },
    "fit": _ASSUMED,
    "import": _FACTS,
    "measure": _TIMES,
    "measure collectives": _TIMES | _VARIANT,
    "measure messages": _TIMES | {"--edges": "--random edges={}", "--nodes": "--random nodes={}"},
    "predict": {
        "--backbone-alpha": "--join alpha={}",
        "--backbone-beta": "--join beta={}",
        "--second-network": "--join network={}",
        "--second-processes": "--join processes={}",
        **_VARIANT,
    },
    "study": _TIMES,
    "tune apply": _RUNS | _RULES,
    "tune export": _RULES,
    "tune lint": _RULES,
    "tune verify": _RUNS | _RULES,
}


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


def renewed(args: list[str]) -> list[str]:
    """Return a command line with new words in the place of old ones, and print a note of that.

    >>> renewed(["bound", "n.json", "m.csv", "--json"])
    ['predict', 'n.json', '--messages', 'm.csv', '--json']
    """
    end = args.index("--") if "--" in args else len(args)
    begin = next((at for at, word in enumerate(args) if not word.startswith("-")), 0)
    first, before, behind = args[:begin], args[begin:end], args[end:]
    for old, new in OLD_WORDS.items():
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
    names = (name for name in OLD_OPTIONS if f"{begin} ".startswith(f"{name} "))
    table = OLD_OPTIONS.get(max(names, key=len, default=""), {})
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
