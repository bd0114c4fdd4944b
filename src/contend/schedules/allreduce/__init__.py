"""Reduction algorithms, the result at all ranks."""
