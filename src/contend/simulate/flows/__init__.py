"""Contention graphs: flows that share a network, and the penalty and end of each."""
