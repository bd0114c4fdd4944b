"""Measure how a network behaves when many messages share it, and predict what it does next."""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("contend")
except PackageNotFoundError:  # a source tree that nobody installed
    __version__ = "0+uninstalled"
