"""Reduction algorithms, the result at one rank."""
