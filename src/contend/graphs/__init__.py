"""Measured contention graphs: what they tell of how messages share a network."""

from contend.graphs.inverse import penalties_from_times

__all__ = ["penalties_from_times"]
