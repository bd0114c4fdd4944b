"""Commands found by looking: a module of a folder is a command, a folder is a group of them."""

import importlib
import pkgutil
from collections.abc import Iterable
from types import ModuleType

import typer

# Panels of `contend --help`, in their order. A command says its own; the last is for the others.
PANELS = ("Begin", "Measure", "Model", "Decide", "Apply", "Simulate", "Inspect", "More")


def add_commands(app: typer.Typer, package: str, folder: Iterable[str]) -> None:
    """Add each module of a package to `app`, by panel and then in the order of `ORDER`.

    A module has `ORDER`, `EXAMPLE` and `command`: a function, or a group of commands.
    `PANEL`, where a module has it, is one of `PANELS`: where `--help` of the folder lists it.
    `CONTEXT`, where a module has it, says how the words of its command line are read.
    """
    modules = [
        importlib.import_module(f"{package}.{found.name}") for found in pkgutil.iter_modules(folder)
    ]
    has_panels = any(hasattr(module, "PANEL") for module in modules)
    for module in sorted(modules, key=_place):
        name = module.__name__.rpartition(".")[2].rstrip("_").replace("_", "-")
        epilog, panel = example(module.EXAMPLE), _panel(module) if has_panels else None
        if isinstance(module.command, typer.Typer):  # a command with commands of its own
            app.add_typer(module.command, name=name, epilog=epilog, rich_help_panel=panel)
        else:
            settings = getattr(module, "CONTEXT", None)
            app.command(name, epilog=epilog, context_settings=settings, rich_help_panel=panel)(
                module.command
            )


def example(line: str) -> str:
    """What `--help` of a command ends with, of a command line that can be given as it is."""
    return f"Example: [bold]{line}[/bold]"


def _panel(module: ModuleType) -> str:
    return getattr(module, "PANEL", PANELS[-1])


def _place(module: ModuleType) -> tuple[int, int, str]:
    return PANELS.index(_panel(module)), module.ORDER, module.__name__
