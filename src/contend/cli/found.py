"""Commands found by looking: a module of a folder is a command, a folder is a group of them."""

import importlib
import pkgutil
from collections.abc import Iterable

import typer


def add_commands(app: typer.Typer, package: str, folder: Iterable[str]) -> None:
    """Add each module of a package to `app`, in the order of `ORDER`.

    A module has `ORDER`, `EXAMPLE` and `command`: a function, or a group of commands.
    `CONTEXT`, where a module has it, says how the words of its command line are read.
    """
    modules = [
        importlib.import_module(f"{package}.{found.name}") for found in pkgutil.iter_modules(folder)
    ]
    for module in sorted(modules, key=lambda module: (module.ORDER, module.__name__)):
        name = module.__name__.rpartition(".")[2].rstrip("_").replace("_", "-")
        epilog = f"Example: [bold]{module.EXAMPLE}[/bold]"
        if isinstance(module.command, typer.Typer):  # a command with commands of its own
            app.add_typer(module.command, name=name, epilog=epilog)
        else:
            settings = getattr(module, "CONTEXT", None)
            app.command(name, epilog=epilog, context_settings=settings)(module.command)
