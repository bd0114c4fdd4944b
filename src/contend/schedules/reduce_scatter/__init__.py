"""Reduction algorithms, a block of the result at each rank."""
