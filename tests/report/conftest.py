"""Fixtures of a measured network."""

from measured_network import measure, one_map

__all__ = ["measure", "one_map"]
