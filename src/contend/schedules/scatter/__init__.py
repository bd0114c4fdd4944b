"""Scatter algorithms, m bytes of one rank to each."""
