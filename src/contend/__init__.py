"""Measure how a network behaves when many messages share it, and predict what it does next.

>>> import contend
>>> contend.solve({"src": [0, 0], "dst": [1, 2], "bytes": [100, 200]}).end.tolist()
[200.0, 300.0]
"""

from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from contend.api import (
        ContendError,
        ExchangeWishes,
        JobRequest,
        Network,
        Samples,
        apply_rules,
        batch_job,
        export_as,
        export_rules,
        fit,
        read_network,
        read_samples,
        run_exchange,
        solve,
        solve_many,
        study,
        sweep,
        verify_rules,
    )

try:
    __version__ = version("contend")
except PackageNotFoundError:  # a source tree that nobody installed
    __version__ = "0+uninstalled"

# The names of `contend.api`; each is imported when it is used, so that `import contend` is quick.
__all__ = [
    "ContendError",
    "ExchangeWishes",
    "JobRequest",
    "Network",
    "Samples",
    "apply_rules",
    "batch_job",
    "export_as",
    "export_rules",
    "fit",
    "read_network",
    "read_samples",
    "run_exchange",
    "solve",
    "solve_many",
    "study",
    "sweep",
    "verify_rules",
]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'contend' has no attribute {name!r}")
    return getattr(import_module("contend.api"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
