"""Measure how a network behaves when many messages share it, and predict what it does next.

>>> import contend
>>> contend.solve({"src": [0, 0], "dst": [1, 2], "bytes": [100, 200]}).end.tolist()
[200.0, 300.0]
"""

from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from contend.api.flows import solve, solve_many
    from contend.api.network import Network, fit, read_network
    from contend.api.samples import Samples, read_samples
    from contend.base.errors import ContendError
    from contend.programs.sweeps.sweep import sweep

try:
    __version__ = version("contend")
except PackageNotFoundError:  # a source tree that nobody installed
    __version__ = "0+uninstalled"

# Where each public name is; it is imported when it is used, so that `import contend` is quick.
_PLACES = {
    "ContendError": "base.errors",
    "Network": "api.network",
    "Samples": "api.samples",
    "fit": "api.network",
    "read_network": "api.network",
    "read_samples": "api.samples",
    "solve": "api.flows",
    "solve_many": "api.flows",
    "sweep": "programs.sweeps.sweep",
}
__all__ = [
    "ContendError",
    "Network",
    "Samples",
    "fit",
    "read_network",
    "read_samples",
    "solve",
    "solve_many",
    "sweep",
]


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module 'contend' has no attribute {name!r}")
    return getattr(import_module(f"contend.{_PLACES[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_PLACES])
