"""The build backend: scikit-build-core, and MPICH for the header of the MPI-5 ABI.

MPICH is no requirement in pyproject.toml, as a build has to go on where there is no wheel of it.
"""

import platform

from scikit_build_core import build as _backend
from scikit_build_core.build import *  # noqa: F403

_MACHINES = ("x86_64", "aarch64")  # wheels of MPICH 5 on PyPI, which need such a C library
_GLIBC = (2, 28)


def _has_wheel() -> bool:
    library, version = platform.libc_ver()
    if library != "glibc" or platform.machine() not in _MACHINES:
        return False
    return tuple(map(int, version.split(".")[:2])) >= _GLIBC


def _with_header(requirements: list[str]) -> list[str]:
    return [*requirements, *(["mpich>=5"] if _has_wheel() else [])]


def get_requires_for_build_wheel(settings: dict | None = None) -> list[str]:
    """Return what a wheel is built with."""
    return _with_header(_backend.get_requires_for_build_wheel(settings))


def get_requires_for_build_editable(settings: dict | None = None) -> list[str]:
    """Return what an editable installation is built with."""
    return _with_header(_backend.get_requires_for_build_editable(settings))
