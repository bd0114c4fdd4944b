"""Imports what commands import, wherever it stands, so that Python writes its bytecode.

    python packaging/bytecode.py

What pip installs without bytecode is compiled at every start where Python may not write it later
(PYTHONDONTWRITEBYTECODE, folders of others): a prediction takes two seconds then instead of half a
one. Compiling all that is installed would take five times the room.
"""

import ast
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import contend

ROOT = Path(contend.__file__).parent


def imported(source: str) -> Iterator[str]:
    """Modules, and names of modules that may be modules, that a source imports at any depth."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def modules() -> set[str]:
    """Names of all modules of contend, and of what they import."""
    names = {ROOT.name}
    for path in ROOT.rglob("*.py"):
        names.update(imported(path.read_text()))
        if not path.name.startswith("__"):
            names.add(".".join((ROOT.name, *path.relative_to(ROOT).with_suffix("").parts)))
    return names


if __name__ == "__main__":
    for name in sorted(modules()):
        with suppress(ImportError):  # a name that is no module, or an extra that is absent
            import_module(name)
