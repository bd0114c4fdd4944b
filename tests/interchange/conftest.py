"""Fixtures: a network that was measured."""

from measured_network import measure

__all__ = ["measure"]
