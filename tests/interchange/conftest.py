"""Fixtures: a network that was measured."""

from support.measurement import measure

__all__ = ["measure"]
