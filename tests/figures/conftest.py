"""Fixtures of a measured network."""

from support.measurement import measure, one_map

__all__ = ["measure", "one_map"]
