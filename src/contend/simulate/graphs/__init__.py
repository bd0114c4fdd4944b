"""Measured contention graphs: what they tell of how messages share a network."""
