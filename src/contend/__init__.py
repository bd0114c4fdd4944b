"""Measure how a network behaves when many messages share it, and predict what it does next.

>>> import contend
>>> contend.solve({"src": [0, 0], "dst": [1, 2], "bytes": [100, 200]}).end.tolist()
[200.0, 300.0]
"""

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from contend.api import *  # noqa: F403


@cache
def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version  # as long as a fifth of the rest

    try:
        return version("contend")
    except PackageNotFoundError:  # a source tree that nobody installed
        return "0+uninstalled"


def __getattr__(name: str) -> Any:
    """Return a public name of `contend.api`, or their list, or the version."""
    if name == "__version__":
        return _version()
    if name.startswith("__") and name != "__all__":
        raise AttributeError(f"module 'contend' has no attribute {name!r}")
    return getattr(import_module("contend.api"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__getattr__("__all__")})
