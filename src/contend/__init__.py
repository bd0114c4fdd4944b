"""Measure how a network behaves when many messages share it, and predict what it does next.

>>> import contend
>>> contend.solve({"src": [0, 0], "dst": [1, 2], "bytes": [100, 200]}).end.tolist()
[200.0, 300.0]
"""

from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from contend.api import *  # noqa: F403

try:
    __version__ = version("contend")
except PackageNotFoundError:  # a source tree that nobody installed
    __version__ = "0+uninstalled"


def __getattr__(name: str) -> Any:
    """Return a public name of `contend.api`, imported when it is used, or the list of them."""
    if name.startswith("__") and name != "__all__":
        raise AttributeError(f"module 'contend' has no attribute {name!r}")
    return getattr(import_module("contend.api"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__getattr__("__all__")})
